"""Cases of rules about code that a Keras model brings."""

from __future__ import annotations

import json
from typing import Any

from rule_cases.base import Case, Cases

_INPUT = {"module": "keras.layers", "class_name": "InputLayer", "config": {"batch_shape": [None, 8], "name": "image"}}


def _model(*layers: dict[str, Any]) -> str:
    listed = [{"registered_name": None, **layer} for layer in (_INPUT, *layers)]
    config = {"name": "net", "layers": listed}
    value = {"module": "keras", "class_name": "Sequential", "registered_name": None, "config": config}
    return json.dumps(value, indent=1) + "\n"


_DENSE = {"module": "keras.layers", "class_name": "Dense", "config": {"name": "hidden", "units": 4}}
_GATE = {"module": "my_layers", "class_name": "Gate", "config": {"name": "gate"}, "registered_name": "Gate"}
_HALF = {"module": "keras.layers", "class_name": "TFSMLayer", "config": {"name": "half", "filepath": "saved"}}


class ForeignClass(Cases):
    valid = (Case(_model(_DENSE), "keras"),)
    invalid = (Case(_model(_GATE), "keras", '"my_layers"'),)


class CodeInModel(Cases):
    valid = (Case(_model(_DENSE), "keras"),)
    invalid = (Case(_model(_HALF), "keras", '"TFSMLayer"'),)
