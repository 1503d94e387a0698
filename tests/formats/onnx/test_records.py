"""Types, attributes and targets that only a few files write: what is found in each."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.config.build import target_trouble

_ONE = "type {tensor_type {elem_type: 1 shape {dim {dim_value: 2}}}}"
_MODEL = f"""ir_version: 8 opset_import {{version: 17}} graph {{
  name: "g" input {{name: "x" {_ONE}}} output {{name: "y" {_ONE}}}
  node {{input: "x" output: "m" op_type: "Relu"}}
  node {{input: "m" output: "y" op_type: "Relu" ATTRIBUTE}}
  RECORD
}}"""
_UNKNOWN = "type {tensor_type {elem_type: 99}}"
_MAP = "map_type {key_type: 99 value_type {tensor_type {elem_type: 1}}}"


@pytest.mark.parametrize(
    ("record", "severity", "message"),
    [
        # what nodes compute for each other is looked up; what nobody computes is not
        (f'value_info {{name: "m" {_UNKNOWN}}}', "ERROR", "T006: unknown element type 99 of 'm'"),
        (f'value_info {{name: "zz" {_UNKNOWN}}}', "WARNING", "T006: unknown element type 99 of 'zz'"),
        (f'input {{name: "z" type {{{_MAP}}}}}', "ERROR", "T006: unknown element type 99 of 'z'"),
        ('input {name: "z" type {tensor_type {shape {}}}}', "ERROR", "T002: input 'z' has no element type"),
    ],
)
def test_declared_types(record: str, severity: str, message: str) -> None:
    assert (severity, message) in _found("", record)


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("type: TENSOR", "T002: attribute `a` of Relu 'y' has no value"),
        (
            "type: TENSORS tensors {dims: 2 data_type: 1 float_data: 1}",
            "T004: expected 2 values for shape [2] of float attribute `a` of Relu 'y', got 1",
        ),
        (
            "type: SPARSE_TENSOR sparse_tensor {dims: 3 values {dims: 2 data_type: 1 float_data: [1, 2]}"
            " indices {dims: 2 data_type: 6 int32_data: [0, 1]}}",
            "T001: expected indices of type int64 for attribute `a` of Relu 'y', got int32",
        ),
    ],
)
def test_attributes(attribute: str, message: str) -> None:
    assert ("ERROR", message) in _found(f'attribute {{name: "a" {attribute}}}', "")


@pytest.mark.parametrize(
    ("name", "version", "trouble"),
    [
        ("opset", "13", None),
        ("onnx", "1.17", None),
        ("onnxruntime", "1.17", None),
        ("opset", "x", "expected an opset from 1 to "),
        ("onnx", "x", "expected a release such as 1.17, got `x`"),
        ("onnx", "1.2.3.4.5", "expected a release such as 1.17, got `1.2.3.4.5`"),
        ("onnx", "0.1", "irlint does not know onnx 0.1"),
    ],
)
def test_targets(name: str, version: str, trouble: str | None) -> None:
    found = target_trouble(name, version)
    assert found is None if trouble is None else found is not None and found.startswith(trouble)


def _found(attribute: str, record: str) -> list[tuple[str, str]]:
    text = _MODEL.replace("ATTRIBUTE", attribute).replace("RECORD", record)
    findings = engine.lint(text, "m.textproto").findings
    return [(finding.severity.name, f"{finding.code}: {finding.message}") for finding in findings]
