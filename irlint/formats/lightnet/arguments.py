"""Holds an operator's inputs, outputs and parameters, by name, against the operator table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault
from irlint.codes import RuleRow
from irlint.findings import Severity
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.grammar import GRAMMAR
from irlint.formats.lightnet.signature import OptypeSignature, signature
from irlint.graph import Node
from irlint.operators import nearest
from irlint.records import dataclass, field
from irlint.text.base import Place

# key in the file: what an entry is called, the part that is its name, and the rules for an unknown name, a repeated one and a missing one
SIDES: dict[str, tuple[str, str, RuleRow, RuleRow, RuleRow]] = {
    "tensors_in": ("input", "input_name", R.unknown_argument, R.duplicate_argument, R.wrong_input_count),
    "tensors_out": ("output", "output_name", R.unknown_argument, R.duplicate_argument, R.wrong_output_count),
    "params": ("parameter", "attr_key", R.unknown_attribute, R.duplicate_attribute, R.missing_attribute),
}


@dataclass
class ArgumentMatch:
    """Names of one list of an operator, as they are and as they were probably meant to be."""

    names: list[str]
    expected: Sequence[str]
    renamed: dict[int, str] = field(default_factory=dict)  # where another name was meant
    guessed: set[int] = field(
        default_factory=set
    )  # renamed only because no other name is left: the value is none for it
    surplus: list[int] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def positions(self) -> list[int]:
        """Where each expected name stands, the probable renamings made; -1 if nowhere."""
        where: dict[str, int] = {}
        surplus = set(self.surplus)
        for k, name in enumerate(self.names):
            if k not in surplus and k not in self.guessed:
                where.setdefault(self.renamed.get(k, name), k)
        return [where.get(name, -1) for name in self.expected]


def match(names: Sequence[str], expected: Sequence[str], fits: Callable[[int, str], int]) -> ArgumentMatch:
    """`fits(k, name)` says how well the k-th entry would do under a name; the more the better, below 0 not at all."""
    found = ArgumentMatch(list(names), expected, missing=[name for name in expected if name not in names])
    unknown = [k for k, name in enumerate(names) if name not in expected]
    for k in unknown:
        if (meant := nearest(names[k], found.missing)) is not None:
            _rename(found, k, meant)
    for name in dict.fromkeys(n for n in names if n in expected):
        again = [k for k, other in enumerate(names) if other == name]
        while len(again) > 1:
            if found.missing:
                _, k, meant = max((fits(k, meant) - fits(k, name), k, meant) for k in again for meant in found.missing)
                _rename(found, k, meant)
                if fits(k, meant) < 0:
                    found.guessed.add(k)
                again.remove(k)
            else:
                found.surplus.append(again.pop())
    for k in unknown:
        if k in found.renamed:
            continue
        if len(found.missing) == 1:
            _rename(found, k, found.missing[0])
            found.guessed.add(k)
        else:
            found.surplus.append(k)
    return found


def _rename(found: ArgumentMatch, k: int, meant: str) -> None:
    found.renamed[k] = meant
    found.missing.remove(meant)


def match_tensors(names: Sequence[str], expected: Sequence[str]) -> ArgumentMatch:
    return match(names, expected, lambda k, name: expected.index(name) == k if name in expected else 0)


def match_parameters(entries: Sequence[dict[str, Any]], known: OptypeSignature) -> ArgumentMatch:
    """Match parameters: of two with the same name, the one whose value fits a missing name is misnamed."""
    attributes = known.operator.attributes
    expected = list(attributes)

    def fits(k: int, name: str) -> int:
        if name not in attributes:
            return 0
        faults = any(True for _ in GRAMMAR.flaws(entries[k]["value"], attributes[name]))
        return (-2 if faults else 2) + (expected.index(name) == k)

    return match([entry["arg_name"] for entry in entries], expected, fits)


def faults(node: Node, key: str, found: ArgumentMatch) -> Iterator[Fault]:
    """Report what is wrong with the names in one list."""
    what, part, unknown, repeated, missing = SIDES[key]
    names, expected = found.names, found.expected
    places: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        places.setdefault(name, []).append(k)
    for k in sorted({*found.renamed, *found.surplus}):
        name, meant = names[k], found.renamed.get(k)
        other = next((i for i in places[name] if i != k), None)
        related, rest, rule, is_repeated = (
            list[tuple[str, Place]](),
            "",
            unknown,
            name in expected and other is not None,
        )
        if is_repeated:
            rule, related = repeated, [("also declared here", Place((*node.path, key, other or 0, "arg_name")))]
        if meant is not None:
            rest = f"; did you mean {'the missing ' if is_repeated else ''}`{meant}`?"
        elif not is_repeated:
            one_of = "one of " * (len(expected) > 1)
            rest = f"; expected {one_of}{_listed(expected)}" if expected else f"; it takes no {what}s"
        better, change = (NO_VALUE, "remove") if meant is None else (meant, "write")
        message, at = (
            f"{'duplicate' if is_repeated else 'unknown'} {what} `{name}` for",
            Place((*node.path, key, k, "arg_name")),
        )
        yield Fault(rule, f"{part}:{name}", message, rest, better, change=change, related=related, at=at)
    if found.missing:
        yield _lacking(missing, node, key, found)


def _lacking(rule: RuleRow, node: Node, key: str, found: ArgumentMatch) -> Fault:
    what, better, rest = SIDES[key][0], NO_VALUE, ""
    message = (
        f"missing {what}{'s' * (len(found.missing) > 1)} {' and '.join(f'`{name}`' for name in found.missing)} for"
    )
    if key == "params":
        known = signature(node.op)
        assert known is not None
        usual = {name: known.operator.attributes[name].facts.get("usual") for name in found.missing}
        better = NO_VALUE if None in usual.values() else usual
    elif len(found.expected) > len(found.missing):
        rest = f"; expected {_listed(found.expected)}"
    return Fault(rule, _LIST_OF[key], message, rest, better, change="insert")


_LIST_OF = {"tensors_in": "inputs", "tensors_out": "outputs", "params": "attrs"}


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def ignored(node: Node, names: Sequence[str]) -> Iterator[Fault]:
    """Report parameters of an operator that has none."""
    for k, name in enumerate(names):
        message, at = f"unknown parameter `{name}` for", Place((*node.path, "params", k, "arg_name"))
        yield Fault(
            R.unknown_attribute, f"attr_key:{name}", message, "; LightNet ignores it", severity=Severity.WARNING, change="remove", at=at
        )  # fmt: skip
