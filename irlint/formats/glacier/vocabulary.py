"""Whose operator names a listing or events use: Relay's, another format's (its flat view), or canonical ones; how many inputs the
operators take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from math import inf
from typing import Any

from irlint.graph import NOWHERE, Node
from irlint.operators import Operator, OperatorTable, Port, bounds, table
from irlint.tools.installed import load_json

TITLES = {
    "relay": "Relay", "openvino": "OpenVINO", "nnvm": "NNVM", "mxnet": "MXNet", "lightnet": "LightNet", "onnx": "ONNX",
    "ncnn": "ncnn", "pnnx": "pnnx",
}  # fmt: skip
_OTHERS = tuple(TITLES)[1:]

# Layer types of OpenVINO IR 1 to 7 that no opset has
_LAYERS = (
    "Activation ArgMax BatchNormalization BinaryConvolution Copy Crop Deconvolution Eltwise Fill Flatten FullyConnected "
    "Interp Memory Norm Permute Power Quantize RNN Resample ScaleShift Shape SimplerNMS Slice SpatialTransformer"
)

Bounds = tuple[int, int | None]


def vocabulary(names: Iterable[str]) -> OperatorTable:
    """The table that knows these operators best; Relay's unless another one knows two more, or alone knows names like these."""
    relay, distinct = table("relay"), set(names)
    strange = {name for name in distinct if name not in relay}
    if not strange:
        return relay
    known = {other: sum(name in operators_of(other) for name in distinct) for other in _OTHERS}
    best = max(_OTHERS, key=known.__getitem__)
    more = known[best] - (len(distinct) - len(strange))
    alone = known[best] == len(distinct) == len(strange) and not all(map(str.islower, strange))  # as Relay's names are
    return operators_of(best) if more > 1 or alone else relay


@cache
def operators_of(other: str) -> OperatorTable:
    """The operators of a format by the names that its flat view shows: those of OpenVINO and ONNX without their versions."""
    names = _NAMES.get(other)
    return table(other) if names is None else OperatorTable(other, {"operators": {name: {} for name in names()}})


def _of_openvino() -> Iterator[str]:
    opsets = load_json("openvino-opsets.json")
    yield from (*opsets["types"], *opsets["aliases"], *_LAYERS.split())
    for by_table in _canonical().values():
        for entry in by_table.get("openvino", ()):
            yield entry if isinstance(entry, str) else entry["op"]


def _of_onnx() -> Iterator[str]:
    for name in table("onnx").raw["versions"]:
        yield from (name, name.rpartition(".")[2])


_NAMES = {"openvino": _of_openvino, "onnx": _of_onnx}


def origin(name: str) -> str | None:
    """The other format that has an operator of exactly this name."""
    return next((TITLES[other] for other in _OTHERS if name in operators_of(other)), None)


def is_known(name: str) -> bool:
    """Return whether Relay or another format has an operator of this name; those of a neural network may be misspelt."""
    return name.startswith(("nn.", "qnn.")) or name in table("relay") or is_canonical(name) or origin(name) is not None


def is_canonical(name: str) -> bool:
    return name in _canonical()


def inputs_of(operator: Operator, operators: OperatorTable) -> tuple[Port, ...]:
    """Return the inputs that an operator takes as far as a listing shows: any number where the table says nothing. A listing has
    neither attributes nor versions, on which some inputs depend."""
    ports = tuple(Port(port.name, port.kind) for port in operator.inputs)
    return ports if ports or operators.name == "relay" else (Port("", "variadic0"),)


def odd_calls(nodes: Iterable[Node], operators: OperatorTable) -> Iterator[Node]:
    """Yield the calls of which there may be something to report. What operators take is looked up once for each."""
    takes: dict[str, tuple[float, float]] = {}
    for node in nodes:
        if node.kind == "call":
            least, most = takes.get(node.op) or takes.setdefault(node.op, _takes(node.op, operators))
            inputs = node.inputs
            if not least <= len(inputs) <= most or max(inputs, default=NOWHERE)[0] > node.index:
                yield node


def _takes(op: str, operators: OperatorTable) -> tuple[float, float]:
    """Return the least and the greatest number of inputs; of an operator that is unknown, no number is right."""
    operator = operators.get(op)
    if operator is None:
        return inf, 0
    least, most = bounds(inputs_of(operator, operators))
    return least, inf if most is None else most


@cache
def canonical_bounds(name: str) -> Bounds:
    """How many inputs the operators have that go by one canonical name: what is an attribute of one is an input of another."""
    found = []
    for other, entries in ({"relay": [name]} | _canonical().get(name, {})).items():
        for entry in entries:
            word = entry if isinstance(entry, str) else entry["op"]
            known = _versions(word) if other == "openvino" else [table(other).get(word)]
            found += [bounds(inputs_of(one, table(other))) if one else (0, None) for one in known]
    highs = [most for _, most in found if most is not None]
    return min((least for least, _ in found), default=0), max(highs, default=0) if len(highs) == len(found) else None


def _versions(name: str) -> list[Operator | None]:
    """An OpenVINO operator in all its opsets; None for one older than those, whose inputs nothing here tells."""
    known = table("openvino")
    return [known.get(key) for key in known.names if key.partition(".")[2] == name] or [None]


@cache
def _canonical() -> dict[str, dict[str, list[Any]]]:
    found: dict[str, dict[str, list[Any]]] = load_json("operators/canonical.json")["operators"]
    return found
