"""Which record of the operator table a node denotes: its operator, in the newest version that its domain's opset has."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from irlint.operators import Operator, Port, nearest, table
from irlint.records import NamedTuple

DEFAULT = "ai.onnx"  # the domain that "" means
_MOST = 1 << 12  # results that are kept: a file may hold any number of names


class Absence(NamedTuple):
    """Why an opset lacks an operator that other opsets of its domain have."""

    since: int | None = None  # the opset that brings it
    until: int | None = None  # the last that has it


class Moved(NamedTuple):
    """What an attribute became in the opset `since`: an input of that number, or another attribute."""

    since: int
    name: str
    input: int | None = None


def domain_of(domain: str) -> str:
    """Return a domain as messages and tables call it."""
    return domain or DEFAULT


def opset_of(domain: str, opsets: Mapping[str, int]) -> int | None:
    """Return the opset of a domain that a model imports; `ai.onnx` and an empty name are the same domain."""
    return opsets.get("", opsets.get(DEFAULT)) if domain in ("", DEFAULT) else opsets.get(domain)


def is_hidden(op: str, domain: str, opsets: Mapping[str, int]) -> bool:
    """Return whether runtimes look for an operator where the model has a function: onnx.checker 1.23.2 and onnxruntime 1.32 call no
    functions of the domains that onnx defines, unless onnx has an operator of that name."""
    is_of_onnx = newest_opset(domain) is not None and not domain.startswith("com.microsoft")
    return is_of_onnx and opset_of(domain, opsets) is not None and resolve(op, domain, opsets) is None


def newest_opset(domain: str) -> int | None:
    """Return the newest opset of a domain; None if the domain is not known."""
    found: int | None = _facts("opsets").get(domain_of(domain))
    return found


def resolve(op: str, domain: str, opsets: Mapping[str, int]) -> Operator | None:
    """Return what an operator is in the opset that the model imports for its domain; None if nothing is."""
    opset = opset_of(domain, opsets)
    return None if opset is None else in_opset(op, domain_of(domain), opset)


@lru_cache(_MOST)
def in_opset(op: str, domain: str, opset: int) -> Operator | None:
    """Return the newest version of an operator that an opset has. A deprecated one says so in its facts."""
    since = since_of(op, domain, opset)
    return None if since is None else version(op, domain, since)


def since_of(op: str, domain: str, opset: int) -> int | None:
    """Return the opset that made the version of an operator that this opset has."""
    found = versions(op, domain)
    index = bisect_right(found, opset)
    return found[index - 1] if index else None


def versions(op: str, domain: str = "") -> tuple[int, ...]:
    """Return the opsets that changed an operator, oldest first; none if the domain lacks it."""
    return tuple(_facts("versions").get(_name(op, domain), ()))


def version(op: str, domain: str, since: int) -> Operator | None:
    return table("onnx").get(f"{_name(op, domain)}-{since}")


def is_deprecated(operator: Operator) -> bool:
    return bool(operator.facts.get("deprecated"))


@lru_cache(_MOST)
def absence(op: str, domain: str, opset: int) -> Absence | None:
    """Return why an opset lacks an operator, or has it only as deprecated; None if it has it, or if no opset does."""
    found, operator = versions(op, domain), in_opset(op, domain, opset)
    if operator is None:
        return Absence(since=found[0]) if found else None
    if not is_deprecated(operator):
        return None
    removed = next(n for n in found if (record := version(op, domain, n)) and is_deprecated(record))
    return Absence(until=removed - 1)


@lru_cache(_MOST)
def domains_with(op: str) -> tuple[str, ...]:
    """Return the domains that have an operator of this name, ai.onnx first."""
    suffix = f".{op}"
    others = [name.removesuffix(suffix) for name in _facts("versions") if name.endswith(suffix)]
    return ((DEFAULT,) if versions(op) else ()) + tuple(sorted(others))


@lru_cache(_MOST)
def nearest_operator(op: str, domain: str, opset: int) -> str | None:
    """Return the operator of an opset that was probably meant by a name that it lacks."""
    meant = successor(op, domain)
    if meant is None:
        prefix = _name("", domain)
        own = [name.removeprefix(prefix) for name in _facts("versions") if name.startswith(prefix)]
        meant = nearest(op, [name for name in own if "." not in name])
    operator = in_opset(meant or "", domain_of(domain), opset)
    return None if operator is None or is_deprecated(operator) else meant


def successor(op: str, domain: str = "") -> str | None:
    """Return the operator of the same domain that replaces one, or that other frameworks call so.

    It is empty for what exporters leave where ONNX has no operator.
    """
    found: str | None = _facts("elsewhere").get(_name(op, domain))
    return None if found is None else found.removeprefix(_name("", domain))


def with_attribute(op: str, domain: str, attribute: str) -> tuple[int, ...]:
    """Return the versions of an operator that have an attribute of this name, oldest first."""
    found = ((since, version(op, domain, since)) for since in versions(op, domain))
    return tuple(since for since, operator in found if operator and attribute in operator.attributes)


def moved(op: str, domain: str, attribute: str, opset: int) -> Moved | None:
    """Return what an attribute of older opsets is in this one; None if nothing replaces it."""
    return next((m for m in _moves(op, domain, attribute) if m.since <= opset), None)


@lru_cache(_MOST)
def _moves(op: str, domain: str, attribute: str) -> tuple[Moved, ...]:
    """Return what an attribute became, the newest change first."""
    found = _facts("moved").get(_name(op, domain), {}).get(attribute, ())
    return tuple(Moved(*entry) for entry in reversed(found))


def still_attributes(op: str, domain: str, opset: int) -> dict[int, tuple[str, int]]:
    """Return the attributes of an opset that later ones made inputs, by the numbers of these inputs, and since when they are."""
    names = _facts("moved").get(_name(op, domain), ())
    first = {name: next((m for m in reversed(_moves(op, domain, name)) if m.since > opset), None) for name in names}
    return {m.input: (name, m.since) for name, m in first.items() if m and m.input is not None}


@lru_cache(_MOST)
def types_of(operator: str, parameter: str) -> frozenset[str]:
    """Return the types that a type parameter of a record allows, or the one that a port names itself: float32, seq(tensor(float))."""
    record = table("onnx").get(operator)
    found = record.facts.get("types", {}).get(parameter) if record else None
    if isinstance(found, str):
        found = _facts("sets")[found]
    return frozenset(found if found is not None else (parameter,))


def types_of_port(operator: Operator, port: Port) -> frozenset[str]:
    """Return the types that an input or output of an operator may have."""
    return types_of(operator.name, str(port.facts.get("type", "")))


def port_at(ports: Sequence[Port], k: int) -> Port:
    """Return the port of an input or output: the last one has all that follow."""
    return ports[min(k, len(ports) - 1)]


def declared(options: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the operators that libraries and the configuration add, by domain; a domain without operators has any."""
    found: dict[str, Mapping[str, Any]] = {domain: dict.fromkeys(ops) for domain, ops in _facts("libraries").items()}
    for domain, operations in options.get("extensions", {}).items():
        found[domain] = {**found.get(domain, {}), **operations} if operations else {}
    return found


def _name(op: str, domain: str) -> str:
    return op if domain in ("", DEFAULT) else f"{domain}.{op}"


def _facts(name: str) -> dict[str, Any]:
    found: dict[str, Any] = table("onnx").raw[name]
    return found
