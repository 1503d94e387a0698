"""Which types onnx's strict inference knows: it does not follow values that nodes compute, such as a Reshape target.

onnx.checker with full_check (1.23.2) refuses declared shapes that contradict what it knows. onnxruntime 1.32 only warns of others while the
model runs.
"""

from __future__ import annotations

from irlint.graph import Graph, Node

_CONSTANT = ("Constant", "ConstantOfShape")
_KNOWN = ("Shape", "Size", "ConstantOfShape", "Reshape")  # whose rank does not depend on that of the data
_FROM_FIRST = ("ConstantOfShape", "Range")
_FROM_SECOND = frozenset(
    (
        *("AffineGrid", "BlackmanWindow", "CenterCropPad", "Col2Im", "DFT", "Expand", "HammingWindow", "HannWindow"),
        *("MelWeightMatrix", "MaxUnpool", "OneHot", "Pad", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp"),
        *("ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare", "Reshape", "Resize"),
        *("STFT", "Slice", "Split", "SplitToSequence", "Squeeze", "Tile", "TopK", "Unsqueeze", "Upsample"),
    )
)


def is_computed(graph: Graph, node: Node) -> bool:
    """Return whether the type of a node depends on values that other nodes compute, as far back as no type is declared."""
    waiting, seen = [node], {node.index}
    while waiting:
        one = waiting.pop()
        begin = 0 if one.op in _FROM_FIRST else 1 if one.op in _FROM_SECOND else len(one.inputs)
        if any(_is_value(graph, source[0]) for source in one.inputs[begin:]):
            return True
        for maker, output in () if one.op in _KNOWN else one.inputs[:begin]:
            if maker < 0 or maker in seen:
                continue
            seen.add(maker)
            before = graph.nodes[maker]
            if before.kind == "call" and (output >= len(before.outputs) or before.outputs[output].type.shape is None):
                waiting.append(before)
    return False


def _is_value(graph: Graph, index: int) -> bool:
    return index >= 0 and graph.nodes[index].kind != "const" and graph.nodes[index].op not in _CONSTANT
