"""If, Loop, Scan and other operators with graphs inside: which operand each variable of a graph is."""

from __future__ import annotations

from irlint.codes import R
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.ops.shared.nesting import Part
from irlint.formats.onnx.dryrun.calls import NodeAttrs, demands
from irlint.formats.onnx.wire import DTYPES
from irlint.graph import Graph, Node


def call_of_bodies(node: Node, opset: int) -> Call | None:
    a = NodeAttrs(node, opset)
    if node.op == "If":
        parts = [_part(node, a.need(name, Graph), ()) for name in ("then_branch", "else_branch")]
        return Call(operator("onnx/subgraphs.Branches"), {"parts": parts})
    if node.op == "FlexAttention":
        return _attention(node, a)
    if node.op not in ("Loop", "Scan", "SequenceMap"):
        return None
    body = a.need("body", Graph)
    count = len(body.inputs)
    if node.op == "Loop":
        if len(node.inputs) < count or count < 2 or len(body.outputs) < count - 1:
            raise Undecided
        _want_all(a, 2, "v_initial")
        return Call(
            operator("onnx/subgraphs.Iterate"), {"parts": [_part(node, body, range(count))], "states": count - 2}
        )
    if node.op == "SequenceMap":
        _want_all(a, 1, "additional_inputs")
        attrs = {"parts": [_part(node, body, range(count))], "count": len(node.outputs)}
        return Call(operator("onnx/subgraphs.MapSequence"), attrs)
    return _scan(node, a, body)


def _want_all(a: NodeAttrs, first: int, name: str) -> None:
    """Raise unless all inputs from the first one on are given: onnx 1.23.2 and onnxruntime 1.32 need their types."""
    place = next((k for k in range(first, a.inputs) if not a.has(k)), None)
    if place is not None:
        raise ShapeError(R.wrong_input_count, f"missing required input `{name}`", f"input:{place}", [place])


def _scan(node: Node, a: NodeAttrs, body: Graph) -> Call:
    batched = a.opset < 9
    scanned, count = a.need("num_scan_inputs", int), len(body.inputs)
    if len(node.inputs) < count + batched or not 0 < scanned <= count or len(body.outputs) < count - scanned:
        raise Undecided
    attrs = {
        "parts": [_part(node, body, range(batched, count + batched))],
        "states": count - scanned,
        "scanned": scanned,
        "batched": batched,
        "axes": a.get("scan_input_axes", ()),
        "out_axes": a.get("scan_output_axes", ()),
        "backward": a.get("directions" if batched else "scan_input_directions", ()),
        "out_backward": a.get("scan_output_directions", ()),
    }
    return Call(
        operator("onnx/subgraphs.ScanGraph"), attrs, None, {"axes": "scan_input_axes", "out_axes": "scan_output_axes"}
    )


def _attention(node: Node, a: NodeAttrs) -> Call:
    """The first operand of a part is the scores, the others are what it reads from outside."""
    parts: list[Part | None] = []
    for name in ("score_mod", "prob_mod"):
        graph = a.get(name, None)
        if graph is None:
            parts.append(None)
            continue
        found = _part(node, graph, ())
        outer = [source - 2 for source in found.sources]
        parts.append(Part(graph, [*graph.inputs, *found.variables], [0, *outer]))
    attrs = {"parts": parts, "scale": a.get("scale", None), "precision": DTYPES.get(a.get("softmax_precision", 0))}
    call = Call(operator("onnx/subgraphs.ModifiedAttention"), attrs)
    call.demands = demands(node.op, node.version or "", 1)
    return call


def _part(node: Node, graph: Graph, sources: range | tuple[()]) -> Part:
    """Return a graph whose inputs are operands; what it reads from outside are the node's last ones."""
    names = list(dict.fromkeys(one.name for inner in node.graphs for one in inner.nodes if one.op == "Outer"))
    first = len(node.inputs) - len(names)
    outer = [one for one in graph.nodes if one.op == "Outer"]
    return Part(
        graph,
        [*(graph.inputs if sources else ()), *(one.index for one in outer)],
        [*sources, *(first + names.index(one.name) for one in outer)],
    )
