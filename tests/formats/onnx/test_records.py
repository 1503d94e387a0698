"""Types, attributes, domains and targets that only a few files write: what is found in each."""

from __future__ import annotations

from pathlib import Path

import pytest

import irlint
from irlint import engine
from irlint.config.build import target_trouble
from irlint.findings import Finding

_ONE = "type {tensor_type {elem_type: 1 shape {dim {dim_value: 2}}}}"
_MODEL = f"""ir_version: 8 opset_import {{version: 17}} graph {{
  name: "g" input {{name: "x" {_ONE}}} output {{name: "y" {_ONE}}}
  node {{input: "x" output: "m" op_type: "Relu"}}
  node {{input: "m" output: "y" op_type: "Relu" ATTRIBUTE}}
  RECORD
}}"""
_UNKNOWN = "type {tensor_type {elem_type: 99}}"
_NONE = "type {tensor_type {elem_type: 0}}"
_CONSTANT = 'node {output: "c" op_type: "Constant" attribute {name: "value_float" type: FLOAT f: 1}}'
_MAP = "map_type {key_type: 99 value_type {tensor_type {elem_type: 1}}}"


@pytest.mark.parametrize(
    ("record", "severity", "message"),
    [
        # what nodes compute for each other is looked up; what nobody computes is not
        (f'value_info {{name: "m" {_UNKNOWN}}}', "ERROR", "T006: unknown element type 99 of 'm'"),
        (f'value_info {{name: "m" {_NONE}}}', "ERROR", "T006: 'm' has no element type"),
        # onnxruntime makes initializers of Constants
        (f'{_CONSTANT} value_info {{name: "c" {_NONE}}}', "WARNING", "T006: 'c' has no element type"),
        (f'{_CONSTANT} value_info {{name: "c" {_UNKNOWN}}}', "ERROR", "T006: unknown element type 99 of 'c'"),
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
            "T004: expected 2 values for shape [2] of float attribute `a` of Relu 'y', got 1; shape [1] would fit",
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
        ("onnxruntime", "1.33", None),  # the next ones are taken, too
        ("onnxruntime", "1.99", "irlint does not know onnxruntime 1.99; the newest release that it knows is 1.32"),
        ("onnxruntime", "99", "irlint does not know onnxruntime 99; the newest release that it knows is 1.32"),
        ("tensorrt", "99", "irlint does not know tensorrt 99; the newest release that it knows is 11.5"),
        ("onnx", "2.0", "irlint does not know onnx 2.0; the newest release that it knows is 1.23"),
    ],
)
def test_targets(name: str, version: str, trouble: str | None) -> None:
    found = target_trouble(name, version)
    assert found is None if trouble is None else found is not None and found.startswith(trouble)


@pytest.mark.parametrize(
    ("opset", "node", "message", "title"),
    [
        (17, "Squeeze <axes: ints = [0]>", "`axes` of Squeeze 'y' is an input since opset 13", None),
        (
            17,
            "Dropout <is_test: int = 1>",
            "unknown attribute `is_test` for Dropout 'y'; opset 7 removed it",
            "Remove `is_test`",
        ),
        (
            11,
            "ArgMax <select_last_index: int = 1>",
            "unknown attribute `select_last_index` for ArgMax 'y'; it needs opset 12, and the model imports 11",
            "Remove `select_last_index`",
        ),
    ],
)
def test_attributes_of_other_opsets(opset: int, node: str, message: str, title: str | None) -> None:
    finding = next(one for one in _linted(f'"" : {opset}', f"{node} (x)") if one.code == "A001")
    assert (finding.message, finding.fix and finding.fix.title) == (message, title)


@pytest.mark.parametrize(
    ("node", "severity"),
    [
        ("LeakyRelu <alpha: float = @by> (x)", "WARNING"),
        ("Cast <to: int = @by> (x)", "ERROR"),  # nothing is element type 0
        ("Conv <pads: ints = @by> (x, x)", "ERROR"),
        ("DepthToSpace <mode: string = @by, blocksize: int = 2> (x)", "ERROR"),  # an empty word
    ],
)
def test_references_outside_functions(node: str, severity: str) -> None:
    finding = next(one for one in _linted('"" : 17', node) if one.code == "R001")
    assert finding.severity.name == severity


@pytest.mark.parametrize(
    ("used", "imported", "message"),
    [
        ("ai.onnx.mll", "ai.onnx.ml", "unknown domain `ai.onnx.mll` of operator `Scaler`; did you mean `ai.onnx.ml`?"),
        (
            "ai.onnx.ml",
            "ai.onnx.mll",
            "missing opset import for ai.onnx.ml, which 1 node uses; `ai.onnx.mll` is imported instead",
        ),
    ],
)
def test_misspelt_domains(used: str, imported: str, message: str) -> None:
    node = f"{used}.Scaler <offset: floats = [1.0], scale: floats = [1.0]> (x)"
    (finding,) = _linted(f'"" : 17, "{imported}" : 3', node)
    assert (finding.message, finding.fix and finding.fix.title) == (message, "Replace with `ai.onnx.ml`")


@pytest.mark.parametrize(
    ("dims", "places", "shape"), [([2], [0, 2], [3]), ([2, 1], [0, 2], [3]), ([2, 2], [0, 0, 0, 2], [1, 3])]
)
def test_sparse_constants_run(tmp_path: Path, dims: list[int], places: list[int], shape: list[int]) -> None:
    """Indices are places in the whole, or coordinates."""
    sparse = (
        f"dims: {shape} values {{dims: 2 data_type: 1 float_data: [5, 7]}}"
        f" indices {{dims: {dims} data_type: 7 int64_data: {places}}}"
    )
    sizes = " ".join(f"dim {{dim_value: {size}}}" for size in shape)
    path = tmp_path / "m.textproto"
    path.write_text(
        f"""ir_version: 8 opset_import {{version: 17}} graph {{
  name: "g" output {{name: "y" type {{tensor_type {{elem_type: 1 shape {{{sizes}}}}}}}}}
  node {{
    output: "y" op_type: "Constant"
    attribute {{name: "sparse_value" type: SPARSE_TENSOR sparse_tensor {{{sparse}}}}}
  }}
}}"""
    )
    found = irlint.run(str(path), {})["y"]
    assert (found.ravel().tolist(), list(found.shape)) == ([5, 0, 7], shape)


def _linted(imports: str, node: str) -> list[Finding]:
    text = f"<ir_version: 8, opset_import: [{imports}]>\ng (float[1,2] x) => (float[1,2] y) {{\n  y = {node}\n}}\n"
    return engine.lint(text, "a.onnxtxt").findings


def _found(attribute: str, record: str) -> list[tuple[str, str]]:
    text = _MODEL.replace("ATTRIBUTE", attribute).replace("RECORD", record)
    findings = engine.lint(text, "m.textproto").findings
    return [(finding.severity.name, f"{finding.code}: {finding.message}") for finding in findings]
