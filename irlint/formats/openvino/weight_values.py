"""Weights of an IR that are NaN or overflowed: of the layers that compute with them, and only so much that a lint stays fast."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.weight_numbers import floats, is_finite, not_finite
from irlint.findings import Problem, Severity
from irlint.formats.openvino.passes.sizes import ConstantBytes
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import Graph, Node, label

_MOST = 1 << 25  # bytes of one file that are read for it
_CONVERTED = "Convert"  # what makes float32 of weights in 16 bits
# Inputs that are weights
_WEIGHTS = {
    "MatMul": (0, 1), "Convolution": (1,), "ConvolutionBackpropData": (1,), "GroupConvolution": (1,),
    "GroupConvolutionBackpropData": (1,), "BatchNormInference": (1, 2, 3, 4), "Gather": (0,), "PRelu": (1,),
    "LSTMCell": (3, 4, 5), "GRUCell": (2, 3, 4), "RNNCell": (2, 3, 4), "LSTMSequence": (4, 5, 6),
    "GRUSequence": (3, 4, 5), "RNNSequence": (3, 4, 5),
}  # fmt: skip
_MASKED = ("Gather",)  # which choose rows of embeddings, and of masks, in which -infinity means that nothing is there


def number_problems(sections: list[IrSection], binary: BinFile, ranges: list[ConstantBytes]) -> Iterator[Problem]:
    """Report each constant once that holds such numbers, in file order, as long as there is room to read them."""
    where, left = {id(one.node): one for one in ranges}, _MOST
    for section in sections:
        for user, k, maker in _uses(section.graph):
            one = where.pop(id(maker), None)
            dtype = ELEMENT_TYPES.get(maker.attrs.get("element_type", "").lower())
            if one is None or dtype is None or one.end - one.start > left:
                continue
            left -= one.end - one.start
            data = binary.read(one.start, one.end - one.start)
            if data is not None and not is_finite(data, dtype):
                message = not_finite(floats(data, dtype) or (), dtype, label(maker), only_nan=user.op in _MASKED)
                if message is not None:
                    at, used = one.graph.place(maker, "name"), section.graph.place(user, f"input:{k}")
                    related = [(f"used here by {label(user)}", used)]
                    yield Problem(R.nan_weights, at, message, maker.name, None, related, Severity.WARNING)


def _uses(graph: Graph) -> Iterator[tuple[Node, int, Node]]:
    """Yield what computes with weights, each with the place of the input and the constant."""
    for user in graph.nodes:
        for k in _WEIGHTS.get(user.op, ()):
            maker = _maker(graph, user, k)
            if maker is not None and maker.op == _CONVERTED:
                maker = _maker(graph, maker, 0)
            if maker is not None and maker.kind == "const":
                yield user, k, maker


def _maker(graph: Graph, node: Node, k: int) -> Node | None:
    index = node.inputs[k][0] if k < len(node.inputs) else -1
    return graph.nodes[index] if index >= 0 else None
