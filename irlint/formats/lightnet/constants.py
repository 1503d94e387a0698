"""What `create` puts into a tensor: whether its numbers fit the shape and the type, and whether they count at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from irlint.checks.fault import writing
from irlint.findings import Problem, Severity
from irlint.formats.lightnet.reading.c_values import FRACTIONAL, RANGES
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import PreparedOperator, shown
from irlint.formats.lightnet.shapes.infer import Types
from irlint.graph import Graph, label
from irlint.text.base import Place
from irlint.text.words import count


def constant_problems(graph: Graph, prepared: Sequence[PreparedOperator], types: Types) -> Iterator[Problem]:
    for operator in prepared:
        if operator.signature.operator.name == "create":
            yield from _problems(graph, operator, types)


def _problems(graph: Graph, operator: PreparedOperator, types: Types) -> Iterator[Problem]:
    (dtype, _, ran, data, from_file), node = operator.values, operator.node
    if None in (ran, data, from_file) or data == [0] or ran[0] > ran[1]:
        return
    place = graph.place(node, "attr:data")
    if from_file or any(ran):
        source = "the weight file (`from_file`)" if from_file else f"random numbers (`ran` is {ran})"
        message = f"`data` of {label(node)} has no effect; LightNet uses {source}"
        yield Problem(R.ignored_attribute, place, message, node.name)
        return
    dims = types[node.index][0].dims if node.outputs else None
    if dims is not None:
        yield from _count_problems(operator, place, data, dims)
    if dtype not in (None, "TL_BOOL"):  # nonzero numbers become 1
        yield from _range_problems(operator, place, data, dtype)


def _count_problems(
    operator: PreparedOperator, place: Place, data: list[Any], dims: Sequence[int]
) -> Iterator[Problem]:
    node, room = operator.node, prod(dims)
    expected = f"expected {count(room, 'number')} for `data` of {label(node)} {shown(dims)}, got {len(data)}"
    if len(data) > room:
        message = f"{expected}; LightNet overwrites other memory with the rest"
        yield Problem(R.element_count_mismatch, Place((*place.path, room)), message, node.name)
    elif len(data) < room:
        rest = "LightNet leaves the rest 0" + (" (only `[0]` fills a tensor)" if len(data) == 1 else "")
        message = f"{expected}; {rest}"
        yield Problem(R.element_count_mismatch, place, message, node.name, severity=Severity.WARNING)


def _range_problems(operator: PreparedOperator, place: Place, data: list[Any], dtype: str) -> Iterator[Problem]:
    """Report the first number that the element type cannot hold."""
    low, high = RANGES[dtype]
    whole = dtype not in FRACTIONAL
    if low <= min(data) and max(data) <= high and not (whole and float in set(map(type, data))):
        return

    def held(value: Any) -> Any:
        inside = min(max(value, low), high)
        return int(inside) if whole else inside

    lossy = [k for k, x in enumerate(data) if x == x and x != held(x)]
    if lossy:
        value, at = data[lossy[0]], Place((*place.path, lossy[0]))
        more = f" (and {count(len(lossy) - 1, 'more number')})" if len(lossy) > 1 else ""
        message = (
            f"{value} in `data` of {label(operator.node)} does not fit {dtype}{more}; LightNet reads {held(value):g}"
        )
        yield Problem(R.lossy_number, at, message, operator.node.name, writing(at, held(value)))
