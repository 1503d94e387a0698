"""A101 division-by-zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import inf, prod
from typing import Any

from irlint.findings import Problem
from irlint.formats.lightnet.reading.c_values import FRACTIONAL
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import PreparedOperator
from irlint.graph import NOWHERE, Source, label
from irlint.rules.base import Model, Rule

_SAME_ELEMENTS = frozenset({"reshape", "forward", "transpose"})


class DivisionByZero(Rule):
    """
    What it does
        Checks for divisions by a constant that contains a zero.

    Why is this bad
        LightNet aborts with a failed assertion at run time, for floating-point numbers as well as for integers. A
        fraction in the data of an integer tensor also becomes 0.
    """

    row = R.division_by_zero
    formats = ("lightnet",)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        graph, found = model.graph, state_of(model)
        divisions = [node for node in found.of_operators("elew") if node.attrs.get("elew_op") == "TL_DIV"]
        known = {operator.node.index: operator for operator in found.prepared} if divisions else {}
        for node in (node for node in divisions if node.index in known):
            k = known[node.index].position(1)
            divisor = Source(*node.inputs[k]) if k >= 0 else NOWHERE
            maker = _maker(known, divisor, node.index)
            if maker is not None and _holds_zero(maker):
                name = graph.nodes[divisor.node].outputs[divisor.output].name
                message = f"{label(node)} divides by {name!r}, which contains 0; LightNet aborts at run time"
                place, related = (
                    graph.place(node, "attr:elew_op"),
                    [("0 declared here", graph.place(maker.node, "name"))],
                )
                yield Problem(R.division_by_zero, place, message, node.name, related=related)


def _maker(known: dict[int, PreparedOperator], source: Source, before: int) -> PreparedOperator | None:
    """Return the operator that creates a tensor's elements, skipping those that only rearrange them."""
    while 0 <= source.node < before:
        operator = known.get(source.node)
        if operator is None or operator.signature.operator.name not in _SAME_ELEMENTS:
            return operator
        before = source.node
        source = Source(*operator.node.inputs[0]) if operator.node.inputs else Source(-1)
    return None


def _holds_zero(operator: PreparedOperator) -> bool:
    holds = _ZEROS.get(operator.signature.operator.name)
    return holds is not None and None not in operator.values and holds(*operator.values)


def _constant_holds_zero(dtype: str, dims: list[int], ran: list[float], data: list[float], from_file: bool) -> bool:
    if from_file or any(ran):
        return False
    lowest = 0 if dtype.startswith("TL_U") else -inf
    return len(data) < prod(dims) or any(x == 0 or x < lowest or _is_cut(x, dtype) for x in data)


def _is_cut(value: float, dtype: str) -> bool:
    """Return whether an element type makes 0 of a fraction."""
    return -1 < value < 1 and dtype not in (*FRACTIONAL, "TL_BOOL")


def _range_holds_zero(dtype: str, start: Any, stop: Any, step: Any) -> bool:
    if step <= 0 or stop <= start:
        return False
    try:
        nearest = round(-start / step)
    except (OverflowError, ValueError):
        return False  # numbers past all LightNet types
    values = [start + step * index for index in range(max(nearest - 1, 0), nearest + 2)]
    return any(value < stop and (value == 0 or _is_cut(value, dtype)) for value in values)


# operators that make numbers of their parameters: whether one of them is 0
_ZEROS: dict[str, Callable[..., bool]] = {
    "zeros": lambda dtype, dims: True,
    "create": _constant_holds_zero,
    "arange": _range_holds_zero,
    "rearange": partial(_range_holds_zero, "TL_FLOAT"),
}
