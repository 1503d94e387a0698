"""Graphs whose edges are names: which layer defines each value, which layers read it, and what is wrong with that."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, repeat
from operator import attrgetter, lt
from typing import Any

from irlint.checks.layer_order import moving
from irlint.checks.problems import duplicate_definition, undefined_reference
from irlint.codes import R, Severity
from irlint.findings import Fix, Problem
from irlint.graph import NOWHERE, Graph, Node, Source, label
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Place
from irlint.text.layers.document import LayerDocument, LayerRow

_INPUTS, _OUTPUTS = attrgetter("inputs"), attrgetter("outputs")
_source: Callable[[tuple[int, int]], Source] = partial(tuple.__new__, Source)
COMPARISONS = 1_000_000  # of names in one file


class Terms(NamedTuple):
    """What a format calls layers and their values, and which layers have weights that are stored in the order of the layers."""

    layer: str
    value: str
    has_weights: Callable[[LayerRow], bool]


class ValueWiring(NamedTuple):
    """What the names of values say. The last three are whether anything has to be looked at more closely."""

    defined: Mapping[str, Source]  # by name; of equal names the first, which layers that read it get
    outputs: list[Source]  # values that no layer reads
    is_undefined: bool  # a name that no layer above defines is read
    is_twice: bool  # a name is defined twice
    is_shared: bool  # a value is read by several layers
    made: int  # values, those of equal names too


def wire(rows: Sequence[LayerRow]) -> ValueWiring:
    inputs, outputs = list(map(_INPUTS, rows)), list(map(_OUTPUTS, rows))
    read, made = list(chain.from_iterable(inputs)), list(chain.from_iterable(outputs))
    sources = list(map(_source, zip(_layers(outputs), chain.from_iterable(map(range, map(len, outputs))), strict=True)))
    defined = dict(zip(made, sources, strict=True))
    is_twice = len(defined) < len(made)
    if is_twice:
        defined = dict(zip(reversed(made), reversed(sources), strict=True))
    readers = set(read)
    unread = [
        source
        for name, source in zip(made, sources, strict=True)
        if name not in readers or (is_twice and defined[name] is not source)
    ]
    found: list[Any] = list(map(defined.get, read))
    is_undefined = not all(found) or not all(map(lt, found, zip(_layers(inputs), strict=True)))
    is_shared = len(readers) < len(read) and _is_shared(rows)
    return ValueWiring(defined, unread, is_undefined, is_twice, is_shared, len(made))


def _layers(names: Sequence[tuple[str, ...]]) -> Iterator[int]:
    """Yield the layer of each name."""
    return chain.from_iterable(map(repeat, range(len(names)), map(len, names)))


def _is_shared(rows: Sequence[LayerRow]) -> bool:
    reader: dict[str, int] = {}
    return any(reader.setdefault(name, index) != index for index, row in enumerate(rows) for name in row.inputs)


def copies(rows: Sequence[LayerRow]) -> set[int]:
    """Return the layers that repeat one above to the letter. Their values cannot be asked for, so that they are never computed."""
    seen: set[tuple[object, ...]] = set()
    written = [(row.op, row.inputs, row.outputs, row.params) for row in rows]
    return {k for k, one in enumerate(written) if one in seen or seen.add(one)}  # type: ignore[func-returns-value]


def name_problems(
    model: Model, document: LayerDocument, wiring: ValueWiring, terms: Terms, explained: Collection[str] = ()
) -> Iterator[Problem]:
    """Report values that are undefined, defined twice or read too early. `explained`: undefined names that another finding is about."""
    twice = list(_definitions(model, document, wiring.defined, terms)) if wiring.is_twice else []
    undefined = list(_references(model, document, wiring.defined, terms, explained)) if wiring.is_undefined else []
    if len(twice) == len(undefined) == 1 and twice[0].is_error and _is_one_slip(twice[0], undefined[0]):
        # One name was written for another: what is defined twice is what is missing below.
        twice[0].related = [*twice[0].related, (undefined[0].text, undefined[0].at)]
        undefined = []
    yield from (*twice, *undefined)


def _is_one_slip(twice: Problem, undefined: Problem) -> bool:
    """Return whether the missing name may be the one that another was written for: above its reader."""
    places = twice.at, undefined.at
    is_above = all(isinstance(at, Place) for at in places) and places[0].path[0] < places[1].path[0]  # type: ignore[union-attr,operator]
    return is_above and undefined.rule == R.undefined_reference


def _definitions(
    model: Model, document: LayerDocument, defined: Mapping[str, Source], terms: Terms
) -> Iterator[Problem]:
    graph, copied, names = model.graph, copies(document.rows), _Names(document.rows)
    for node in graph.nodes:
        for k, value in enumerate(node.outputs if id(node) not in model.silent else ()):
            first = defined[value.name or ""]
            if first == (node.index, k):
                continue
            other = graph.nodes[first.node]
            reads = f"{terms.layer}s that read it get the one of {label(other)}"
            message = f"duplicate {terms.value} {value.name!r}; {reads}"
            at, there = graph.place(node, f"output:{k}"), graph.place(other, f"output:{first.output}")
            if node.index in copied:
                yield duplicate_definition(at, message, there, node.name, severity=Severity.WARNING)
            else:
                yield duplicate_definition(at, message, there, node.name, _renaming(graph, node, k, names))


class _Names:
    """Where the rows of a document name each value, for many fixes."""

    def __init__(self, rows: Sequence[LayerRow]) -> None:
        self.rows = rows

    @cached_property
    def inputs(self) -> dict[str, list[tuple[int, int]]]:
        return _places([row.inputs for row in self.rows])

    @cached_property
    def outputs(self) -> dict[str, list[tuple[int, int]]]:
        return _places([row.outputs for row in self.rows])

    def readers(self, name: str, index: int) -> list[tuple[int, int]]:
        """Return the inputs below a row that read its output: up to the next row that has one of the same name."""
        inputs, outputs = self.inputs.get(name, []), self.outputs.get(name, [])
        after = bisect(outputs, (index + 1,))
        end = outputs[after][0] + 1 if after < len(outputs) else len(self.rows)
        return inputs[bisect(inputs, (index + 1,)) : bisect(inputs, (end,))]


def _places(names: list[tuple[str, ...]]) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for index, row in enumerate(names):
        for k, name in enumerate(row):
            found.setdefault(name, []).append((index, k))
    return found


def _renaming(graph: Graph, node: Node, output: int, names: _Names) -> Callable[[Document], Fix | None]:
    """Return a fix that gives a value that is defined a second time a name of its own, there and in the layers below: in place of
    what they read, as programs that compute in place mean it."""

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, LayerDocument)
        known = names if names.rows is document.rows else _Names(document.rows)
        old = known.rows[node.index].outputs[output]
        new = f"{old}_{node.name}"
        if new in known.inputs or new in known.outputs:
            return None
        readers = [Place((below, "inputs", k)) for below, k in known.readers(old, node.index)]
        edits = sorted(Edit(document.span(at), new) for at in (graph.place(node, f"output:{output}"), *readers))
        return Fix(f"Rename to {new!r} here and below", tuple(edits), "unsafe")

    return fix


def lost_inputs(
    model: Model, document: LayerDocument, defined: Mapping[str, Source]
) -> Iterator[tuple[Node, int, str]]:
    """Yield the inputs that no layer above defines, and none that could not be read may define: the reader, which input, its name."""
    broken = [row for row in document.rows if row.broken]
    doubtful = {word.text for row in broken for word in document.words(row)}
    # A line has fewer names than it says: any may be the one that is missing.
    is_lost = any(len(row.inputs) + len(row.outputs) < sum(row.counts) for row in broken)
    for index in _lost(model.graph.nodes):
        node = model.graph.nodes[index]
        for k, source in enumerate(node.inputs if id(node) not in model.silent else ()):
            name = document.rows[index].inputs[k]
            if source[0] < 0 and name not in doubtful and (name in defined or not is_lost):
                yield node, k, name


def _lost(nodes: Sequence[Node]) -> list[int]:
    return [k for k, node in enumerate(nodes) if NOWHERE in node.inputs]


def _references(
    model: Model, document: LayerDocument, defined: Mapping[str, Source], terms: Terms, explained: Collection[str]
) -> Iterator[Problem]:
    graph, left = model.graph, COMPARISONS
    told = {*explained}
    for node, k, name in lost_inputs(model, document, defined):
        if name in told:
            continue
        at, later = graph.place(node, f"input:{k}"), defined.get(name)
        if later is None:
            told.add(name)
            left -= node.index
            # a number is like any other
            above = graph.nodes[: node.index] if left > 0 and not name.isdigit() else ()
            names = (value.name or "" for other in above for value in other.outputs)
            yield undefined_reference(at, label(node), terms.value, name, names, node.name)
            continue
        other = graph.nodes[later.node]
        related = [("defined here", graph.place(other, f"output:{later.output}"))]
        if other is node:
            message = f"{label(node)} reads its own output {name!r}"
            yield Problem(R.self_reference, at, message, node.name)
        else:
            message = f"{label(node)} reads {terms.value} {name!r} before {label(other)} defines it"
            mend = moving(node.index, later.node, terms.has_weights)
            yield Problem(R.used_before_defined, at, message, node.name, mend, related)
