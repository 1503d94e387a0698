"""Operands whose values decide about shapes, and which shapes onnx's strict inference knows: it follows no values that nodes compute.

onnx.checker with full_check (1.23.2) refuses declared shapes that contradict what it knows. onnxruntime 1.32 only warns of others while the
model runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from irlint.dryrun.mapping import Difference
from irlint.formats.onnx.opsets import DEFAULT, domain_of, in_opset, newest_opset
from irlint.formats.onnx.read import source_of
from irlint.graph import Graph, Node

# Operators of other domains whose shapes onnx infers, with the opset since when; of others it infers types at most.
_INFERRED = {
    ("ai.onnx.ml", "ArrayFeatureExtractor"): 1, ("ai.onnx.ml", "Binarizer"): 1, ("ai.onnx.ml", "CategoryMapper"): 1,
    ("ai.onnx.ml", "LabelEncoder"): 2, ("ai.onnx.ml", "LinearClassifier"): 1, ("ai.onnx.ml", "OneHotEncoder"): 1,
    ("ai.onnx.ml", "TreeEnsemble"): 5, ("ai.onnx.ml", "TreeEnsembleClassifier"): 3,
    ("ai.onnx.ml", "TreeEnsembleRegressor"): 3, ("ai.onnx.preview", "FlexAttention"): 1,
}  # fmt: skip
_CONSTANT = ("Constant", "ConstantOfShape")
_LOOPS = ("Loop", "Scan")  # whose outputs onnx knows as far as it knows those of the body
_PRODUCTS = ("Gemm", "MatMul")  # whose last size is that of the second operand
_OF_TYPES = ("Shape", "Size")  # whose outputs do not depend on values
_COUNTED = (
    "Compress",
    "NonMaxSuppression",
    "NonZero",
    "Unique",
)  # whose values onnx does not count, not even of constants
_BLIND = ("CenterCropPad", "MaxUnpool", "STFT", "Split")  # whose outputs onnx knows nothing of without the values
_OF_RANKS = ("Reshape", "Squeeze", "Unsqueeze")  # where values decide about the rank
_SCAN = 9  # the opset from which a Scan has no batches
_RANKED = 14  # the opset from which onnx knows the rank of a Reshape by the length of its target
_KNOWN = ("Shape", "Size", "ConstantOfShape", "Reshape")  # whose rank does not depend on that of the data
_RECURRENT = ("GRU", "LSTM", "RNN")  # whose shapes are known by the first input and attributes
# Inputs whose values decide about the shape of outputs
_SHAPING: dict[str, Sequence[int]] = {
    **dict.fromkeys((
        "CenterCropPad", "Expand", "OneHot", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
        "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Reshape", "Split", "Squeeze",
        "SplitToSequence", "Tile", "TopK", "Unsqueeze", "Upsample",
    ), (1,)),
    "AffineGrid": (1,), "Col2Im": (1, 2), "ConstantOfShape": (0,), "DFT": (1, 2), "MaxUnpool": (2,), "Pad": (1, 3),
    "Range": (0, 1, 2), "Resize": (2, 3), "Slice": (1, 2, 3, 4), "STFT": (1, 3),
}  # fmt: skip
SHAPING = tuple(_SHAPING)  # operators that have such operands


def shaping(node: Node) -> Sequence[int]:
    """Return the inputs of a node whose values decide about the shape of its outputs."""
    if domain_of(node.version or "") != DEFAULT:
        return ()
    if node.op == "Resize" and len(node.inputs) == 2:
        return (1,)  # opset 10 has no regions
    return _SHAPING.get(node.op, ())


def unknown_to_onnx(graph: Graph) -> float:
    """Return the first node of a graph, by number, that onnx has no operator for: its inference (1.23.2) looks at none behind."""
    return min((node.index for node in graph.nodes if node.kind == "call" and _is_foreign(node)), default=math.inf)


def is_unchecked(graph: Graph, opset: int) -> bool:
    """Return whether a graph has an operator of ai.onnx that only onnxruntime has: onnx's checker refuses the model before it infers
    anything, and onnxruntime (1.32) runs it whatever shapes it declares."""
    names = {node.op for one in graph.walk() for node in one.nodes if node.kind == "call" and _is_own(node)}
    found = (in_opset(name, DEFAULT, opset) for name in names)
    return any(operator.facts.get("only") for operator in found if operator is not None)


def _is_own(node: Node) -> bool:
    return domain_of(node.version or "") == DEFAULT


def _is_foreign(node: Node) -> bool:
    domain = domain_of(node.version or "")
    return domain.startswith("com.microsoft") and newest_opset(domain) is not None


def is_computed(graph: Graph, node: Node, number: int, opsets: Mapping[str, int], differs: Difference) -> bool:
    """Return whether onnx's inference does not know what differs in an output of a node, because it depends on values that other nodes
    compute; as far back as no type is declared."""
    if differs == "last" and node.op in _PRODUCTS and len(node.inputs) > 1 and _is_own(node):
        return _is_input_computed(graph, node, 0, opsets, "rank") or _is_input_computed(graph, node, 1, opsets, "sizes")
    return _depends_on_values(graph, node, number, opsets, differs)


def _depends_on_values(graph: Graph, node: Node, number: int, opsets: Mapping[str, int], differs: Difference) -> bool:
    """Return the same of a node none of whose sizes is that of one operand."""
    waiting, seen, is_rank = [(node, number)], {node.index}, differs == "rank"
    while waiting:
        one, number = waiting.pop()
        # it counts no turns, which are the first size of what a Loop collects
        turns = one.op == "Loop" and not is_rank and (one is not node or differs == "first")
        if turns or _is_open(graph, one, opsets, is_rank) or _is_open_in_body(one, number, opsets, is_rank):
            return True
        deciding = one.inputs[: 1 if one.op in _RECURRENT else None]
        for k, (maker, output) in () if one.op in _KNOWN else enumerate(deciding):
            if maker < 0 or maker in seen or k in shaping(one):
                continue
            seen.add(maker)
            if _is_undeclared(graph.nodes[maker], output):
                waiting.append((graph.nodes[maker], output))
    return False


def _is_input_computed(graph: Graph, node: Node, k: int, opsets: Mapping[str, int], differs: Difference) -> bool:
    """Return `is_computed(...)` of an input of a node."""
    maker, output = node.inputs[k]
    if maker < 0 or not _is_undeclared(graph.nodes[maker], output):
        return maker < 0
    return is_computed(graph, graph.nodes[maker], output, opsets, differs)


def _is_undeclared(node: Node, output: int) -> bool:
    """Return whether a node computes a value for which the file declares no shape."""
    return node.kind == "call" and (output >= len(node.outputs) or node.outputs[output].type.shape is None)


def _is_open(graph: Graph, node: Node, opsets: Mapping[str, int], is_rank: bool) -> bool:
    """Return whether onnx does not know the rank, or the sizes, of what a node outputs, though it knows those of its inputs."""
    domain = domain_of(node.version or "")
    if node.op == "SequenceMap" or (node.op == "If" and _is_undecided(node, is_rank)):
        return True
    if domain != DEFAULT:
        return _is_open_elsewhere(graph, node, opsets.get(domain, 1), is_rank)
    if _is_uninferred(node.op, opsets.get("", 1)) or _is_disputed(node):
        return True
    if node.op in _COUNTED and not is_rank and (node.op == "NonMaxSuppression" or not _has_data(graph, node)):
        return True
    if is_rank and _knows_rank(node.op, opsets.get("", 1)):
        return False
    return any(_is_value(source_of(graph, node, k)) for k in shaping(node))


def _is_open_in_body(node: Node, number: int, opsets: Mapping[str, int], is_rank: bool) -> bool:
    """Return whether onnx does not know an output of a Loop or Scan: it knows what the body outputs in each step, but nothing of what a
    Loop carries on. Of a body that uses values from outside, nothing is said here."""
    if node.op not in _LOOPS:
        return False
    is_loop = node.op == "Loop"
    carried = len(node.inputs) - 2 if is_loop else 0
    if number < carried or not node.graphs or (not is_loop and opsets.get("", 1) < _SCAN):
        return True
    body, position = node.graphs[0], number + is_loop
    if position >= len(body.outputs) or any(inner.op == "Outer" for inner in body.nodes):
        return True
    if is_loop and any(body.nodes[index].outputs[0].type.shape is None for index in body.inputs[2:]):
        return True  # a state may have another shape in each turn
    return _is_output_computed(body, position, opsets, "rank" if is_rank else "sizes")


def _is_output_computed(body: Graph, position: int, opsets: Mapping[str, int], differs: Difference) -> bool:
    """Return `is_computed(...)` of an output of a body; True if nothing computes it."""
    maker, output = body.outputs[position]
    if maker < 0 or body.nodes[maker].kind != "call":
        return maker < 0
    return is_computed(body, body.nodes[maker], output, opsets, differs)


def _is_open_elsewhere(graph: Graph, node: Node, opset: int, is_rank: bool) -> bool:
    """Return the same of an operator of another domain."""
    known = _INFERRED.get((domain_of(node.version or ""), node.op), math.inf)
    return opset < known or (not is_rank and _has_one_index(graph, node))


def _has_one_index(graph: Graph, node: Node) -> bool:
    """Return whether a node takes the columns that a scalar names: onnx (1.23.2) counts those that a list names only."""
    if node.op != "ArrayFeatureExtractor" or len(node.inputs) < 2:
        return False
    maker, output = node.inputs[1]
    values = graph.nodes[maker].outputs if maker >= 0 else []
    return output < len(values) and values[output].type.shape == ()


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
    for branches in zip(*shapes, strict=False):
        if None in branches or len({len(shape or ()) if is_rank else shape for shape in branches}) > 1:
            return True
    return False


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


def _is_value(maker: Node | None) -> bool:
    return maker is not None and maker.kind != "const" and maker.op not in _CONSTANT
