"""D601 fixed-batch."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import partial
from math import prod

from irlint.dryrun.dims import show
from irlint.findings import Fix, Problem
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.read import source_of
from irlint.formats.onnx.rules import R
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.graph import Dim, Node, Shape, label
from irlint.rules.base import Context, Model, Rule
from irlint.text.base import Document, Place


class FixedBatch(Rule):
    """
    What it does
        Checks for Reshape nodes whose target fixes every dimension, although the first dimension of the data is a symbol that an input
        of the model declares, and for outputs that declare a number where the model outputs such a symbol.

    Why is this bad
        The model says that it takes batches of any size and fails with all but one: onnxruntime reports at run time that the input
        cannot be reshaped. Exporters write such targets where a model reads the batch size as a Python number.
        With another size than an output declares, onnxruntime (1.32) warns at each run, and programs that reserve memory for the declared
        shape reserve too little. Exports have such outputs if `dynamic_axes` names only the inputs.

    Fix safety
        Unsafe: programs that ask for the shape of the output get a symbol in place of a number. A Reshape has no fix.
    """

    row = R.fixed_batch
    formats = ("onnx",)
    fixable = "unsafe"
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


def fixed_outputs(model: Model) -> Iterator[Problem]:
    """Report the outputs of a model that declare numbers where it outputs sizes that its inputs leave open."""
    graph = model.graph
    shapes = [(k, graph.nodes[k].outputs[0].type.shape or ()) for k in graph.inputs]
    symbols = {dim: k for k, shape in shapes for dim in shape if isinstance(dim, str)}
    makers = ((graph.nodes[k], output) for k, output in dict.fromkeys(graph.outputs) if k >= 0 and symbols)
    for node, output in makers:
        value, types = node.outputs[output], model.types.outputs(graph, node)[output:]
        fixed = _fixed(value.type.shape or (), types[0].shape or () if types else (), symbols)
        if fixed:
            which, origin = "batch size" if 0 in fixed else "size", symbols[next(iter(fixed.values()))]
            sizes = f"it declares {show(value.type.shape)}, and the model outputs {show(types[0].shape)}"
            message = f"output {value.name!r} has a fixed {which}: {sizes}"
            at, related = graph.place(node, f"type:{output}"), graph.place(origin, "type:0")
            notes = [(f"`{next(iter(fixed.values()))}` is declared here", related)]
            yield Problem(R.fixed_batch, at, message, node.name, partial(_opened, at, fixed), notes)


def _fixed(declared: Shape, real: Shape, symbols: Container[Dim]) -> dict[int, str]:
    """Return by axis the symbols for which a declared shape has numbers."""
    if len(declared) != len(real):
        return {}
    pairs = enumerate(zip(declared, real, strict=True))
    return {k: size for k, (dim, size) in pairs if isinstance(dim, int) and isinstance(size, str) and size in symbols}


def _opened(at: Place, symbols: dict[int, str], document: Document) -> Fix | None:
    """Return the fix that declares symbols in place of numbers."""
    if not isinstance(document, OnnxDocument):
        return None
    declared = document.value_at(at.path)
    tensor = declared["tensor_type"]
    dims = [{"dim_param": symbols[k]} if k in symbols else dim for k, dim in enumerate(tensor["shape"]["dim"])]
    edits = document.changed(at.path, {**declared, "tensor_type": {**tensor, "shape": {"dim": dims}}})
    words = ", ".join(f"`{symbol}`" for symbol in symbols.values())
    return Fix(f"Declare {words}", edits, "unsafe") if edits else None
