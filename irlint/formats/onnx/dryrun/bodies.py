"""If, Loop, Scan and other operators with graphs inside: which operand each variable of a graph is."""

from __future__ import annotations

from irlint.codes import R
from irlint.dryrun.entries import Row
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.ops.shared.nesting import Part
from irlint.formats.onnx.dryrun.calls import NodeAttrs, demands
from irlint.formats.onnx.wire import DTYPES
from irlint.graph import Graph, Node


def _if(v: NodeAttrs) -> Call:
    parts = [_part(v.node, v[name], ()) for name in ("then_branch", "else_branch")]
    # onnx 1.23.2, with which onnxruntime 1.32 infers types, merges the shapes of both
    return Call(operator("onnx/subgraphs.Branches"), {"parts": parts, "alike": v.opset < 11})


def _loop(v: NodeAttrs) -> Call:
    body, count = v["body"], len(v["body"].inputs)
    if v.inputs < count or count < 2 or len(body.outputs) < count - 1:
        raise Undecided
    _want_all(v, 2, "v_initial")
    attrs = {"parts": [_part(v.node, body, range(count))], "states": count - 2}
    return Call(operator("onnx/subgraphs.Iterate"), attrs)


def _sequence_map(v: NodeAttrs) -> Call:
    _want_all(v, 1, "additional_inputs")
    body = v["body"]
    attrs = {"parts": [_part(v.node, body, range(len(body.inputs)))], "count": v.outputs}
    return Call(operator("onnx/subgraphs.MapSequence"), attrs)


def _want_all(v: NodeAttrs, first: int, name: str) -> None:
    """Raise unless all inputs from the first one on are given: onnx 1.23.2 and onnxruntime 1.32 need their types."""
    place = min(set(range(first, v.inputs)) - v.present, default=None)
    if place is not None:
        raise ShapeError(R.wrong_input_count, f"missing required input `{name}`", f"input:{place}", [place])


def _scan(v: NodeAttrs) -> Call:
    batched, body = v.opset < 9, v["body"]
    scanned, count = v["num_scan_inputs"], len(body.inputs)
    if v.inputs < count + batched or not 0 < scanned <= count or len(body.outputs) < count - scanned:
        raise Undecided
    attrs = {
        "parts": [_part(v.node, body, range(batched, count + batched))],
        "states": count - scanned,
        "scanned": scanned,
        "batched": batched,
        "axes": v["scan_input_axes"],
        "out_axes": v["scan_output_axes"],
        "backward": v["directions" if batched else "scan_input_directions"],
        "out_backward": v["scan_output_directions"],
    }
    return Call(
        operator("onnx/subgraphs.ScanGraph"), attrs, None, {"axes": "scan_input_axes", "out_axes": "scan_output_axes"}
    )


def _attention(v: NodeAttrs) -> Call:
    parts = [v[name] and _of_scores(v.node, v[name]) for name in ("score_mod", "prob_mod")]
    attrs = {"parts": parts, "scale": v["scale"], "precision": DTYPES.get(v["softmax_precision"])}
    call = Call(operator("onnx/subgraphs.ModifiedAttention"), attrs)
    call.demands = demands(v.node.op, v.domain, v.opset)
    return call


def _of_scores(node: Node, graph: Graph) -> Part:
    """Return a graph whose first operand is the scores; the others are what it reads from outside."""
    found = _part(node, graph, ())
    return Part(graph, [*graph.inputs, *found.variables], [0, *[source - 2 for source in found.sources]])


CALLS: dict[str, Row] = {
    "FlexAttention": _attention,
    "If": _if,
    "Loop": _loop,
    "Scan": _scan,
    "SequenceMap": _sequence_map,
}


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
