"""Operations that a configuration declares, as records of an operator table, with all errors in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irlint.config.check import Checker
from irlint.config.source import KeyPath

TYPES = ("bool", "int", "float", "string", "int[]", "float[]", "string[]", "element_type", "shape")
_PYTHON: dict[str, tuple[type, ...]] = {"bool": (bool,), "int": (int,), "float": (int, float, str), "string": (str,)}
_KINDS = {"?": "optional", "+": "variadic", "*": "variadic0"}

Record = dict[str, Any]


def declared_operations(checker: Checker, values: Mapping[str, Any]) -> dict[str, dict[str, Record]]:
    """Return operations by domain; a domain without operations allows any."""
    return {
        domain: {
            name: _operation(checker, record or {}, ("extensions", domain, name))
            for name, record in (operations or {}).items()
        }
        for domain, operations in values.items()
    }


def _operation(checker: Checker, record: Mapping[str, Any], at: KeyPath) -> Record:
    inputs = _ports(checker, record.get("inputs", [0, None]), (*at, "inputs"))
    outputs = _ports(checker, record.get("outputs", [0, None]), (*at, "outputs"))
    found: Record = {"inputs": inputs, "outputs": outputs}
    if "attributes" not in record:
        found["any_attributes"] = True
    given: Mapping[str, Any] = record.get("attributes", {})
    found["attributes"] = [_attribute(checker, n, value, (*at, "attributes", n)) for n, value in given.items()]
    if "shape" in record:
        _check_signature(checker, record["shape"], (inputs, outputs), (*at, "shape"))
        found["signature"] = record["shape"]
    return found


def _ports(checker: Checker, given: Any, at: KeyPath) -> list[Record]:
    """Return ports from a number, [minimum, maximum] (null: unlimited), or names; `?` marks an optional one, `+` one or
    more, `*` any number.
    """
    if isinstance(given, int):
        return [{"name": ""}] * given
    if all(isinstance(item, str) for item in given):
        return _named(checker, given, at)
    if len(given) != 2 or isinstance(given[0], str) or given[0] is None or isinstance(given[1], str):
        checker.report(at, "expected a number, a pair [minimum, maximum], or names")
        return []
    least, most = given
    if most is None:
        return [{"name": ""}] * least + [{"name": "", "kind": "variadic0"}]
    if most < least:
        checker.report(at, f"maximum {most} is less than minimum {least}")
        return []
    return [{"name": ""}] * least + [{"name": "", "kind": "optional"}] * (most - least)


def _named(checker: Checker, names: list[str], at: KeyPath) -> list[Record]:
    found: list[Record] = []
    for k, word in enumerate(names):
        name = word.rstrip("?+*")
        kind = _KINDS.get(word[len(name) :], "required")
        if not name or len(word) > len(name) + 1:
            checker.report((*at, k), f"expected a name, optionally followed by `?`, `+` or `*`, got `{word}`")
        elif kind == "required" and any(port["kind"] != "required" for port in found):
            checker.report((*at, k), f"required `{name}` follows one that is not required")
        elif found and found[-1]["kind"] in ("variadic", "variadic0"):
            checker.report((*at, k), f"`{name}` follows one that may be repeated")
        found.append({"name": name, "kind": kind})
    return found


def _attribute(checker: Checker, name: str, given: Any, at: KeyPath) -> Record:
    record: Mapping[str, Any] = {"type": given} if isinstance(given, str) else given
    kind, values, default = record.get("type", "string"), record.get("values", []), record.get("default")
    checker.name(kind, list(TYPES), "type", at if isinstance(given, str) else (*at, "type"))
    if values and kind != "string":
        checker.report((*at, "values"), f"`values` requires the type `string`, got `{kind}`")
    found: Record = {"name": name, "kind": kind, "values": [str(value) for value in values]}
    if record.get("required"):
        found |= {"required": True, "absent": "refused"}
    if default is None:
        return found
    wanted = _PYTHON.get(kind, (str, list))
    if not isinstance(default, wanted) or (isinstance(default, bool) and kind != "bool"):
        checker.report((*at, "default"), f"expected a default of type `{kind}`, got `{default!r}`")
    elif values and default not in values:
        checker.report((*at, "default"), f"default `{default}` is not one of `values`")
    return {**found, "default": _text(default)}


def _text(value: Any) -> str:
    """Return a value as model files spell it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(_text, value)) if isinstance(value, list) else str(value)


def _check_signature(checker: Checker, text: str, ports: tuple[list[Record], list[Record]], at: KeyPath) -> None:
    """Check that a rule is well formed and names only inputs and outputs that the operation has."""
    from irlint.dryrun.written import mistakes

    for mistake in mistakes(text):
        checker.report(at, mistake)
        return
    sides = text.partition("->")[0::2]
    for side, found, what in zip(sides, ports, ("inputs", "outputs"), strict=True):
        words = side.split()
        count = len(words) - (words[-1:] == ["..."])
        if found and count > len(found) and found[-1].get("kind") not in ("variadic", "variadic0"):
            checker.report(at, f"the rule names {count} {what}; `{what}` has {len(found)}")
