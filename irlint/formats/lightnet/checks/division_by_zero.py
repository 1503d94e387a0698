"""A101 division-by-zero."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from irlint.findings import Problem
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.shapes.infer import PreparedOperator
from irlint.graph import Source, label
from irlint.rules.base import Example, Model, Rule

_DIVIDE = """\
{"ops": [
  {"name": "za", "optype": "arange", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "start", "value": 1},
              {"arg_name": "stop", "value": 4}, {"arg_name": "step", "value": 1}]},
  {"name": "zb", "optype": "arange", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "b"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "start", "value": 1},
              {"arg_name": "stop" , "value": 4}, {"arg_name": "step", "value": 1}]},
  {"name": "ratio", "optype": "elew",
   "tensors_in": [{"arg_name": "src1", "name": "a"}, {"arg_name": "src2", "name": "b"}],
   "tensors_out": [{"arg_name": "dst", "name": "c"}], "params": [{"arg_name": "elew_op", "value": "TL_DIV"}]},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "c"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "c"}]}
]}
"""

_SAME_ELEMENTS = frozenset({"reshape", "forward", "transpose"})


class DivisionByZero(Rule):
    """
    What it does
        Checks for divisions by a constant that contains a zero.

    Why is this bad
        LightNet aborts with a failed assertion at run time, for floating-point numbers as well as for integers. A
        fraction in the data of an integer tensor also becomes 0.

    Example
        `TL_DIV` by a tensor that `create` fills with `[4, 2, 0]`.

    Use instead
        A divisor without zeros.
    """

    row = R.division_by_zero
    formats = ("lightnet",)
    valid = (Example(_DIVIDE, "lightnet"),)
    invalid = (
        Example(
            _DIVIDE.replace(
                '"start", "value": 1},\n              {"arg_name": "stop" , "value": 4}',
                '"start", "value": 0},\n              {"arg_name": "stop" , "value": 3}',
            ),
            "lightnet",
            '"TL_DIV"',
        ),
    )

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        graph, by_op = model.graph, state_of(model).by_op
        divisions = [
            n for op in by_op if op.partition("_")[0] == "elew" for n in by_op[op] if n.attrs.get("elew_op") == "TL_DIV"
        ]
        if not divisions:
            return
        known = {p.node.index: p for p in state_of(model).prepared}
        for node in divisions:
            operator = known.get(node.index)
            if operator is None:
                continue
            k = operator.inputs[1] if operator.inputs else 1
            if k < 0:
                continue
            maker = _maker(known, Source(*node.inputs[k]), node.index)
            if maker is not None and _holds_zero(maker):
                divisor = graph.nodes[node.inputs[k][0]].outputs[node.inputs[k][1]].name
                message = f"{label(node)} divides by {divisor!r}, which contains 0; LightNet aborts at run time"
                related = [("0 declared here", graph.place(maker.node, "name"))]
                yield Problem(
                    R.division_by_zero, graph.place(node, "attr:elew_op"), message, node.name, related=related
                )


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
    name = operator.signature.operator.name
    if None in operator.values:
        return False
    if name == "zeros":
        return True
    if name == "create":
        return _constant_holds_zero(*operator.values)
    if name in ("arange", "rearange"):
        dtype = operator.values[0] if name == "arange" else "TL_FLOAT"
        start, stop, step = operator.values[-3:]
        return _range_holds_zero(dtype, start, stop, step)
    return False


def _constant_holds_zero(dtype: str, dims: list[int], ran: list[float], data: list[float], from_file: bool) -> bool:
    if from_file or any(ran):
        return False
    if len(data) < prod(dims):
        return True
    whole = dtype not in ("TL_FLOAT", "TL_DOUBLE", "TL_BOOL")
    low = 0 if dtype.startswith("TL_U") else None
    return any(x == 0 or (whole and -1 < x < 1) or (low is not None and x < low) for x in data)


def _range_holds_zero(dtype: str, start: Any, stop: Any, step: Any) -> bool:
    if step <= 0 or stop <= start:
        return False
    whole = dtype not in ("TL_FLOAT", "TL_DOUBLE", "TL_BOOL")
    try:
        nearest = round(-start / step)
    except (OverflowError, ValueError):
        return False  # numbers past all LightNet types
    for index in (nearest - 1, nearest, nearest + 1):
        value = start + step * index
        if index >= 0 and value < stop and (value == 0 or (whole and -1 < value < 1)):
            return True
    return False
