"""Element types that attributes choose for outputs.

onnx's inference (full_check, 1.23.2) refuses those that the operator's version does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.opsets import types_of, version, versions
from irlint.formats.onnx.read import value_of
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.wire.messages import DTYPES
from irlint.formats.onnx.wire.reader import Tree
from irlint.operators import Operator
from irlint.text.base import Path, Place

_CHOOSING = ("dtype", "output_datatype", "output_dtype", "to", "value")


def output_type_problems(call: Tree, path: Path, operator: Operator, who: str, name: str) -> Iterator[Problem]:
    if not operator.outputs:
        return
    parameter = str(operator.outputs[0].facts.get("type", ""))
    if any(port.facts.get("type") == parameter for port in operator.inputs):
        return  # inputs choose it
    for j, attribute in enumerate(call.get("attribute", ())):
        key = attribute.get("name", "")
        if key not in _CHOOSING or key not in operator.attributes:
            continue
        kind = _chosen(value_of(attribute))
        allowed = types_of(operator.name, parameter)
        if kind is None or kind in allowed or all("(" in one for one in allowed):
            continue
        op = call["op_type"]
        later = [
            since
            for since in versions(op)
            if (record := version(op, "", since))
            and kind in types_of(record.name, str(record.outputs[0].facts["type"]))
        ]
        message = f"`{key}` of {who} cannot be {kind}"
        if later:
            message = f"{message} before opset {later[0]}"
        yield Problem(R.dtype_mismatch, Place((*path, "attribute", j, "value")), message, name)
        return


def _chosen(value: Any) -> str | None:
    """Return the element type of an attribute: that of a tensor, or the one of that number."""
    if isinstance(value, TensorData):
        return value.dtype
    return DTYPES.get(value) if type(value) is int else None
