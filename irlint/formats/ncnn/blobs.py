"""Names of blobs: undefined, defined twice, read too early, read by several layers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from irlint.codes import Severity
from irlint.findings import Problem
from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.order import moving
from irlint.formats.ncnn.split import inserting
from irlint.formats.ncnn.wiring import Wiring, copies
from irlint.graph import NOWHERE, Node, Source, label
from irlint.operators import nearest
from irlint.rules.attributes._check import writing
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.layers import LayerDocument
from irlint.text.words import count

_SPLIT = re.compile(r"(?P<of>.+)_splitncnn_[0-9]+")
COMPARISONS = 1_000_000  # of names in one file


def blob_problems(model: Model, document: LayerDocument, wiring: Wiring) -> Iterator[Problem]:
    copied = copies(document.rows) if wiring.is_twice else set()
    twice = list(_definitions(model, wiring.defined, copied)) if wiring.is_twice else []
    undefined = list(_references(model, document, wiring.defined)) if wiring.is_undefined else []
    if len(twice) == len(undefined) == 1 and twice[0].is_error and _is_one_slip(twice[0], undefined[0]):
        # One name was written for another: what is defined twice is what is missing below.
        twice[0].related = [*twice[0].related, (undefined[0].message, undefined[0].at)]
        undefined = []
    yield from (*twice, *undefined)
    if wiring.is_shared and model.dialect == "param":
        yield from _splits(model, document, copied)


def _is_one_slip(twice: Problem, undefined: Problem) -> bool:
    """Return whether the name that is missing may be the one that stands where another is repeated: above its reader."""
    places = twice.at, undefined.at
    is_above = all(isinstance(at, Place) for at in places) and places[0].path[0] < places[1].path[0]  # type: ignore[union-attr,operator]
    return is_above and undefined.rule == R.undefined_reference


def _definitions(model: Model, defined: Mapping[str, Source], copied: set[int]) -> Iterator[Problem]:
    graph = model.graph
    for node in graph.nodes:
        for k, value in enumerate(node.outputs):
            if id(node) in model.silent:
                continue
            first = defined[value.name or ""]
            if first != (node.index, k):
                other = graph.nodes[first.node]
                message = f"duplicate blob {value.name!r}; layers that read it get the one of {label(other)}"
                at, related = (
                    graph.place(node, f"output:{k}"),
                    [("first defined here", graph.place(other, f"output:{first.output}"))],
                )
                severity = Severity.WARNING if node.index in copied else None
                yield Problem(R.duplicate_definition, at, message, node.name, related=related, severity=severity)


def _references(model: Model, document: LayerDocument, defined: Mapping[str, Source]) -> Iterator[Problem]:
    graph, left = model.graph, COMPARISONS
    lost: dict[str, list[tuple[Node, int]]] = {}  # by blob whose Split is missing
    doubtful: set[str] | None = None
    is_lost = False  # a line has fewer names than it says: any may be the one that is missing
    told: set[str] = set()
    for index in model.memory.picked("lost", graph.nodes, _lost):
        node = graph.nodes[index]
        for k, source in enumerate(node.inputs):
            if source[0] >= 0 or id(node) in model.silent:
                continue
            name = document.rows[node.index].inputs[k]
            if doubtful is None:  # names that lines may define that could not be read
                doubtful = {word.text for row in document.rows if row.broken for word in document.words(row)}
                is_lost = any(
                    len(row.inputs) + len(row.outputs) < sum(row.counts) for row in document.rows if row.broken
                )
            if name in doubtful or name in told or (is_lost and name not in defined):
                continue
            at = graph.place(node, f"input:{k}")
            if (later := defined.get(name)) is not None:
                other = graph.nodes[later.node]
                related = [("defined here", graph.place(other, f"output:{later.output}"))]
                if other is node:
                    message = f"{label(node)} reads its own output {name!r}"
                    yield Problem(R.self_reference, at, message, node.name)
                else:
                    message = f"{label(node)} reads blob {name!r} before {label(other)} defines it"
                    fix = moving(node.index, later.node)
                    yield Problem(R.used_before_defined, at, message, node.name, fix, related)
                continue
            match = _SPLIT.fullmatch(name)
            if match and match["of"] in defined and defined[match["of"]].node < node.index:
                lost.setdefault(match["of"], []).append((node, k))
                continue
            told.add(name)
            left -= node.index
            meant = None
            if left > 0 and not name.isdigit():  # a number is like any other
                meant = nearest(
                    name, [value.name or "" for other in graph.nodes[: node.index] for value in other.outputs]
                )
            message = f"undefined blob {name!r} in the inputs of {label(node)}" + (
                f"; did you mean {meant!r}?" if meant else ""
            )
            replacing = writing(at, meant, f"Replace with {meant!r}") if meant else None
            yield Problem(R.undefined_reference, at, message, node.name, replacing)
    for name, readers in lost.items():
        (node, k), *others = readers
        related = [("also read here", graph.place(other, f"input:{j}")) for other, j in others]
        message = f"undefined blob {document.rows[node.index].inputs[k]!r}: Split of blob {name!r} is missing"
        fix = inserting(graph, [(defined[name], readers)], renamed=False)
        yield Problem(R.undefined_reference, graph.place(node, f"input:{k}"), message, node.name, fix, related)


def _same_inputs(old: Node, new: Node) -> bool:
    return old.inputs == new.inputs


def _lost(nodes: Sequence[Node]) -> list[int]:
    return [k for k, node in enumerate(nodes) if NOWHERE in node.inputs]


def _splits(model: Model, document: LayerDocument, copied: set[int]) -> Iterator[Problem]:
    """Report blobs that several layers read. The runtime frees a blob after its first reader; for the next it computes the blob
    again, which fails at the network's inputs, freed as well."""
    graph = model.graph
    nodes = graph.nodes
    several = model.memory.alike("several readers", nodes, None, _same_inputs, lambda: _several(nodes))
    if not several:
        return
    constant = _constants(nodes)
    several = {source for source in several if not constant[source.node]}
    readers: dict[Source, list[tuple[Node, int]]] = {}
    for node in graph.nodes:
        for k, source in enumerate(node.inputs):
            if source in several and node.index not in copied:
                readers.setdefault(Source(*source), []).append((node, k))
    readers = {source: found for source, found in readers.items() if len({node.index for node, _ in found}) > 1}
    fix = inserting(graph, list(readers.items()), renamed=True)
    for source, found in readers.items():
        first = found[0][0]
        node, k = next((node, k) for node, k in found if node is not first)
        name = document.rows[source.node].outputs[source.output]
        layers = len({reader.index for reader, _ in found})
        message = (
            f"blob {name!r} is read by {count(layers, 'layer')} without Split; the runtime frees it after the first"
        )
        related = [("defined here", graph.place(source.node, f"output:{source.output}"))]
        related += [("read here", graph.place(other, f"input:{j}")) for other, j in found if (other, j) != (node, k)][
            :8
        ]
        yield Problem(R.missing_split, graph.place(node, f"input:{k}"), message, node.name, fix, related)


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
