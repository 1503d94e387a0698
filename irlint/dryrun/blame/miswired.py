"""An input connected to the wrong value: with an unused value instead, every error disappears."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from irlint.dryrun.infer import Inference, NodeShapeError, infer
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor, taken
from irlint.dryrun.trial import tried
from irlint.graph import Graph, Node, above
from irlint.records import NamedTuple

_NODES = 40_000  # limit of the search for the input
_UNREAD = 3  # with more unused values, one proves nothing


class MiswiredInput(NamedTuple):
    """`node` uses the wrong value as its input `k`; `meant` is the node whose value is unused."""

    node: Node
    k: int
    meant: Node


def find_miswired_input(
    graph: Graph, mapping: Mapping, broken: Collection[int], found: Inference, mistakes: list[NodeShapeError]
) -> MiswiredInput | None:
    """Return the one input that explains all these errors, if there is one."""
    if not mistakes:
        return None
    users, nodes = graph.consumers(), graph.nodes
    handed = {source[0] for source in graph.outputs}
    unread = [k for k, readers in enumerate(users) if not readers and k not in handed and nodes[k].kind != "const"]
    if not 0 < len(unread) <= _UNREAD:
        return None
    tries = _NODES // len(nodes)
    for candidate in _candidates(graph, users, unread, min(m.node.index for m in mistakes)):
        output = _output(graph, mapping, found, candidate)
        if output is None:
            continue
        tries -= 1
        if tries < 0:
            return None
        again = infer(graph, mapping, {candidate.node.index: output}, broken)
        if not again.mistakes[id(graph)]:
            return candidate
    return None


def _candidates(graph: Graph, users: list[list[int]], unread: list[int], last: int) -> Iterator[MiswiredInput]:
    """Yield inputs of the nodes between an unused value and the first error, the nearest first; another node
    uses their current input, too."""
    nodes = graph.nodes
    shared = [
        k for source, _ in nodes[last].inputs if source >= 0 and nodes[source].kind == "var" for k in users[source]
    ]
    between = sorted({*above(graph, last), last, *shared})  # other users of a variable may be why its shape is wrong
    for meant in reversed(unread):
        for index in between:
            if index <= meant or nodes[index].kind != "call":
                continue
            for k, (source, _) in enumerate(nodes[index].inputs):
                own = nodes[source].name.startswith(nodes[index].name)  # variables are named after their users
                if source >= 0 and len(users[source]) > 1 and not own:
                    yield MiswiredInput(nodes[index], k, nodes[meant])


def _output(graph: Graph, mapping: Mapping, found: Inference, candidate: MiswiredInput) -> Tensor | None:
    """Return the output of the node with the intended input."""
    types = found.types[id(graph)]
    meant = types[candidate.meant.index][:1]
    if not meant or (meant[0].shape is None and candidate.meant.kind != "var"):
        return None
    inputs = taken(types, candidate.node.inputs)
    inputs[candidate.k] = meant[0]
    outputs = tried(lambda: mapping.call_of(graph, candidate.node), inputs)
    return outputs[0] if outputs else None
