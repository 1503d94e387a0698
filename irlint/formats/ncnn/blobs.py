"""Blobs without the Split that they need: several layers read them, or what a lost Split would give. The fix inserts it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat

from irlint.checks.names import ValueWiring, copies, lost_inputs
from irlint.findings import Fix, Problem, Safety
from irlint.formats.ncnn.rules import R
from irlint.graph import NOWHERE, Graph, Node, Source
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.layers.document import LayerDocument, LayerRow
from irlint.text.words import count

_SPLIT = re.compile(r"(?P<of>.+)_splitncnn_[0-9]+")
Lost = Sequence[tuple[Node, int, str]]
Readers = Sequence[tuple[Node, int]]
_MOST = 64  # Splits that one fix inserts: each finding shows the whole fix


def lost_splits(model: Model, document: LayerDocument, wiring: ValueWiring) -> Lost:
    """Return the undefined inputs that are named as outputs of a Split of a blob that is there: reader, input, name."""
    if not wiring.is_undefined:
        return []
    lost = lost_inputs(model, document, wiring.defined)
    return [one for one in lost if one[2] not in wiring.defined and _origin(one, wiring) is not None]


def _origin(one: tuple[Node, int, str], wiring: ValueWiring) -> Source | None:
    match = _SPLIT.fullmatch(one[2])
    origin = wiring.defined.get(match["of"]) if match else None
    return origin if origin is not None and origin.node < one[0].index else None


def split_problems(model: Model, document: LayerDocument, wiring: ValueWiring, lost: Lost) -> Iterator[Problem]:
    by_origin: dict[Source, list[tuple[Node, int]]] = {}
    for one in lost:
        if (origin := _origin(one, wiring)) is not None:
            by_origin.setdefault(origin, []).append(one[:2])
    wanted = list(by_origin.items())
    for (source, readers), fix in zip(wanted, inserting(wanted, renamed=False), strict=True):
        (node, k), *others = readers
        blob = document.rows[source.node].outputs[source.output]
        message = f"undefined blob {document.rows[node.index].inputs[k]!r}: Split of blob {blob!r} is missing"
        at, related = model.graph.place(node, f"input:{k}"), _places(model.graph, "also read here", others)
        yield Problem(R.undefined_reference, at, message, node.name, fix, related)
    if wiring.is_shared:
        yield from _shared(model.graph, document, wiring.is_twice)


def _shared(graph: Graph, document: LayerDocument, is_twice: bool) -> Iterator[Problem]:
    """Report blobs that several layers read. The runtime frees a blob after its first reader; for the next it computes the blob
    again, which fails at the network's inputs, freed as well."""
    wanted = list(_readers(graph.nodes, document.rows, is_twice).items())
    how = inserting(wanted, renamed=True, safety="unsafe" if _are_doubtful(graph.nodes, wanted) else "safe")
    for (source, found), fix in zip(wanted, how, strict=True):
        node, k = next((node, k) for node, k in found if node is not found[0][0])
        layers = count(len({reader.index for reader, _ in found}), "layer")
        name = document.rows[source.node].outputs[source.output]
        message = f"blob {name!r} is read by {layers} without Split; the runtime frees it after the first"
        related = [("defined here", graph.place(source.node, f"output:{source.output}"))]
        related += _places(graph, "read here", [one for one in found if one != (node, k)][:8])
        yield Problem(R.missing_split, graph.place(node, f"input:{k}"), message, node.name, fix, related)


def _are_doubtful(nodes: Sequence[Node], wanted: Sequence[tuple[Source, Readers]]) -> bool:
    """Return whether one of the readers may have been meant to read another blob: one above them is unused."""
    read = {source for node in nodes for source in node.inputs}
    last = max((node.index for _, found in wanted for node, _ in found), default=0)
    return any((node.index, k) not in read for node in nodes[:last] for k in range(len(node.outputs)))


def _readers(nodes: Sequence[Node], rows: Sequence[LayerRow], is_twice: bool) -> dict[Source, list[tuple[Node, int]]]:
    """Return the readers of each blob that several layers read and that cannot be computed again. Who reads a blob that is defined
    twice is another question."""
    several = _several(nodes)
    if not several:
        return {}
    copied = copies(rows) if is_twice else set()
    times = Counter(name for row in rows for name in row.outputs) if is_twice else Counter[str]()
    constant, readers = _constants(nodes), dict[Source, list[tuple[Node, int]]]()
    for node in nodes:
        for k, source in enumerate(node.inputs if node.index not in copied else ()):
            if source in several and not constant[source[0]] and times[rows[source[0]].outputs[source[1]]] < 2:
                readers.setdefault(Source(*source), []).append((node, k))
    return {source: found for source, found in readers.items() if len({node.index for node, _ in found}) > 1}


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


def inserting(
    wanted: Sequence[tuple[Source, Readers]], *, renamed: bool, safety: Safety = "safe"
) -> Iterator[Callable[[Document], Fix | None]]:
    """Yield for each blob the fix that inserts a Split below the layer that defines it. As every such fix sets the same counts, blobs
    share one. `renamed`: the readers get new names; else they have the names of the Split's outputs already."""
    for k in range(0, len(wanted), _MOST):
        some = wanted[k : k + _MOST]
        yield from repeat(_insertion(some, renamed, safety), len(some))


def _insertion(
    wanted: Sequence[tuple[Source, Readers]], renamed: bool, safety: Safety
) -> Callable[[Document], Fix | None]:
    made: list[tuple[Document, Fix | None]] = []

    def fix(document: Document) -> Fix | None:
        if not made or made[0][0] is not document:
            assert isinstance(document, LayerDocument)
            made[:] = [(document, _inserted(document, wanted, renamed, safety))]
        return made[0][1]

    return fix


def _inserted(
    document: LayerDocument, wanted: Sequence[tuple[Source, Readers]], renamed: bool, safety: Safety
) -> Fix | None:
    rows = document.rows
    if (document.count("layers") or 0) < len(rows):
        return None  # what is inserted would push other layers out
    names = {name for row in rows for name in (row.name, *row.outputs)}
    edits, splits, added = list[Edit](), 0, 0
    for source, readers in wanted:
        blob = rows[source.node].outputs[source.output]
        outputs = [rows[node.index].inputs[k] for node, k in readers]
        if renamed:
            places = [Place((node.index, "inputs", k)) for node, k in readers]
            outputs = [_free(f"{blob}_splitncnn_{j}", names) for j in range(len(readers))]
            edits += map(Edit, map(document.span, places), outputs)
        if len(set(outputs)) == len(outputs):
            end = document.text_of(rows[source.node]).end
            line = f"{'Split':<24} {_free(f'split_{blob}', names):<24} 1 {len(outputs)} {blob} {' '.join(outputs)}"
            edits.append(Edit(Span(end, end), document.newline + line))
            splits, added = splits + 1, added + len(outputs)
    counts = {"layers": len(rows) + splits, "blobs": sum(len(row.outputs) for row in rows) + added}
    edits += [Edit(document.span(Place((which,))), str(counts[which])) for which in counts.keys() & document.header]
    title = "Insert Split" if splits == 1 else f"Insert {count(splits, 'Split')}"
    return Fix(title, tuple(sorted(edits)), safety) if splits else None


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
