"""D601 fixed-batch."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from irlint.findings import Problem
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.read import source_of
from irlint.formats.onnx.rules import R
from irlint.formats.onnx.tensors import TensorData
from irlint.graph import Node, Shape, label
from irlint.rules.base import Context, Rule


class FixedBatch(Rule):
    """
    What it does
        Checks for Reshape nodes whose target fixes every dimension, although the first dimension of the data is a symbol that an input
        of the model declares.

    Why is this bad
        The model says that it takes batches of any size and fails with all but one: onnxruntime reports at run time that the input
        cannot be reshaped. Exporters write such targets where a model reads the batch size as a Python number.
    """

    row = R.fixed_batch
    formats = ("onnx",)
    operators = ("Reshape",)

    @classmethod
    def visit(cls, node: Node, context: Context) -> Iterator[Problem]:
        if not _symbols(context):
            return
        target = source_of(context.graph, node, 1)
        data = target.attrs.get("value") if target is not None else None
        entries = data.entries() if isinstance(data, TensorData) else None
        shape = _shape_of_data(node, context) if entries and min(entries) > 0 else None
        if not entries or not shape or shape[0] not in _symbols(context):
            return
        rest = [dim for dim in shape[1:] if isinstance(dim, int)]
        if len(rest) + 1 < len(shape) or not prod(rest) or prod(entries) % prod(rest):
            return
        size = prod(entries) // prod(rest)
        message = f"{label(node)} has a fixed batch size: its target {list(entries)} fits only {size} for dimension `{shape[0]}`"
        yield context.problem(R.fixed_batch, node, "input:1", message)


def _shape_of_data(node: Node, context: Context) -> Shape | None:
    maker = source_of(context.graph, node, 0)
    types = context.types(maker)[node.inputs[0][1] :] if maker is not None else ()
    return types[0].shape if types else None


def _symbols(context: Context) -> set[str]:
    """Return the symbols that inputs of the model declare as their first dimension."""
    state = state_of(context.model)
    if state.batches is None:
        graph = context.model.graph
        shapes = [graph.nodes[k].outputs[0].type.shape for k in graph.inputs]
        state.batches = {shape[0] for shape in shapes if shape and isinstance(shape[0], str)}
    return state.batches
