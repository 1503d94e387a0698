"""Parts of both versions in which one value is computed from values that both have: it is asked whether they output the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

from irlint.dryrun.dtypes import FLOATS
from irlint.graph import Shape, Source
from irlint.inspection.folding.folded_graph import FoldedGraph
from irlint.inspection.review.rerun.together import MOST_NODES
from irlint.inspection.review.roles import SHAPES
from irlint.records import NamedTuple

_FURTHER = 4  # times that parts begin further above
Key = Hashable  # what a value that both versions have is called
Known = Callable[[Source], "Key | None"]


class Lengths(NamedTuple):
    """A value that depends on lengths of inputs only."""

    shape: Shape
    entries: tuple[float | str, ...]


class Measured(NamedTuple):
    """A value of one version of which only the shape is read."""

    version: int
    source: Source


OWN = (Lengths, Measured)  # what each version may read by itself


class PartSide(NamedTuple):
    """The part of one version: its nodes, and what they read from before, by what it is called in both versions."""

    version: FoldedGraph
    nodes: frozenset[int]
    given: dict[Source, Key]

    @property
    def key(self) -> Key:
        """What another part with the same nodes, which read the same, has, too."""
        return self.nodes, frozenset(self.given.items())

    def named(self) -> Iterable[float]:
        """Return the numbers that may be bounds."""
        return self.version.named(self.nodes)


class Region(NamedTuple):
    """Parts of both versions with one end: a node, or where an output comes from."""

    ends: tuple[Source, Source]
    outputs: int  # of the end that are compared
    old: PartSide
    new: PartSide

    @property
    def key(self) -> Key:
        """What the same part of both versions has."""
        return self.ends, self.old.key, self.new.key

    @property
    def versions(self) -> tuple[FoldedGraph, FoldedGraph]:
        return self.old.version, self.new.version


def is_one_kind(old: str | None, new: str | None) -> bool:
    """Return whether values of two types may be the same but for rounding."""
    return None in (old, new) or old == new or {old, new} <= FLOATS


def region(
    ends: tuple[Source, Source],
    outputs: int,
    versions: Sequence[FoldedGraph],
    known: Sequence[Known],
    past: Collection[Key] = (),
) -> Region:
    """Return the parts of both versions that values are computed in, from values that both have; `past`: but for these. What only one part
    reads both read from there, if it is next to what they read; else it is read from further above."""
    past = set(past)
    for _ in range(_FURTHER):
        old, new = (_side(version, end[0], one, past) for version, end, one in zip(versions, ends, known, strict=True))
        ours, theirs = ({key for key in each.given.values() if not isinstance(key, OWN)} for each in (old, new))
        if ours == theirs:
            break
        past |= _below(old, known[0], theirs - ours) | _below(new, known[1], ours - theirs) or ours ^ theirs
    return Region(ends, outputs, old, new)


def _below(side: PartSide, known: Known, keys: Collection[Key]) -> set[Key]:
    """Return what a part reads that is computed from some other values at once."""
    given = ((source, key) for source, key in side.given.items() if keys and not isinstance(key, OWN))
    nodes = ((side.version.graph.nodes[source[0]], key) for source, key in given)
    return {key for node, key in nodes if any(known(Source(*one)) in keys for one in node.inputs)}


def _side(version: FoldedGraph, end: int, known: Known, past: Collection[Key]) -> PartSide:
    """Return what a value is computed from, up to values that are `known`; but not up to what is `past`. Where only a shape is read, each
    version may begin with another value."""
    nodes, given = set[int](), dict[Source, Key]()
    stack, measured, sizing = [(end, False)], list[Source](), set[int]()
    while stack and len(nodes) <= MOST_NODES:
        index, is_size = stack.pop()
        seen = sizing if is_size else nodes
        if index in seen:
            continue
        seen.add(index)
        nodes.add(index)
        node = version.graph.nodes[index]
        shaping = range(len(node.inputs)) if is_size else version.shaping(node)
        is_shape = version.form.names.of(node) in SHAPES
        for place, source in enumerate(Source(*one) for one in node.inputs):
            if source[0] not in version.fed:
                continue
            # a drawn number would be a wrong length, and what is computed from it, too
            is_length = place in shaping and bool(version.graph.nodes[source[0]].inputs)
            key = _key(version, index, source, None if is_shape or is_length else known)
            if key is None and is_shape:
                measured.append(source)
            elif _is_past(version, source, key, past):
                stack.append((source[0], is_length))
            else:
                given[source] = key
    _measure(version, measured, known, nodes, given)
    return PartSide(version, frozenset(nodes), _without(given, nodes))


def _key(version: FoldedGraph, reader: int, source: Source, known: Known | None) -> Key | None:
    lengths = version.symbols(source)
    if lengths is not None:
        return Lengths(*lengths)
    return None if known is None or version.is_inside_layer(reader, source[0]) else known(source)


def _is_past(version: FoldedGraph, source: Source, key: Key | None, past: Collection[Key]) -> bool:
    """Return whether a part begins further above; a run is given the first outputs of nodes."""
    return key is None or bool(source[1]) or (key in past and bool(version.graph.nodes[source[0]].inputs))


def _without(given: dict[Source, Key], nodes: Collection[int]) -> dict[Source, Key]:
    """Return what is given without what is computed because of another output of its node."""
    return {source: key for source, key in given.items() if source[0] not in nodes}


def _measure(
    version: FoldedGraph, stack: list[Source], known: Known, nodes: set[int], given: dict[Source, Key]
) -> None:
    """Add the nodes of values of which only the shape is read, and what they read."""
    while stack and len(nodes) <= MOST_NODES:
        source = stack.pop()
        if source in given or source[0] in nodes or source[0] not in version.fed:
            continue
        if known(source) is not None and not source[1]:
            given[source] = Measured(id(version), source)
            continue
        nodes.add(source[0])
        stack += [Source(*one) for one in version.graph.nodes[source[0]].inputs]
