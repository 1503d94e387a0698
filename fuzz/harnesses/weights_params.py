"""Parameter files beside a symbol or a compiled graph: read, held against the model, and run with."""

from __future__ import annotations

from fuzz import seeds as made
from fuzz.weights import beside
from irlint.formats.nnvm.samples import SYMBOL, TVM_GRAPH


def seeds() -> list[bytes]:
    return [*made.mxnet_params(), *made.tvm_params(), *made.archives()]


def check(data: bytes) -> None:
    beside("net-symbol.json", SYMBOL, "net-0000.params", data)
    beside("net.json", TVM_GRAPH, "net.params", data)
