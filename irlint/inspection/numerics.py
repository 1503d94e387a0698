"""Which nodes of a new version of a model compute other values than those of the old one, or have other weights."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence, Set
from itertools import chain

from irlint.codes import R
from irlint.dryrun.dtypes import BITS, INTEGERS
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.weights import values
from irlint.findings import Problem
from irlint.formats.base import all_formats
from irlint.graph import Graph, Node, Shape, above
from irlint.inspection.folding.folded import Folding
from irlint.inspection.folding.same_values import is_folded
from irlint.inspection.review.called_functions import CalledFunctions
from irlint.inspection.review.changes import OF_WEIGHTS, differences
from irlint.inspection.review.computation import only_shaping
from irlint.inspection.review.difference import Difference, NodePair
from irlint.inspection.review.network_report import verdict
from irlint.inspection.review.requantized import requantized
from irlint.inspection.types import mapping_of, remembering
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.text.base import Place
from irlint.text.words import count
from irlint.tools.installed import is_installed

_COMPUTING = {"operator", "attribute", "input"}  # changes of a node that change what it computes
_HELD = {"attribute", "type"}  # changes of a constant whose values are not there
_OTHERWISE = "computed in another way"
_BECAME = {"added": "is new", "removed": "was removed", "changed": "changed", "same": "changed", "follows": "changed"}
_FEW_BITS = 8  # of quantized weights
_NAMED = 10  # nodes that a finding names


def numeric_problems(
    old: Model, new: Model, outputs: Sequence[tuple[int, int]], settings: Settings
) -> Generator[Problem, None, list[str]]:
    """Report what computes other values, and other weights: one problem of each rule. `outputs` are the nodes, old and new, of the
    outputs of both versions. Returns what else to say: which weights are not compared, and which are rounded."""
    has_weights = is_installed("numpy")
    found = differences(old, new, weights=has_weights, network=has_weights)
    pairs, read = found.pairs, _Readers(found.pairs, new)
    shaping, calling = {id(pair) for pair in pairs if read.only_shape(pair)}, _other_calls(old, new, pairs)
    readers = {id(one) for pair in pairs if id(pair) in shaping for one in read.of(pair)}
    compressed, left = requantized(found)  # weights that one version stores in another type are compared as weights
    changed = _changed(old, new, left, outputs, readers | calling)
    computing, tested = _unexplained(old, new, found, changed, shaping, calling)
    yield from _of_computing(new, _common(computing, left), calling, read)
    if has_weights and settings.wants(*R.changed_weights):
        yield from _of_weights(found, shaping, tested, mapping_of(new), bool(compressed))
    notes = [f"{one}: what rounding explains is not reported" for one in compressed]
    if not notes and found.network is not None and any(map(_is_quantized, found.pairs)):
        notes.append(verdict(found.network))
    if found.unread:
        missing = f"the values of {count(found.unread, 'node')} are missing in one version or in both"
        notes.append(f"weights not compared: {missing}")
    return notes


def _changed(
    old: Model, new: Model, pairs: Sequence[NodePair], outputs: Sequence[tuple[int, int]], others: Set[int]
) -> list[NodePair]:
    """Return the nodes that may compute other values; `others`: id() of some that do so though they are as they were."""
    ends = [*zip(*outputs, strict=True)] or [(), ()]
    needed = {one for model, own in zip((old, new), ends, strict=True) for one in _needed(model, own)}
    return [pair for pair in pairs if id(pair) in others or _computes(pair, needed, (old.graph, new.graph))]


def _of_computing(new: Model, computing: Sequence[NodePair], calling: Set[int], read: _Readers) -> Iterator[Problem]:
    """Yield a problem about nodes, and one about functions."""
    calls = (pair for pair in computing if pair.new is not None and not (pair.changes or pair.new[1].graphs))
    bodies = {id(pair) for pair in calls} & calling
    if nodes := [pair for pair in computing if id(pair) not in bodies]:
        yield _of_nodes(nodes, read)
    if bodies:
        yield _of_functions(new, [pair for pair in computing if id(pair) in bodies])


def _common(some: Sequence[NodePair], others: Sequence[NodePair]) -> list[NodePair]:
    known = set(map(id, others))
    return [pair for pair in some if id(pair) in known]


def _of_weights(
    found: Difference, shaping: Set[int], tested: Set[int], mapping: Mapping | None, is_compressed: bool
) -> Iterator[Problem]:
    """Yield a problem about other weights, without those that are shapes and those with whose other values the same is computed."""
    pairs = [pair for pair in found.pairs if id(pair) not in shaping and not (pair.new and id(pair.new[1]) in tested)]
    is_requantized = is_compressed or any(map(_is_quantized, found.pairs))  # numbers of two types are not compared
    layers = found.network.apart if found.network is not None and is_requantized else ()
    places = [_place(pair) for pair in (*(pair for pair in pairs if _differ(mapping, pair)), *layers)]
    if places:
        yield Problem(R.changed_weights, _first(places), f"{count(len(places), 'node')} with other weights")


def _is_quantized(pair: NodePair) -> bool:
    """Return whether a constant has few bits in the new version, and had others."""
    node = pair.new[1] if pair.new is not None and pair.status in ("added", "changed") else None
    is_other = pair.old is None or any(change.what in ("type", "operator") for change in pair.changes)
    types = [value.type.dtype for value in node.outputs] if node is not None and node.kind == "const" else []
    return is_other and any(dtype in INTEGERS and BITS[dtype] <= _FEW_BITS for dtype in types if dtype)


def _of_nodes(pairs: Sequence[NodePair], read: _Readers) -> Problem:
    """Return a problem about nodes that compute something else. New nodes stand in the place of those that are gone."""
    ordered = sorted(pairs, key=lambda pair: 0 if pair.new is None else pair.new[1].index)
    gone, new = (sum(pair.status == status for pair in pairs) for status in ("removed", "added"))
    related = [(f"{_named(pair)} {_BECAME[pair.status]}", read.place(pair)) for pair in ordered[:_NAMED]]
    own = (pair for pair in ordered if pair.new is not None)
    at = _first(chain(map(_place, own), (at for _, at in related)))
    words = f"{count(len(pairs) - min(gone, new), 'node')} {_OTHERWISE}"
    return Problem(R.changed_computation, at, words, related=related)


def _of_functions(new: Model, pairs: Sequence[NodePair]) -> Problem:
    """Return a problem about functions that compute something else, which some nodes call."""
    functions = CalledFunctions(new, mapping_of(new))
    numbers = sorted({functions.number(*pair.new) or 0 for pair in pairs if pair.new is not None})
    place = all_formats()[new.format].metadata_place(new, "functions", str(numbers[0]))
    return Problem(R.changed_computation, place or Place(()), f"{count(len(numbers), 'function')} {_OTHERWISE}")


def _named(pair: NodePair) -> str:
    _, node = pair.new or pair.old or (None, None)
    return "" if node is None else f"{node.name!r} ({node.op})" if node.name else node.op


def _first(places: Iterable[Place]) -> Place:
    return next((place for place in places if place.path), Place(()))


def _unexplained(
    old: Model, new: Model, found: Difference, changed: Sequence[NodePair], shaping: Set[int], calling: Set[int]
) -> tuple[Sequence[NodePair], Set[int]]:
    """Return changed nodes without those that an optimizer changes, and id() of constants that it changed together with what reads them."""
    if is_installed("numpy") and (changed or found.outputs or any(map(is_folded, found.pairs))):
        folding = Folding(old, new, found, shaping, calling)
        return folding.unexplained(changed), folding.tested
    return changed, set()


class _Readers:
    """What reads the nodes of both versions."""

    def __init__(self, pairs: Sequence[NodePair], new: Model) -> None:
        self._pairs = {id(one[1]): pair for pair in pairs for one in (pair.old, pair.new) if one is not None}
        self._mapping = mapping_of(new)
        self._users: dict[int, list[list[int]]] = {}
        self._shaping: dict[int, set[int]] = {}

    def of(self, pair: NodePair) -> list[NodePair]:
        """Return the nodes that read one, of the new version."""
        if pair.new is None:
            return []
        graph, node = pair.new
        return [
            self._pairs[id(graph.nodes[k])] for k in self._users_of(graph, node) if id(graph.nodes[k]) in self._pairs
        ]

    def only_shape(self, pair: NodePair) -> bool:
        """Return whether a constant that changed is a shape, axes, or the like for all that reads it. Values that are not there are none
        that changed."""
        is_lost = any(change.what == "weights" and change.old != change.new for change in pair.changes)
        if pair.new is None or pair.new[1].kind != "const" or pair.status != "changed" or is_lost:
            return False
        graph, node = pair.new
        if id(graph) not in self._shaping:
            self._shaping[id(graph)] = only_shaping(self._mapping, graph)
        return node.index in self._shaping[id(graph)]

    def place(self, pair: NodePair) -> Place:
        """Return where a node is; of one that is gone, where what read it is."""
        seen: set[int] = set()
        queue = deque([pair])
        while queue:
            one = queue.popleft()
            if one.new is not None:
                return one.new[0].place(one.new[1], "name")
            if one.old is not None and id(one) not in seen:
                seen.add(id(one))
                graph, node = one.old
                readers = (self._pairs.get(id(graph.nodes[k])) for k in self._users_of(graph, node))
                queue += [reader for reader in readers if reader is not None]
        return Place(())

    def _users_of(self, graph: Graph, node: Node) -> list[int]:
        if id(graph) not in self._users:
            self._users[id(graph)] = [list(users) for users in graph.consumers()]
        return self._users[id(graph)][node.index]


def _other_calls(old: Model, new: Model, pairs: Sequence[NodePair]) -> set[int]:
    """Return id() of the nodes in both versions that call a function that is not the same, or are connected with their graphs in another
    way."""
    before, after = (CalledFunctions(model, mapping_of(model)) for model in (old, new))
    both = ((pair, pair.old, pair.new) for pair in pairs if pair.old is not None and pair.new is not None)
    calls = ((pair, was, now) for pair, was, now in both if was[1].kind == now[1].kind == "call")
    return {
        id(pair)
        for pair, was, now in calls
        if before.digest(*was) != after.digest(*now) or before.wiring(*was) != after.wiring(*now)
    }


def _needed(model: Model, outputs: Sequence[int]) -> set[int]:
    """Return the id() of the nodes that outputs depend on, in this run or in the next one."""
    graph, ends = model.graph, [*outputs, *remembering(model.graph, mapping_of(model))]
    return {id(graph.nodes[index]) for index in above(graph, *ends) | {*ends}}


def _place(pair: NodePair) -> Place:
    return Place(()) if pair.new is None else pair.new[0].place(pair.new[1], "name")


def _computes(pair: NodePair, needed: Set[int], outermost: tuple[Graph, Graph]) -> bool:
    """Return whether a node computes other values. One that is new, or gone, matters if an output of both versions needs it."""
    graph, node = pair.new or pair.old or (None, None)
    if node is None or node.kind != "call":
        return False
    if pair.status in ("added", "removed"):
        return id(node) in needed or not any(graph is one for one in outermost)
    return any(change.what in _COMPUTING for change in pair.changes)


def _differ(mapping: Mapping | None, pair: NodePair) -> bool:
    """Return whether a node has other weights: a constant, or a call that holds some."""
    if pair.old is None or pair.new is None:
        return False
    node = pair.new[1]
    what = {change.what for change in pair.changes if change.what != "weights" or change.old == change.new}  # not lost
    if any(change.key == OF_WEIGHTS for change in pair.changes):
        return True
    if node.kind == "const" and "type" in what and not _has_one_shape(pair.old[1], node):
        return True
    return "weights" in what or (node.kind == "const" and _is_unread(mapping, node, what))


def _has_one_shape(old: Node, new: Node) -> bool:
    """Return whether two constants have one shape, but for axes of length one in front, as far as both are known."""
    shapes = [value.type.shape for node in (old, new) for value in node.outputs[:1]]
    if None in shapes or len(shapes) < len((old, new)):
        return True
    before, after = (_without_ones(shape) for shape in shapes if shape is not None)
    return before == after


def _without_ones(shape: Shape) -> Shape:
    """Return a shape without axes of length one in front."""
    return shape[next((k for k, dim in enumerate(shape) if dim != 1), len(shape)) :]


def _is_unread(mapping: Mapping | None, node: Node, what: Set[str]) -> bool:
    """Return whether a constant is another one as far as can be seen without its values. A name is a part of what it holds."""
    return bool(what & _HELD) and "name" not in what and values(mapping, node) is None
