"""Operands whose values decide about shapes, and which shapes onnx's strict inference knows: it follows no values that nodes compute.

onnx.checker with full_check (1.23.2) refuses declared shapes that contradict what it knows. onnxruntime 1.32 only warns of others while the
model runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from irlint.formats.onnx.opsets import DEFAULT, domain_of, in_opset, newest_opset
from irlint.graph import Graph, Node

# Operators of other domains whose shapes onnx infers, with the opset since when; of others it infers types at most.
_INFERRED = {
    ("ai.onnx.ml", "ArrayFeatureExtractor"): 1, ("ai.onnx.ml", "Binarizer"): 1, ("ai.onnx.ml", "CategoryMapper"): 1,
    ("ai.onnx.ml", "LabelEncoder"): 2, ("ai.onnx.ml", "LinearClassifier"): 1, ("ai.onnx.ml", "OneHotEncoder"): 1,
    ("ai.onnx.ml", "TreeEnsemble"): 5, ("ai.onnx.ml", "TreeEnsembleClassifier"): 3,
    ("ai.onnx.ml", "TreeEnsembleRegressor"): 3, ("ai.onnx.preview", "FlexAttention"): 1,
}  # fmt: skip
_CONSTANT = ("Constant", "ConstantOfShape")
_OPEN = ("Loop", "Scan", "SequenceMap")  # whose outputs onnx leaves open
_OF_TYPES = ("Shape", "Size")  # whose outputs do not depend on values
_COUNTED = (
    "Compress",
    "NonMaxSuppression",
    "NonZero",
    "Unique",
)  # whose values onnx does not count, not even of constants
_BLIND = ("CenterCropPad", "MaxUnpool", "STFT", "Split")  # whose outputs onnx knows nothing of without the values
_OF_RANKS = ("Reshape", "Squeeze", "Unsqueeze")  # where values decide about the rank
_RANKED = 14  # the opset from which onnx knows the rank of a Reshape by the length of its target
_KNOWN = ("Shape", "Size", "ConstantOfShape", "Reshape")  # whose rank does not depend on that of the data
_SECOND = frozenset(
    (
        *("CenterCropPad", "Expand", "OneHot", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax"),
        *("ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Reshape", "Split", "Squeeze"),
        *("SplitToSequence", "Tile", "TopK", "Unsqueeze", "Upsample"),
    )
)
_OTHER: dict[str, Sequence[int]] = {
    "AffineGrid": (1,),
    "Col2Im": (1, 2),
    "ConstantOfShape": (0,),
    "DFT": (1, 2),
    "MaxUnpool": (2,),
    "Pad": (1, 3),
    "Range": (0, 1, 2),
    "Slice": (1, 2, 3, 4),
    "STFT": (1, 3),
}


SHAPING = (*sorted(_SECOND), *_OTHER, "Resize")  # operators that have such operands


def shaping(node: Node) -> Sequence[int]:
    """Return the inputs of a node whose values decide about the shape of its outputs."""
    if domain_of(node.version or "") != DEFAULT:
        return ()
    if node.op == "Resize":
        return (1,) if len(node.inputs) == 2 else (2, 3)  # opset 10 has no regions
    return (1,) if node.op in _SECOND else _OTHER.get(node.op, ())


def unknown_to_onnx(graph: Graph) -> float:
    """Return the first node of a graph, by number, that onnx has no operator for: its inference (1.23.2) looks at none behind."""
    return min((node.index for node in graph.nodes if node.kind == "call" and _is_foreign(node)), default=math.inf)


def _is_foreign(node: Node) -> bool:
    domain = domain_of(node.version or "")
    return domain.startswith("com.microsoft") and newest_opset(domain) is not None


def is_computed(graph: Graph, node: Node, opsets: Mapping[str, int], is_rank: bool) -> bool:
    """Return whether onnx's inference does not know the rank, or the sizes, of a node's output, because they depend on values that other
    nodes compute; as far back as no type is declared."""
    waiting, seen, opset = [node], {node.index}, opsets.get("", 1)
    while waiting:
        one = waiting.pop()
        domain = domain_of(one.version or "")
        if one.op in _OPEN or (one.op == "If" and _is_undecided(one, is_rank)):
            return True
        if domain != DEFAULT and opsets.get(domain, 1) < _INFERRED.get((domain, one.op), math.inf):
            return True
        if domain == DEFAULT and (_is_uninferred(one.op, opset) or _is_disputed(one)):
            return True
        if one.op in _COUNTED and not is_rank and (one.op == "NonMaxSuppression" or not _has_data(graph, one)):
            return True
        places = [k for k in shaping(one) if k < len(one.inputs)]
        is_known = is_rank and _knows_rank(one.op, opset)
        if not is_known and any(_is_value(graph, one.inputs[k][0]) for k in places):
            return True
        for k, (maker, output) in () if one.op in _KNOWN else enumerate(one.inputs):
            if maker < 0 or maker in seen or k in places:
                continue
            seen.add(maker)
            before = graph.nodes[maker]
            if before.kind == "call" and (output >= len(before.outputs) or before.outputs[output].type.shape is None):
                waiting.append(before)
    return False


def _knows_rank(op: str, opset: int) -> bool:
    """Return whether onnx knows a rank without values: it does not for reductions, even of those that keep all axes."""
    if op in _BLIND or op.startswith("Reduce"):
        return False
    return op not in _OF_RANKS or (op == "Reshape" and opset >= _RANKED)


def _is_undecided(node: Node, is_rank: bool) -> bool:
    """Return whether the branches of an If output unlike shapes: onnx joins them, also where the condition is a constant."""
    shapes = [
        [graph.nodes[source].outputs[output].type.shape if source >= 0 else None for source, output in graph.outputs]
        for graph in node.graphs
    ]
    if is_rank:
        return any(None in pair or len({len(shape or ()) for shape in pair}) > 1 for pair in zip(*shapes, strict=False))
    return any(pair[0] is None or pair[0] != pair[-1] for pair in zip(*shapes, strict=False))


def _is_disputed(node: Node) -> bool:
    """Return whether onnx's inference (1.23.2) says something else than what all runtimes output: it takes the default of `onesided` for
    0, and adds `output_padding` to what padding of its own cuts off."""
    if node.op == "STFT":
        return "onesided" not in node.attrs
    has_own = str(node.attrs.get("auto_pad", "")).startswith("SAME")
    return node.op == "ConvTranspose" and has_own and any(node.attrs.get("output_padding", ()))


def _is_uninferred(op: str, opset: int) -> bool:
    operator = in_opset(op, DEFAULT, opset)
    return operator is not None and "uninferred" in operator.facts


def _has_data(graph: Graph, node: Node) -> bool:
    """Return whether the values that a node counts depend on inputs, so that irlint counts none of them, either."""
    waiting, seen = [node], {node.index}
    while waiting:
        one = waiting.pop()
        for maker, _ in one.inputs[1:] if one.op == "Compress" else one.inputs:
            if maker < 0 or maker in seen:
                continue
            seen.add(maker)
            before = graph.nodes[maker]
            if before.kind == "var":
                return True
            if before.op not in _OF_TYPES:
                waiting.append(before)
    return False


def _is_value(graph: Graph, index: int) -> bool:
    return index >= 0 and graph.nodes[index].kind != "const" and graph.nodes[index].op not in _CONSTANT
