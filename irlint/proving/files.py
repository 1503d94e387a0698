"""What the files of both models say, whatever the inputs: which operators have other weights or attributes, and which layers the same."""

from __future__ import annotations

from irlint.graph import Node
from irlint.inspection.review.across import compare
from irlint.inspection.review.difference import NodePair
from irlint.inspection.rounding import coarser
from irlint.proving.running import Side
from irlint.records import NamedTuple

_TELLING = ("attribute", "input")  # changes that show whatever the types of weights are


class FromFiles(NamedTuple):
    changed: list[tuple[Node, Node]]  # of the outermost graph, in the order of the second model
    replaced: list[tuple[Node, Node]]  # by other operators, which may compute the same
    same: set[int]  # nodes of the first model with weights that the second model's nodes have, too


def from_files(a: Side, b: Side) -> FromFiles:
    """Compare two models, of which `look` has been called."""
    pairs = [
        (pair, pair.old[1], pair.new[1])
        for pair in compare(a.model, b.model, weights=True).pairs
        if pair.old is not None and pair.new is not None and pair.old[0] is a.graph and pair.new[0] is b.graph
    ]
    changed = [(ours, theirs) for pair, ours, theirs in pairs if _is_changed(pair, a, b, ours, theirs)]
    replaced = [(ours, theirs) for pair, ours, theirs in pairs if any(one.what == "operator" for one in pair.changes)]
    return FromFiles(changed, replaced, {ours.index for pair, ours, _ in pairs if pair.status == "same"})


def _is_changed(pair: NodePair, a: Side, b: Side, ours: Node, theirs: Node) -> bool:
    whats = {change.what for change in pair.changes}
    is_coarse = coarser(a.roundings[ours.index], b.roundings[theirs.index]).is_coarse
    return bool(whats.intersection(_TELLING)) or ("weights" in whats and not is_coarse)  # quantizers may change them
