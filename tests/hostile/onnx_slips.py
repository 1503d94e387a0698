"""ONNX models in protobuf's text forms with the same slip of syntax in each node."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.hostile.family import Family
from tests.hostile.onnx_nodes import nodes
from tests.hostile.onnx_trees import as_json, model, prototext

FAMILIES: dict[str, Family] = {}

_JSON = {
    "misspelt key": ('"opType"', '"opTyp"'),
    "unknown key": ('"opType"', '"own": 1, "opType"'),
    "number for a text": ('"LeakyRelu"', "5"),
    "list for a text": ('"LeakyRelu"', '["LeakyRelu"]'),
    "text for a list": ('"input": [', '"doc": ['),
    "word for a number": ('"f": 0.5', '"f": "x"'),
    "missing comma": (', "opType"', ' "opType"'),
    "missing quote": ('"LeakyRelu"', '"LeakyRelu'),
    "missing colon": ('"opType":', '"opType"'),
    "comma too many": ('"LeakyRelu",', '"LeakyRelu",,'),
    "key without quotes": ('"opType"', "opType"),
    "single quotes": ('"LeakyRelu"', "'LeakyRelu'"),
    "key twice": ('"opType"', '"opType": "Relu", "opType"'),
    "missing bracket": ('"attribute": [{', '"attribute": [{['),
    "comment": ('"opType"', '/* x */ "opType"'),
}
_PROTOTEXT = {
    "misspelt field": ("op_type", "op_typ"),
    "unknown field": ('op_type: "LeakyRelu"', 'op_type: "LeakyRelu" own: 1'),
    "unknown message": ('op_type: "LeakyRelu"', 'op_type: "LeakyRelu" own { a: 1 }'),
    "missing colon": ("op_type:", "op_type"),
    "number for a text": ('"LeakyRelu"', "5"),
    "word for a number": ("f: 0.5", "f: x"),
    "misspelt name of a type": ("type: 1", "type: FLAOT"),
    "field twice": ("op_type:", 'op_type: "Relu" op_type:'),
    "missing brace": ("attribute {", "attribute"),
    "missing quote": ('"LeakyRelu"', '"LeakyRelu'),
    "odd escape": ('"LeakyRelu"', '"Leaky\\qRelu"'),
    "separators": ("op_type:", ";;op_type:"),
    "message that does not end": (" }\n", "\n"),
    "brace too many": (" }\n", " } }\n"),
}


def _text(write: Callable[..., str], old: str, new: str, count: int) -> str:
    return write(model(node=nodes(count))).replace(old, new)


for _name, (_old, _new) in _JSON.items():
    FAMILIES[f"onnx json, each node: {_name}"] = Family("onnx", partial(_text, as_json, _old, _new), 300)
for _name, (_old, _new) in _PROTOTEXT.items():
    FAMILIES[f"onnx prototext, each node: {_name}"] = Family("onnx", partial(_text, prototext, _old, _new), 300)


def _words(count: int) -> str:
    tensor = f'initializer {{ dims: {count} data_type: 1 name: "w" {"float_data: x " * count}}}'
    return f"ir_version: 8\nopset_import {{ version: 17 }}\ngraph {{\n{tensor}\n}}\n"


FAMILIES["onnx prototext, words for the numbers of a tensor"] = Family("onnx", _words, 1000)
