"""Small IRs of the operations that formats/openvino/operations.json lacks: those with bodies, and those with variables.

The newest release builds and saves them: numbers of ports and maps are its own. What is asked about is named op.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import openvino as ov
from openvino import opset1, opset3, opset5, opset6, opset8
from openvino.op import Parameter

_TYPES = ("f32", "f16", "bf16", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "boolean", "string")
_SHAPE = [2, 3]
Build = Callable[[str, bool], Any]


def every() -> Iterator[tuple[str, tuple[bytes, bytes]]]:
    """Yield the models of each operation, with each type, of fixed and open lengths."""
    for key, build in BUILDERS.items():
        for type_ in _TYPES:
            for is_open in (False, True):
                try:
                    yield key, _saved(build(type_, is_open))
                except (RuntimeError, TypeError):  # it does not have this type
                    continue


def _saved(model: Any) -> tuple[bytes, bytes]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m.xml"
        ov.serialize(model, str(path), str(path.with_suffix(".bin")))
        return path.read_bytes(), path.with_suffix(".bin").read_bytes()


def _parameter(type_: str, is_open: bool = False) -> Any:
    return Parameter(getattr(ov.Type, type_), ov.PartialShape([-1] * len(_SHAPE) if is_open else _SHAPE))


def _body(type_: str, is_open: bool) -> Any:
    parameter = _parameter(type_, is_open)
    return ov.Model([opset1.result(opset1.unsqueeze(parameter, np.int64(0)))], [parameter], "body")


def _branches(type_: str, is_open: bool) -> Any:
    condition, data = Parameter(ov.Type.boolean, ov.PartialShape([])), _parameter(type_, is_open)
    node = opset8.if_op(condition)
    bodies = [_body(type_, is_open) for _ in range(2)]
    node.set_then_body(bodies[0])
    node.set_else_body(bodies[1])
    node.set_input(data.output(0), bodies[0].get_parameters()[0], bodies[1].get_parameters()[0])
    made = node.set_output(bodies[0].get_results()[0], bodies[1].get_results()[0])
    return _model(node, made, [condition, data])


def _loop(type_: str, is_open: bool) -> Any:
    state, data = _parameter(type_, is_open), _parameter(type_, is_open)
    next_state = opset1.concat([opset1.split(state, np.int64(1), 3).output(k) for k in (1, 2, 0)], 1)
    body = ov.Model([opset1.result(opset1.constant(np.array(True))), opset1.result(next_state)], [state], "body")
    node = opset5.loop(opset1.constant(np.int64(2)), opset1.constant(np.array(True)))
    node.set_function(body)
    node.set_special_body_ports([-1, 0])
    node.set_merged_input(state, data.output(0), body.get_results()[1].output(0))
    return _model(node, node.get_iter_value(body.get_results()[1].output(0), -1), [data])


def _iterator(type_: str, is_open: bool) -> Any:
    part, data = (
        Parameter(getattr(ov.Type, type_), ov.PartialShape([1, -1 if is_open else 3])),
        _parameter(type_, is_open),
    )
    made = opset1.concat([opset1.split(part, np.int64(1), 3).output(k) for k in (1, 2, 0)], 1)
    body = ov.Model([opset1.result(made)], [part], "body")
    node = opset1.tensor_iterator()
    node.set_body(body)
    node.set_sliced_input(part, data.output(0), 0, 1, 1, -1, 0)
    return _model(node, node.get_concatenated_slices(body.get_results()[0].output(0), 0, 1, 1, -1, 0), [data])


def _variable(type_: str, is_open: bool, opset: Any, asked: str) -> Any:
    data = _parameter(type_, is_open)
    read = opset.read_value(data, "v")
    sum_ = opset1.concat([read, data], 0)
    written = opset.assign(read if not is_open else sum_, "v")
    {"ReadValue": read, "Assign": written}[asked].set_friendly_name("op")
    return ov.Model([opset1.result(sum_)], [written], [data], "m")


def _model(node: Any, made: Any, parameters: list[Any]) -> Any:
    node.set_friendly_name("op")
    return ov.Model([opset1.result(made)], parameters, "m")


def _of(opset: Any, asked: str) -> Build:
    return lambda type_, is_open: _variable(type_, is_open, opset, asked)


BUILDERS: dict[str, Build] = {
    "opset8.If": _branches,
    "opset5.Loop": _loop,
    "opset1.TensorIterator": _iterator,
    "opset3.ReadValue": _of(opset3, "ReadValue"),
    "opset6.ReadValue": _of(opset6, "ReadValue"),
    "opset3.Assign": _of(opset3, "Assign"),
    "opset6.Assign": _of(opset6, "Assign"),
}
