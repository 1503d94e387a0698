"""Nodes that onnx has no test of: one of each operator without any, and forms in which exporters write operators."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING


class Case(NamedTuple):
    """What onnx's own cases have."""

    model: onnx.ModelProto
    data_sets: tuple[tuple[list[Any]], ...] = ()


def _tensor(dtype: int, *shape: int) -> onnx.TypeProto:
    return helper.make_tensor_type_proto(dtype, shape)


def _list(dtype: int, *shape: int) -> onnx.TypeProto:
    return helper.make_sequence_type_proto(_tensor(dtype, *shape))


X, INDEX = _tensor(FLOAT, 2, 3), _tensor(INT64)
ML = "ai.onnx.ml"
_LINEAR: dict[str, Any] = {"coefficients": [1.0] * 6, "intercepts": [0.0, 0.0]}
_SVM: dict[str, Any] = {
    "coefficients": [1.0, 1.0],
    "support_vectors": [1.0] * 6,
    "rho": [0.0],
    "kernel_type": "LINEAR",
    "kernel_params": [0.5, 0.0, 3.0],
}
_TREE: dict[str, Any] = {
    "nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2], "nodes_featureids": [0, 0, 0], "nodes_values": [0.5, 0.0, 0.0],
    "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0],
}  # fmt: skip


def _gates(count: int) -> list[Any]:
    """Return the inputs of a recurrent layer as PyTorch writes them: without lengths of sequences, with a first state."""
    weights = [np.zeros((1, 4 * count, length), np.float32) for length in (3, 4)]
    return [_tensor(FLOAT, 2, 1, 3), *weights, np.zeros((1, 8 * count), np.float32), None, _tensor(FLOAT, 1, 1, 4)]


def _body(last: str) -> onnx.GraphProto:
    """Return the body of a loop whose last output is a copy of its last input, `copy`, or that input itself."""
    names = ("step", "go", "sum", "kept")
    types = (INDEX, _tensor(TensorProto.BOOL), X, X)
    ends = zip(("went", "sums", last), types[1:], strict=True)
    nodes = [
        helper.make_node("Identity", ["go"], ["went"]),
        helper.make_node("Add", ["sum", "sum"], ["sums"]),
        helper.make_node("Identity", ["kept"], ["copy"]),
    ]
    sides = ([helper.make_value_info(*one) for one in side] for side in (zip(names, types, strict=True), ends))
    return helper.make_graph(nodes, "body", *sides)


_MAPS = helper.make_sequence_type_proto(helper.make_map_type_proto(INT64, helper.make_tensor_type_proto(FLOAT, ())))
_STATES = [_tensor(FLOAT, 2, 1, 1, 4), _tensor(FLOAT, 1, 1, 4)]

# Inputs are types, values, or absent
_ROWS: tuple[tuple[str, str, list[Any], list[onnx.TypeProto], dict[str, Any]], ...] = (
    ("", "DFT", [_tensor(FLOAT, 1, 10, 10, 1), np.array(10), np.array(1)], [_tensor(FLOAT, 1, 6, 10, 2)], {"onesided": 1}),
    ("", "STFT", [_tensor(FLOAT, 1, 128, 1), np.array(8), np.ones(16, np.float32), np.array(16)], [_tensor(FLOAT, 1, 15, 9, 2)], {"onesided": 1}),
    ("", "QuantizeLinear", [_tensor(FLOAT, 1, 3, 4, 4), np.array(0.5, np.float32), np.array(3, np.uint8)], [_tensor(TensorProto.UINT8, 1, 3, 4, 4)], {}),
    ("", "DequantizeLinear", [_tensor(TensorProto.UINT8, 1, 3, 4, 4), np.array(0.5, np.float32), np.array(3, np.uint8)], [_tensor(FLOAT, 1, 3, 4, 4)], {}),
    ("", "QuantizeLinear", [_tensor(FLOAT, 1, 3, 4, 4), np.array([0.5], np.float32), np.array([3], np.uint8)], [_tensor(TensorProto.UINT8, 1, 3, 4, 4)], {}),
    ("", "DequantizeLinear", [_tensor(TensorProto.UINT8, 1, 3, 4, 4), np.array([0.5], np.float32), np.array([3], np.uint8)], [_tensor(FLOAT, 1, 3, 4, 4)], {}),
    ("", "GroupNormalization", [_tensor(FLOAT, 1, 4, 2, 2), *[np.ones(4, np.float32)] * 2], [_tensor(FLOAT, 1, 4, 2, 2)], {"num_groups": 4}),
    ("", "LSTM", [*_gates(4), _tensor(FLOAT, 1, 1, 4)], [*_STATES, _tensor(FLOAT, 1, 1, 4)], {"hidden_size": 4}),
    ("", "GRU", _gates(3), _STATES, {"hidden_size": 4, "linear_before_reset": 1}),
    ("", "RNN", _gates(1), _STATES, {"hidden_size": 4, "activations": ["Tanh"]}),
    ("", "Loop", [np.array(2), np.array(True), X, X], [X, X], {"body": _body("copy")}),
    ("", "Loop", [np.array(2), np.array(True), X, X], [X, X], {"body": _body("kept")}),
    ("", "ConcatFromSequence", [_list(FLOAT, 2, 3)], [_tensor(FLOAT, 2, "n")], {"axis": 1}),
    ("", "GlobalLpPool", [_tensor(FLOAT, 1, 2, 4, 4)], [_tensor(FLOAT, 1, 2, 1, 1)], {}),
    ("", "MaxRoiPool", [_tensor(FLOAT, 1, 2, 4, 4), _tensor(FLOAT, 1, 5)], [_tensor(FLOAT, 1, 2, 2, 2)], {"pooled_shape": [2, 2]}),
    ("", "Multinomial", [X], [_tensor(TensorProto.INT32, 2, 1)], {}),
    ("", "RandomNormal", [], [X], {"shape": [2, 3]}),
    ("", "RandomUniform", [], [X], {"shape": [2, 3]}),
    ("", "RandomNormalLike", [X], [X], {}),
    ("", "RandomUniformLike", [X], [X], {}),
    ("", "SequenceAt", [_list(FLOAT, 2, 3), INDEX], [X], {}),
    ("", "SequenceConstruct", [X, X], [_list(FLOAT, 2, 3)], {}),
    ("", "SequenceEmpty", [], [helper.make_sequence_type_proto(helper.make_tensor_type_proto(FLOAT, None))], {}),
    ("", "SequenceErase", [_list(FLOAT, 2, 3), INDEX], [_list(FLOAT, 2, 3)], {}),
    ("", "SequenceLength", [_list(FLOAT, 2, 3)], [INDEX], {}),
    ("", "Optional", [X], [helper.make_optional_type_proto(X)], {}),
    (ML, "CategoryMapper", [_tensor(INT64, 2, 3)], [_tensor(STRING, 2, 3)], {"cats_int64s": [1, 2], "cats_strings": ["a", "b"]}),
    (ML, "FeatureVectorizer", [X, X], [_tensor(FLOAT, 2, 6)], {"inputdimensions": [3, 3]}),
    (ML, "Imputer", [X], [X], {"imputed_value_floats": [0.0]}),
    (ML, "LinearClassifier", [X], [_tensor(INT64, 2), _tensor(FLOAT, 2, 2)], {**_LINEAR, "classlabels_ints": [0, 1]}),
    (ML, "LinearRegressor", [X], [_tensor(FLOAT, 2, 1)], {"coefficients": [1.0] * 3, "intercepts": [0.0]}),
    (ML, "Normalizer", [X], [X], {"norm": "L2"}),
    (ML, "OneHotEncoder", [_tensor(INT64, 2)], [_tensor(FLOAT, 2, 2)], {"cats_int64s": [0, 1]}),
    (ML, "SVMClassifier", [X], [_tensor(INT64, 2), _tensor(FLOAT, 2, 2)], {**_SVM, "classlabels_ints": [0, 1], "vectors_per_class": [1, 1]}),
    (ML, "SVMRegressor", [X], [_tensor(FLOAT, 2, 1)], {**_SVM, "n_supports": 2}),
    (ML, "TreeEnsembleClassifier", [X], [_tensor(INT64, 2), _tensor(FLOAT, 2, 2)], {**_TREE, "classlabels_int64s": [0, 1], "class_ids": [0, 1], "class_nodeids": [1, 2], "class_treeids": [0, 0], "class_weights": [1.0, 1.0]}),
    (ML, "TreeEnsembleRegressor", [X], [_tensor(FLOAT, 2, 1)], {**_TREE, "n_targets": 1, "target_ids": [0, 0], "target_nodeids": [1, 2], "target_treeids": [0, 0], "target_weights": [1.0, 2.0]}),
    (ML, "ZipMap", [_tensor(FLOAT, 2, 3)], [_MAPS], {"classlabels_int64s": [0, 1, 2]}),
    (ML, "Scaler", [X], [X], {"offset": [0.0], "scale": [1.0]}),
)  # fmt: skip


def _case(domain: str, op: str, inputs: list[Any], outputs: list[Any], attributes: dict[str, Any]) -> Case:
    names = ["" if one is None else f"x{k}" for k, one in enumerate(inputs)], [f"y{k}" for k in range(len(outputs))]
    node = helper.make_node(op, *names, domain=domain, **attributes)
    known = [one for one in inputs if one is not None]
    values = [one if isinstance(one, np.ndarray) else None for one in known]
    types = [one if value is None else _type_of(value) for one, value in zip(known, values, strict=True)]
    ends = (
        [helper.make_value_info(*pair) for pair in zip(filter(None, side), some, strict=False)]
        for side, some in zip(names, (types, outputs), strict=False)
    )
    return Case(helper.make_model(helper.make_graph([node], "g", *ends)), ((values,),))


def _type_of(value: Any) -> onnx.TypeProto:
    return _tensor(numpy_helper.from_array(value).data_type, *value.shape)


UNTESTED = [_case(*row) for row in _ROWS]
