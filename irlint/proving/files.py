"""What the files of both models say, whatever the inputs: which operators have other weights or attributes, and which layers the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from irlint.graph import Graph, Node
from irlint.inspection.review.across import compare
from irlint.inspection.review.difference import Network, NodePair
from irlint.inspection.review.roles import MEANT
from irlint.inspection.rounding import coarser
from irlint.proving.running import Side
from irlint.records import NamedTuple

_TELLING = ("attribute", "input", "results")  # changes that show whatever the types of weights are


class FromFiles(NamedTuple):
    changed: list[tuple[Node, Node]]  # of the outermost graph, in the order of the second model
    rewired: set[
        int
    ]  # those of the first model of which only what they read is said to be another: it may have the same values
    replaced: list[tuple[Node, Node]]  # by other operators, which may compute the same
    same: set[int]  # nodes of the first model with weights that the second model's nodes have, too
    alone: tuple[set[int], set[int]]  # nodes that only one of the models has
    both: list[tuple[Node, Node]]  # of the outermost graphs
    requantized: list[Node]  # of the second model, with weights that differ by more than their few bits explain


def from_files(a: Side, b: Side) -> FromFiles:
    """Compare two models, of which `look` has been called."""
    found = compare(a.form, b.form)
    pairs = list(outermost_pairs(a, b, found.pairs))
    alone = (
        _alone(a, (pair.old for pair in found.pairs if pair.new is None)),
        _alone(b, (pair.new for pair in found.pairs if pair.old is None)),
    )
    return FromFiles(
        [(ours, theirs) for pair, ours, theirs in pairs if _is_changed(pair, a, b, ours, theirs)],
        {ours.index for pair, ours, _ in pairs if _whats(pair) == {"input"}},
        [*_replaced(pairs), *_other_ends(a, b, found.network)],
        {ours.index for pair, ours, _ in pairs if pair.status == "same" and _is_own(a, ours, pair)},
        alone,
        [couple[1:] for couple in pairs],
        list(_requantized(pairs, a, b)),
    )


def _whats(pair: NodePair) -> set[str]:
    return {change.what for change in pair.changes}


def _requantized(pairs: Iterable[tuple[NodePair, Node, Node]], a: Side, b: Side) -> Iterator[Node]:
    for pair, ours, theirs in pairs:
        if "weights" in _whats(pair) and _may_change(a, b, ours, theirs):
            yield theirs


def _replaced(pairs: Iterable[tuple[NodePair, Node, Node]]) -> Iterator[tuple[Node, Node]]:
    return ((ours, theirs) for pair, ours, theirs in pairs if "operator" in _whats(pair))


def _other_ends(a: Side, b: Side, network: Network | None) -> Iterator[tuple[Node, Node]]:
    """Yield the last nodes of parts that consist of other operators and do not compute coarsely."""
    for ours, theirs in _last(a, b, network):
        if not coarser(a.roundings[ours.index], b.roundings[theirs.index]).is_coarse:
            yield ours, theirs


def _alone(side: Side, nodes: Iterable[tuple[Graph, Node] | None]) -> set[int]:
    """Return which of some nodes are of the outermost graph."""
    return {one[1].index for one in nodes if one is not None and one[0] is side.graph}


def _is_changed(pair: NodePair, a: Side, b: Side, ours: Node, theirs: Node) -> bool:
    whats = _whats(pair)
    if "operator" in whats or _meaning(a, ours) != _meaning(b, theirs):  # attributes mean something else
        return False
    return bool(whats.intersection(_TELLING)) or ("weights" in whats and not _may_change(a, b, ours, theirs))


def _may_change(a: Side, b: Side, ours: Node, theirs: Node) -> bool:
    """Return whether a quantizer made the weights of one model, which moves scales between layers or corrects what it rounds."""
    roundings = a.own_roundings[ours.index], b.own_roundings[theirs.index]
    return coarser(*roundings).is_coarse and len({*roundings}) > 1


def _meaning(side: Side, node: Node) -> str:
    op = side.form.names.of(node)
    return MEANT.get(op, op)


def outermost_pairs(a: Side, b: Side, pairs: Iterable[NodePair]) -> Iterator[tuple[NodePair, Node, Node]]:
    """Yield the pairs that both models have, with their nodes of the outermost graphs."""
    for pair in pairs:
        if pair.old is not None and pair.new is not None:
            ours, theirs = _outermost(a, *pair.old), _outermost(b, *pair.new)
            if ours is not None and theirs is not None:
                yield pair, ours, theirs


def _outermost(side: Side, graph: Graph, node: Node) -> Node | None:
    """Return a node of the outermost graph, or the one there that holds the graph of a node; None where that is deeper."""
    if graph is side.graph:
        return node
    holder, nodes = graph.parent, side.graph.nodes
    return holder if holder is not None and holder.index < len(nodes) and nodes[holder.index] is holder else None


def _is_own(side: Side, node: Node, pair: NodePair) -> bool:
    return pair.old is not None and pair.old[0] is side.graph and pair.old[1] is node


def _last(a: Side, b: Side, network: Network | None) -> list[tuple[Node, Node]]:
    """Return the last nodes of parts that consist of other operators."""
    places = [{index: k for k, index in enumerate(side.order)} for side in (a, b)]
    found = []
    for group in network.rewritten if network is not None else ():
        ours, theirs = _end(a, group.old, places[0]), _end(b, group.new, places[1])
        if ours is not None and theirs is not None:
            found.append((ours, theirs))
    return found


def _end(side: Side, nodes: list[Node], places: Mapping[int, int]) -> Node | None:
    """Return the one node of a part that none of its others reads; None if there are several, as nothing says which is which."""
    own = [node for node in nodes if node.index in places and side.graph.nodes[node.index] is node]
    read = {source[0] for node in own for source in node.inputs}
    ends = [node for node in own if node.index not in read]
    return ends[0] if len(ends) == 1 else None
