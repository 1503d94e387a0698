"""The opset that a model without a usable import was made for: the one that has its operators and their attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from irlint.formats.onnx import opsets
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.trees import calls_in, names_of
from irlint.operators import Operator, bounds, table
from irlint.text.prototext.messages import Tree

Kind = tuple[str, frozenset[str], int]


def guessed(tree: Tree, domain: str, near: int | None = None) -> int:
    """Return the opset of a domain that fits its nodes best; of those that fit as well, the nearest to one, or to the IR version's."""
    calls = _calls(tree, domain)
    goal = _usual(tree, domain) if near is None else near
    known = range(1, _newest(domain) + 1)
    return min(known, key=lambda opset: (_misfits(calls, domain, opset), abs(opset - goal)))


def _usual(tree: Tree, domain: str) -> int:
    """Return the opset that came with a model's IR version; the newest where that says nothing."""
    raw = table("onnx").raw
    column = {DEFAULT: "opset", "ai.onnx.ml": "ml"}.get(domain, "")
    row = raw["ir"].get(str(tree.get("ir_version", 0)), {})
    return int(row.get(column, raw["opsets"].get(domain, 1)))


def better(tree: Tree, domain: str, opset: int, least: int) -> int | None:
    """Return the opset that fits a domain's nodes better than one; None if fewer nodes than these ask for it."""
    calls, found = _calls(tree, domain), guessed(tree, domain, opset)
    return found if _misfits(calls, domain, opset) - _misfits(calls, domain, found) >= least else None


def fits_another(call: Tree, opset: int) -> bool:
    """Return whether an opset does not have a call that other opsets of its domain have."""
    op, domain, kind = call.get("op_type", ""), domain_of(call.get("domain", "")), _kind(call)
    is_misfit = not _fits(opsets.in_opset(op, domain, opset), *kind[1:])
    return is_misfit and any(
        _fits(opsets.in_opset(op, domain, version), *kind[1:]) for version in opsets.versions(op, domain)
    )


def fits(tree: Tree, domain: str, opset: int) -> bool:
    """Return whether an opset has all nodes of a domain."""
    return not _misfits(_calls(tree, domain), domain, opset)


def is_certain(tree: Tree, domain: str, opset: int) -> bool:
    """Return whether an opset fits all nodes of a domain, and they mean the same in every other one that does."""
    calls = _calls(tree, domain)
    return bool(calls) and not _misfits(calls, domain, opset) and rival(tree, domain, opset) is None


def rival(tree: Tree, domain: str, opset: int) -> tuple[int, str] | None:
    """Return the nearest opset that fits all nodes as well but reads some of them otherwise, and the operator of these."""
    calls = _calls(tree, domain)
    fitting = [other for other in range(1, _newest(domain) + 1) if not _misfits(calls, domain, other)]
    found: dict[int, str] = {}
    for op, _, inputs in calls:
        own = opsets.in_opset(op, domain, opset)
        # of each version of the operator, the last opset: the nearest of earlier ones
        others = {since: other for other in fitting if (since := opsets.since_of(op, domain, other)) is not None}
        for other in others.values():
            if not _are_same(own, opsets.in_opset(op, domain, other), inputs):
                found.setdefault(other, op)
    return min(found.items(), key=lambda one: abs(one[0] - opset), default=None)


def others_that_fit(tree: Tree, op: str, domain: str) -> Iterator[Operator]:
    """Yield the versions of an operator in those opsets that have all nodes of its domain."""
    calls = _calls(tree, domain)
    for since in opsets.versions(op, domain):
        until = min((one for one in opsets.versions(op, domain) if one > since), default=_newest(domain) + 1)
        operator = opsets.version(op, domain, since)
        if operator is not None and any(not _misfits(calls, domain, opset) for opset in range(since, until)):
            yield operator


def _newest(domain: str) -> int:
    return int(table("onnx").raw["opsets"].get(domain, 1))


def _are_same(one: Operator | None, two: Operator | None, inputs: int) -> bool:
    """Return whether two versions of an operator read a call alike, whatever types they take."""
    if one is None or two is None:
        return one is two
    shared = one.attributes.keys() & two.attributes.keys()
    ports = [[port.name for port in operator.inputs[:inputs]] for operator in (one, two)]
    return ports[0] == ports[1] and all(one.attributes[name].default == two.attributes[name].default for name in shared)


def _kind(call: Tree) -> Kind:
    return call.get("op_type", ""), frozenset(names_of(call.get("attribute", ()))), len(call.get("input", ()))


def _calls(tree: Tree, domain: str) -> Mapping[Kind, int]:
    """Return the kinds of a domain's calls, by operators, attributes and counts of inputs, each with their number."""
    calls = calls_in(tree.get("graph", {}).get("node", ()))
    return Counter(_kind(call) for call in calls if domain_of(call.get("domain", "")) == domain)


def _misfits(calls: Mapping[Kind, int], domain: str, opset: int) -> int:
    """Return how many calls an opset does not have."""
    return sum(
        number
        for (op, attributes, inputs), number in calls.items()
        if not _fits(opsets.in_opset(op, domain, opset), attributes, inputs)
    )


def _fits(operator: Operator | None, attributes: frozenset[str], inputs: int) -> bool:
    if operator is None or opsets.is_deprecated(operator):
        return False
    required = {name for name, one in operator.attributes.items() if one.required}
    least, most = sum(port.kind == "required" for port in operator.inputs), bounds(operator.inputs)[1]
    return required <= attributes <= operator.attributes.keys() and least <= inputs and (most is None or inputs <= most)
