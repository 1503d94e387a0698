"""W601 external-shape."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from irlint.findings import Fix, Problem
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.passes.computed_shapes import SHAPING, shaping
from irlint.formats.onnx.read import source_of
from irlint.formats.onnx.rules import R
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.graph import Node, label
from irlint.rules.base import Context, Rule
from irlint.text.base import Document, Place


class ExternalShape(Rule):
    """
    What it does
        Checks for initializers in external data whose values decide about shapes: the target of Reshape, the axes of ReduceSum,
        the limits of Slice.

    Why is this bad
        onnxruntime (1.32) and onnx's shape inference do not read external data while they infer shapes. onnxruntime refuses the model:
        "Cannot parse data from external tensors".

    Fix safety
        Safe: the values are the same. The external file stays as it is.
    """

    row = R.external_shape
    formats = ("onnx",)
    operators = SHAPING
    fixable = "safe"

    @classmethod
    def visit(cls, node: Node, context: Context) -> Iterator[Problem]:
        graph, told = context.graph, state_of(context.model).told
        for k in shaping(node):
            constant = source_of(graph, node, k)
            if constant is None or constant.kind != "const" or constant.path in told:
                continue
            data = constant.attrs.get("value")
            if not isinstance(data, TensorData) or not data.is_external:
                continue
            told.add(constant.path)
            message = f"{constant.name!r} decides about the shape of {label(node)} and is in external data; onnxruntime refuses that"
            at, related = graph.place(constant, "name"), [("used here", graph.place(node, f"input:{k}"))]
            yield Problem(R.external_shape, at, message, node.name, partial(_embedding, at, data), related)


def _embedding(at: Place, data: TensorData, document: Document) -> Fix | None:
    entries, path = data.entries(), at.path[:-1]
    field = {"int64": "int64_data", "int32": "int32_data", "float32": "float_data"}.get(data.dtype or "")
    if not isinstance(document, OnnxDocument) or entries is None or field is None:
        return None
    kept = {key: value for key, value in data.tree.items() if key not in ("data_location", "external_data")}
    edits = document.changed(path, {**kept, field: list(entries)})
    return Fix(f"Move the data of {kept.get('name', '')!r} into the model", edits) if edits else None
