"""Small valid files with changes: what the cases of rules and other tests are made of."""

from __future__ import annotations

import json
from typing import Any

from irlint.formats.lightnet.samples import LIGHTNET, POOL
from irlint.formats.ncnn.samples import NETWORK
from irlint.formats.nnvm.samples import SYMBOL, TVM_GRAPH
from irlint.formats.onnx.samples import ONNX, PROTOTEXT
from irlint.formats.openvino.samples import OPENVINO
from irlint.formats.pnnx.samples import GRAPH

__all__ = [
    "GRAPH",
    "LIGHTNET",
    "NETWORK",
    "ONNX",
    "OPENVINO",
    "POOL",
    "PROTOTEXT",
    "READS_IMAGE",
    "READS_SPARE",
    "SYMBOL",
    "TVM_GRAPH",
    "changed",
    "lightnet",
    "misread",
    "network",
    "onnx",
    "openvino",
    "prototext",
    "symbol",
    "tvm",
]


def onnx(*changes: tuple[str, str]) -> str:
    return changed(ONNX, *changes)


def prototext(*changes: tuple[str, str]) -> str:
    return changed(PROTOTEXT, *changes)


def changed(text: str, *changes: tuple[str, str]) -> str:
    """Return the text with each first string, which has to occur once, replaced by the second."""
    for old, new in changes:
        if text.count(old) != 1:
            raise ValueError(f"expected {old!r} once in the sample, found it {text.count(old)} times")
        text = text.replace(old, new)
    return text


def lightnet(*changes: tuple[str, str]) -> str:
    return changed(LIGHTNET, *changes)


READS_IMAGE, READS_SPARE = (f'{{"arg_name": "src", "name": "{name}"}}' for name in ("image", "spare"))


def misread(optype: str, *params: tuple[str, Any]) -> str:
    """Return a model whose operator 'cut' uses 'image', of rank 2, while 'spare', of rank 4, is unused."""
    given = ", ".join(json.dumps({"arg_name": name, "value": value}) for name, value in params)
    return lightnet(
        ('    {\n      "name": "cut", "optype": "slice"', f'{_SPARE}    {{\n      "name": "cut", "optype": "{optype}"'),
        ('{"arg_name": "axis", "value": 1}, {"arg_name": "start", "value": 0}, {"arg_name": "len", "value": 2}', given),
    )


_SPARE = """\
    {
      "name": "more", "optype": "zeros", "tensors_in": [],
      "tensors_out": [{"arg_name": "dst", "name": "spare"}],  // irlint: ignore[G002]
      "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [1, 1, 8, 8]}]
    },
    {
      "name": "look", "optype": "print", "tensors_in": [{"name": "image", "arg_name": "src"}], "tensors_out": [],
      "params": [{"arg_name": "msg", "value": "image:"}]
    },
"""


def symbol(*changes: tuple[str, str]) -> str:
    return changed(SYMBOL, *changes)


def tvm(*changes: tuple[str, str]) -> str:
    return changed(TVM_GRAPH, *changes)


def openvino(*changes: tuple[str, str]) -> str:
    return changed(OPENVINO, *changes)


def network(*changes: tuple[str, str]) -> str:
    """Return the list of layers with the first of each string replaced."""
    text = NETWORK
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
