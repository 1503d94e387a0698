"""O601 training-mode."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import partial
from itertools import chain

from irlint.findings import Fix, Problem
from irlint.formats.onnx.read import source_of
from irlint.formats.onnx.rules import R
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.graph import Graph, Node, Source, label
from irlint.rules.base import Model, Rule
from irlint.text.base import Document, Edit, Place
from irlint.text.words import count

_TRAINING = {"ai.onnx.preview.training", "ai.onnx.training"}  # domains of graphs that are meant to train
_LOSSES = {"SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLossInternal"}
_RATIO, _MODE = 1, 2  # inputs of Dropout
_SHOWN = 4  # further nodes


class TrainingMode(Rule):
    """
    What it does
        Checks for BatchNormalization nodes with `training_mode` 1 and Dropout nodes whose input `training_mode` is constantly true. Graphs
        that are meant to train are not checked: those with a loss, operators of gradients or ONNX's training domain, and
        BatchNormalization nodes whose running mean or variance is used.

    Why is this bad
        The model was exported in training mode, as by `torch.onnx.export(..., training=TrainingMode.TRAINING)`. onnxruntime (1.32) loads
        it: BatchNormalization uses the statistics of the batch, so the result of one image depends on the others, and Dropout replaces
        random values with zeros unless an optimization removes it. OpenVINO (2026.4) uses the statistics of the batch, too, and refuses
        Dropout in training mode.

    Fix safety
        Unsafe: the results change to those of inference. Better export the model again after `model.eval()`.

    References
        https://onnx.ai/onnx/operators/onnx__BatchNormalization.html
        https://onnx.ai/onnx/operators/onnx__Dropout.html
    """

    row = R.training_mode
    formats = ("onnx",)
    fixable = "unsafe"

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        found = _asking(model)
        if found:
            (graph, node), *others = found  # one export
            more = f"; so {'is' if len(others) == 1 else 'are'} {count(len(others), 'more node')}" if others else ""
            message = f"{label(node)} is in training mode; it {_DOES[node.op]}{more}"
            related = [(f"{label(each[1])}, too", _place(*each)) for each in others[:_SHOWN]]
            fix = partial(_inferring, [each[1] for each in found])
            yield Problem(R.training_mode, _place(graph, node), message, node.name, fix, related)


def _asking(model: Model) -> list[tuple[Graph, Node]]:
    """Return the nodes in training mode; none of a graph that trains."""
    calls = [*model.calls()]
    if any(_trains(node) for _, node in calls):
        return []
    found = [
        (graph, node) for graph, node in calls if not node.version and node.op in _ASKS and _ASKS[node.op](graph, node)
    ]
    graphs = {id(graph): graph for graph, _ in found}
    used = {key: set(chain(one.outputs, *(node.inputs for node in one.nodes))) for key, one in graphs.items()}
    return [(graph, node) for graph, node in found if not _is_trained(node, used[id(graph)])]


def _place(graph: Graph, node: Node) -> Place:
    return graph.place(node, "attr:training_mode" if node.op == "BatchNormalization" else f"input:{_MODE}")


def _is_trained(node: Node, used: Container[Source]) -> bool:
    """Return whether the running mean or variance of a BatchNormalization is used."""
    is_normalizing = node.op == "BatchNormalization"
    return is_normalizing and any((node.index, k) in used for k in range(1, len(node.outputs)))


def _trains(node: Node) -> bool:
    return node.op in _LOSSES or node.version in _TRAINING or node.op.endswith("Grad")


def _normalizes(_: Graph, node: Node) -> bool:
    return node.attrs.get("training_mode") == 1


def _drops(graph: Graph, node: Node) -> bool:
    return _constant(graph, node, _MODE) is True and _constant(graph, node, _RATIO) != 0


_DOES = {
    "BatchNormalization": "uses the mean and variance of each batch",
    "Dropout": "replaces random values with zeros",
}
_ASKS = {"BatchNormalization": _normalizes, "Dropout": _drops}


def _constant(graph: Graph, node: Node, k: int) -> object:
    """Return the only element of a constant input; None if it is another input."""
    source = source_of(graph, node, k)
    data = source.attrs.get("value") if source is not None and source.kind == "const" else None
    entries = data.entries() if isinstance(data, TensorData) else None
    return entries[0] if entries and len(entries) == 1 else None


def _inferring(nodes: Sequence[Node], document: Document) -> Fix | None:
    """Return the fix that removes `training_mode`, whose default is that of inference, and the outputs that a node has only in training."""
    if not isinstance(document, OnnxDocument):
        return None
    edits: list[Edit] = []
    for node in nodes:
        if node.op == "BatchNormalization":
            tree = document.value_at(node.path)
            attributes = [one for one in tree.get("attribute", ()) if one.get("name") != "training_mode"]
            edits += document.changed(node.path, {**tree, "output": tree["output"][:1], "attribute": attributes})
        else:
            edits += document.removed((*node.path, "input", _MODE))
    return Fix("Turn off training mode", tuple(edits), "unsafe") if edits else None
