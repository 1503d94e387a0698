"""O601 training-mode."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

from irlint.findings import Fix, Problem
from irlint.formats.onnx.read import source_of
from irlint.formats.onnx.rules import R
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.graph import Graph, Node, label
from irlint.rules.base import Model, Rule
from irlint.text.base import Document, Path

_TRAINING = {"ai.onnx.preview.training", "ai.onnx.training"}  # domains of graphs that are meant to train
_LOSSES = {"SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLossInternal"}
_RATIO, _MODE = 1, 2  # inputs of Dropout


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
        found: list[tuple[Graph, Node]] = []
        for graph, node in model.calls():
            if _trains(node):
                return
            if node.op in _ASKS and not node.version and _ASKS[node.op](graph, node):
                found.append((graph, node))
        graphs = {id(graph): graph for graph, _ in found}
        used = {key: set(chain(one.outputs, *(node.inputs for node in one.nodes))) for key, one in graphs.items()}
        for graph, node in found:
            if node.op == "BatchNormalization":
                if any((node.index, k) in used[id(graph)] for k in range(1, len(node.outputs))):
                    continue
                message = f"{label(node)} is in training mode; it uses the mean and variance of each batch"
                yield Problem(
                    R.training_mode,
                    graph.place(node, "attr:training_mode"),
                    message,
                    node.name,
                    partial(_inferring, node.path),
                )
            else:
                message = f"{label(node)} is in training mode; it replaces random values with zeros"
                at = graph.place(node, f"input:{_MODE}")
                yield Problem(R.training_mode, at, message, node.name, partial(_idle, node.path))


def _trains(node: Node) -> bool:
    return node.op in _LOSSES or node.version in _TRAINING or node.op.endswith("Grad")


def _normalizes(_: Graph, node: Node) -> bool:
    return node.attrs.get("training_mode") == 1


def _drops(graph: Graph, node: Node) -> bool:
    return _constant(graph, node, _MODE) is True and _constant(graph, node, _RATIO) != 0


_ASKS = {"BatchNormalization": _normalizes, "Dropout": _drops}


def _constant(graph: Graph, node: Node, k: int) -> object:
    """Return the only element of a constant input; None if it is another input."""
    source = source_of(graph, node, k)
    data = source.attrs.get("value") if source is not None and source.kind == "const" else None
    entries = data.entries() if isinstance(data, TensorData) else None
    return entries[0] if entries and len(entries) == 1 else None


def _inferring(path: Path, document: Document) -> Fix | None:
    """Return the fix that removes `training_mode`, whose default is 0, and the outputs that a node has only in training."""
    if not isinstance(document, OnnxDocument):
        return None
    tree = document.value_at(path)
    attributes = [one for one in tree.get("attribute", ()) if one.get("name") != "training_mode"]
    edits = document.changed(path, {**tree, "output": tree["output"][:1], "attribute": attributes})
    return Fix("Turn off training mode", edits, "unsafe") if edits else None


def _idle(path: Path, document: Document) -> Fix | None:
    if not isinstance(document, OnnxDocument):
        return None
    edits = document.removed((*path, "input", _MODE))
    return Fix("Remove the input `training_mode`", edits, "unsafe") if edits else None
