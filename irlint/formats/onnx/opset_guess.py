"""The opset that a model without a usable import was made for: the one that has its operators and their attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.formats.onnx import opsets
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.wire.reader import Tree
from irlint.operators import table


def guessed(tree: Tree, domain: str, near: int | None = None) -> int:
    """Return the opset of a domain that fits its nodes best; of those that fit as well, the nearest to one, or to the IR version's."""
    raw = table("onnx").raw
    newest = int(raw["opsets"].get(domain, 1))
    row = raw["ir"].get(str(tree.get("ir_version", 0)))
    usual = (
        newest
        if row is None or domain not in (DEFAULT, "ai.onnx.ml")
        else int(row["opset" if domain == DEFAULT else "ml"])
    )
    kinds, goal = _kinds(tree, domain), usual if near is None else near
    return min(
        range(1, newest + 1),
        key=lambda opset: (sum(_unfit(*kind, domain, opset) for kind in kinds), abs(opset - goal)),
    )


def better(tree: Tree, domain: str, opset: int, least: int) -> int | None:
    """Return the opset that fits a domain's nodes better than one; None if at least so many kinds of nodes do not ask for it."""
    kinds = _kinds(tree, domain)
    found = guessed(tree, domain, opset)
    wrong, left = (sum(_unfit(*kind, domain, one) for kind in kinds) for one in (opset, found))
    return found if wrong - left >= least else None


def _kinds(tree: Tree, domain: str) -> set[tuple[str, tuple[str, ...], int]]:
    """Return the calls of a domain: their operators, attributes and counts of inputs."""
    return {
        (
            call.get("op_type", ""),
            tuple(sorted(one.get("name", "") for one in call.get("attribute", ()))),
            len(call.get("input", ())),
        )
        for call in calls_in(tree.get("graph", {}).get("node", ()))
        if domain_of(call.get("domain", "")) == domain
    }


def _unfit(op: str, attributes: tuple[str, ...], inputs: int, domain: str, opset: int) -> bool:
    operator = opsets.in_opset(op, domain, opset)
    if operator is None or opsets.is_deprecated(operator):
        return True
    required = {name for name, one in operator.attributes.items() if one.required}
    fits = required <= set(attributes) and set(attributes) <= set(operator.attributes)
    is_open = bool(operator.inputs) and operator.inputs[-1].kind.startswith("variadic")
    return not fits or not sum(port.kind == "required" for port in operator.inputs) <= inputs <= (
        1 << 30 if is_open else len(operator.inputs)
    )


def calls_in(calls: Sequence[Tree]) -> Iterator[Tree]:
    """Yield calls, and those in graphs of theirs."""
    for call in calls:
        yield call
        for attribute in call.get("attribute", ()):
            for graph in (*attribute.get("graphs", ()), *((attribute["g"],) if "g" in attribute else ())):
                yield from calls_in(graph.get("node", ()))
