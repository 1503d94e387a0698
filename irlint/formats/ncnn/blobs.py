"""Blobs without the Split that they need: several layers read them, or what a lost Split would give."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from irlint.checks.names import Wiring, copies, lost_inputs
from irlint.findings import Problem
from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.split import Readers, inserting
from irlint.graph import NOWHERE, Graph, Node, Source
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.layers.document import LayerDocument
from irlint.text.words import count

_SPLIT = re.compile(r"(?P<of>.+)_splitncnn_[0-9]+")
Lost = Sequence[tuple[Node, int, str]]


def lost_splits(model: Model, document: LayerDocument, wiring: Wiring) -> Lost:
    """Return the undefined inputs that are named as outputs of a Split of a blob that is there: reader, input, name."""
    if not wiring.is_undefined:
        return []
    lost = lost_inputs(model, document, wiring.defined)
    return [one for one in lost if one[2] not in wiring.defined and _origin(one, wiring) is not None]


def _origin(one: tuple[Node, int, str], wiring: Wiring) -> Source | None:
    match = _SPLIT.fullmatch(one[2])
    origin = wiring.defined.get(match["of"]) if match else None
    return origin if origin is not None and origin.node < one[0].index else None


def split_problems(model: Model, document: LayerDocument, wiring: Wiring, lost: Lost) -> Iterator[Problem]:
    by_origin: dict[Source, list[tuple[Node, int]]] = {}
    for one in lost:
        if (origin := _origin(one, wiring)) is not None:
            by_origin.setdefault(origin, []).append(one[:2])
    wanted = list(by_origin.items())
    for (source, readers), fix in zip(wanted, inserting(wanted, renamed=False), strict=True):
        names = [document.rows[node.index].inputs[k] for node, k in readers]
        blob = document.rows[source.node].outputs[source.output]
        message = f"undefined blob {names[0]!r}: Split of blob {blob!r} is missing"
        (node, k), *others = readers
        at, related = model.graph.place(node, f"input:{k}"), _places(model.graph, "also read here", others)
        yield Problem(R.undefined_reference, at, message, node.name, fix, related)
    if wiring.is_shared:
        yield from _shared(model, document, wiring.is_twice)


def _shared(model: Model, document: LayerDocument, is_twice: bool) -> Iterator[Problem]:
    """Report blobs that several layers read. The runtime frees a blob after its first reader; for the next it computes the blob
    again, which fails at the network's inputs, freed as well. Who reads a blob that is defined twice is another question."""
    copied, times = set[int](), Counter[str]()
    if is_twice:
        copied = copies(document.rows)
        times = Counter(name for row in document.rows for name in row.outputs)
    graph = model.graph
    nodes = graph.nodes
    if not (several := _several(nodes)):
        return
    constant = _constants(nodes)
    several = {
        source
        for source in several
        if not constant[source.node] and times[document.rows[source.node].outputs[source.output]] < 2
    }
    readers: dict[Source, list[tuple[Node, int]]] = {}
    for node in nodes:
        for k, source in enumerate(node.inputs):
            if source in several and node.index not in copied:
                readers.setdefault(Source(*source), []).append((node, k))
    wanted = [(source, found) for source, found in readers.items() if len({node.index for node, _ in found}) > 1]
    for (source, found), fix in zip(wanted, inserting(wanted, renamed=True), strict=True):
        node, k = next((node, k) for node, k in found if node is not found[0][0])
        layers = count(len({reader.index for reader, _ in found}), "layer")
        name = document.rows[source.node].outputs[source.output]
        message = f"blob {name!r} is read by {layers} without Split; the runtime frees it after the first"
        related = [("defined here", graph.place(source.node, f"output:{source.output}"))]
        related += _places(graph, "read here", [one for one in found if one != (node, k)][:8])
        yield Problem(R.missing_split, graph.place(node, f"input:{k}"), message, node.name, fix, related)


def _places(graph: Graph, what: str, readers: Readers) -> list[tuple[str, Place]]:
    return [(what, graph.place(node, f"input:{k}")) for node, k in readers]


def _several(nodes: Sequence[Node]) -> set[Source]:
    found: set[Source] = set()
    reader: dict[Source, int] = {}
    for node in nodes:
        for source in node.inputs:
            if reader.setdefault(source, node.index) != node.index:
                found.add(source)
    return found - {NOWHERE}


def _constants(nodes: Sequence[Node]) -> list[bool]:
    """Return of each layer whether its blobs can be computed again at any time: from constants only."""
    found: list[bool] = []
    for node in nodes:
        found.append(node.kind != "var" and all(found[source] for source, _ in node.inputs if source >= 0))
    return found
