"""Parts of two versions of a graph that read the same values: whether they output the same, as runs of both show. An optimizer writes a
product with a bias as a Gemm, or moves a transpose; what comes out is what came out before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import prod
from typing import Any

from irlint.dryrun.dims import compatible
from irlint.dryrun.dtypes import FLOATS
from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import cast
from irlint.graph import Dim, Shape, Source, Type
from irlint.inspection.folding.concrete import ConcreteTypes
from irlint.inspection.folding.drawn import USUAL_RUNS, RunNumbers, further
from irlint.inspection.folding.effort import most, steps
from irlint.inspection.folding.folded_graph import FoldedGraph
from irlint.inspection.review.computation import shaping_places
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.weight_marks import HUGE
from irlint.records import NamedTuple

_MOST_NODES = 200  # of one part
_SPECIAL = frozenset(("isnan", "isinf", "isfinite"))  # operators that ask for numbers that runs have not
_LEAST_RUNS = 2  # in which results are compared: drawn numbers may be no valid indices, and lengths may not fit
_CLOSE = {"float64": 1e-5, "float32": 1e-5}  # relative to the largest number of a value
_COARSE = 4e-3  # of other floating-point types
_FURTHER = 4  # times that parts begin further above
Key = Hashable  # what a value that both versions have is called
Known = Callable[[Source], "Key | None"]


class _Symbols(NamedTuple):
    """A value that depends on lengths of inputs only."""

    shape: Shape
    entries: tuple[float | str, ...]


class PartSide(NamedTuple):
    """The part of one version: its nodes, and what they read from before, by what it is called in both versions."""

    version: FoldedGraph
    nodes: frozenset[int]
    given: dict[Source, Key]

    def named(self) -> Iterable[float]:
        """Return the numbers that may be bounds."""
        return self.version.named(self.nodes)


class Region(NamedTuple):
    """Parts of both versions with one end: a node, or where an output comes from."""

    ends: tuple[Source, Source]
    outputs: int  # of the end that are compared
    old: PartSide
    new: PartSide


class Compared(NamedTuple):
    """A part with results that are alike in one run."""

    region: Region
    is_run: bool  # otherwise neither version allows what it is given
    has_numbers: bool


def region(
    ends: tuple[Source, Source], outputs: int, versions: Sequence[FoldedGraph], known: Sequence[Known]
) -> Region:
    """Return the parts of both versions that values are computed in, from values that both have. What only one part reads it reads from
    further above."""
    past = set[Key]()
    for _ in range(_FURTHER):
        old, new = (_side(version, end[0], one, past) for version, end, one in zip(versions, ends, known, strict=True))
        ours, theirs = ({key for key in each.given.values() if not isinstance(key, _Symbols)} for each in (old, new))
        if ours == theirs:
            break
        past |= ours ^ theirs
    return Region(ends, outputs, old, new)


def _side(version: FoldedGraph, end: int, known: Known, past: Collection[Key]) -> PartSide:
    """Return what a value is computed from, up to values that are `known`; but not up to what is `past`."""
    nodes, given, stack = set[int](), dict[Source, Key](), [end]
    while stack:
        index = stack.pop()
        if index < 0 or index in nodes:
            continue
        nodes.add(index)
        node = version.graph.nodes[index]
        shaping = shaping_places(version.form.mapping, version.graph, node)
        for place, source in enumerate(Source(*one) for one in node.inputs):
            if source[0] not in version.fed:
                continue
            lengths = version.symbols(source)
            key: Key | None = None if lengths is None else _Symbols(*lengths)
            if key is None and place not in shaping:  # a drawn number would be a wrong length
                key = known(source)
            if key is None or key in past or source[1]:  # a run is given the first outputs of nodes
                stack.append(source[0])
            else:
                given[source] = key
    return PartSide(version, frozenset(nodes), given)


def _may_run(one: PartSide) -> bool:
    nodes = [one.version.graph.nodes[index] for index in one.nodes]
    is_apart = one.nodes.isdisjoint({source[0] for source in one.given})
    if not is_apart or len(nodes) > _MOST_NODES or any(k in one.version.huge for node in nodes for k, _ in node.inputs):
        return False
    ops = {one.version.form.names.of(node) for node in nodes}
    return ops.isdisjoint(_SPECIAL) and all(node.kind == "call" and not node.graphs for node in nodes)


def same(regions: Sequence[Region]) -> set[int]:
    """Return id() of the parts that output the same in all runs, but for those that neither part allows."""
    found = _usually([one for one in regions if _may_run(one.old) and _may_run(one.new)])
    named = {id(one): {*one.old.named(), *one.new.named()} for one in found}
    for drawn in further(number for one in found for number in named[id(one)]):
        concerned = [one for one in found if drawn.concerns(named[id(one)])]
        asked, failed = _tried(concerned, drawn)
        others = [one for one in concerned if id(one) not in asked]
        for narrow in drawn.alone(dim for one in others for dim in _open_dims(one)):
            failed |= _tried([one for one in others if id(one) not in failed], narrow)[1]
        found = [one for one in found if id(one) not in failed]
    return set(map(id, found))


def _tried(regions: Sequence[Region], drawn: RunNumbers) -> tuple[set[int], set[int]]:
    """Return id() of the parts that can be run, and of those with other results."""
    asked = list(_within(regions, drawn))
    known = set(map(id, asked))
    return known, known - {id(one.region) for one in _compared(asked, drawn)}


def _open_dims(one: Region) -> Iterator[Dim]:
    """Yield the dimensions without a length of what a part reads."""
    for type_ in _types(one.old, RunNumbers(0)).values():
        yield from (dim for dim in type_.shape or () if not isinstance(dim, int))


def _usually(regions: Sequence[Region]) -> list[Region]:
    """Return the parts that output the same in usual runs; with lengths as they are in the whole graph, if others fit nothing."""
    passed, told = Counter[int](), set[int]()
    found = _passing(regions, [RunNumbers(number) for number in range(USUAL_RUNS)], passed, told)
    if left := [one for one in found if not passed[id(one)]]:
        runs = [RunNumbers(number) for number in range(_LEAST_RUNS)]
        for drawn in runs:
            drawn.types = ConcreteTypes((left[0].old.version, left[0].new.version), drawn)
        again = {id(one) for one in _passing(left, runs, passed, told)}
        found = [one for one in found if passed[id(one)] or id(one) in again]
    return [one for one in found if passed[id(one)] >= _LEAST_RUNS and id(one) in told]


def _passing(
    regions: Sequence[Region], runs: Sequence[RunNumbers], passed: Counter[int], telling: set[int]
) -> list[Region]:
    """Return the parts that output the same in all of some runs, or nothing; count the runs of each that has results."""
    found = list(_within(regions, runs[0]))
    for drawn in runs:
        alike = _compared(found, drawn)
        passed.update(id(one.region) for one in alike if one.is_run)
        telling.update(id(one.region) for one in alike if one.has_numbers)
        found = [one.region for one in alike]
    return found


def _compared(regions: Sequence[Region], drawn: RunNumbers) -> list[Compared]:
    return [one for group in _groups(regions) for one in _alike(group, drawn)]


def _within(regions: Iterable[Region], drawn: RunNumbers) -> Iterator[Region]:
    """Yield parts that read the same values and do not take too long."""
    total = 0
    for one in regions:
        if _fit(one, drawn):
            work = sum(steps(each.version, index, drawn.shape) for each in (one.old, one.new) for index in each.nodes)
            if total + work < most(one.old.version, drawn.is_usual):
                total += work
                yield one


def is_smooth(one: Region) -> bool:
    """Return whether all results in both parts are floating-point numbers, in which a small difference shows."""
    sides = (one.old, one.new)
    return all(each.version.type(Source(index)).dtype in FLOATS for each in sides for index in each.nodes)


def _types(one: PartSide, drawn: RunNumbers) -> dict[Key, Type]:
    return {key: drawn.type(one.version, source) for source, key in one.given.items() if not isinstance(key, _Symbols)}


def _fit(one: Region, drawn: RunNumbers) -> bool:
    """Return whether both parts read the same values, of types that are known, and can be run."""
    ours, theirs = _types(one.old, drawn), _types(one.new, drawn)
    if ours.keys() != theirs.keys():
        return False
    pairs = [(ours[key], theirs[key]) for key in ours]
    is_known = all(_merged(a, b).dtype not in (None, "string") and _may_meet(a, b) for a, b in pairs)
    return is_known and all(prod(drawn.shape(_merged(a, b).shape)) <= drawn.most for a, b in pairs)


def _may_meet(old: Type, new: Type) -> bool:
    if old.shape is None or new.shape is None or len(old.shape) != len(new.shape):
        return False
    if None not in (old.dtype, new.dtype) and old.dtype != new.dtype:
        return False
    return all(map(compatible, old.shape, new.shape))


def _merged(old: Type, new: Type) -> Type:
    """Return a type with what both versions know of its lengths."""
    pairs = zip(old.shape or (), new.shape or (), strict=False)
    dims = ((b if isinstance(b, int) or not isinstance(a, (int, str)) else a) for a, b in pairs)
    return Type(old.dtype or new.dtype, tuple(dims))


def _groups(regions: Iterable[Region]) -> Iterator[list[Region]]:
    """Yield parts that can be run at once: no node is given a value that another part computes."""
    left = list(regions)
    while left:
        group, later = list[Region](), list[Region]()
        given: tuple[set[int], set[int]] = (set(), set())
        computed: tuple[set[int], set[int]] = (set(), set())
        for one in left:
            sides = list(enumerate((one.old, one.new)))
            fed = [{source[0] for source in each.given} for _, each in sides]
            if all(given[k].isdisjoint(each.nodes) and computed[k].isdisjoint(fed[k]) for k, each in sides):
                group.append(one)
                for k, each in sides:
                    given[k].update(fed[k])
                    computed[k].update(each.nodes)
            else:
                later.append(one)
        yield group
        left = later


def _alike(group: Sequence[Region], drawn: RunNumbers) -> Iterator[Compared]:
    """Yield the parts whose results are alike in one run, or that both have none."""
    numbers = _given(group, drawn)
    ours = _results([(one.ends[0], one.outputs, one.old) for one in group], numbers)
    theirs = _results([(one.ends[1], one.outputs, one.new) for one in group], numbers)
    for one in group:
        places = [[Source(end[0], end[1] + k) for k in range(one.outputs)] for end in one.ends]
        results = [(ours.get(a), theirs.get(b)) for a, b in zip(*places, strict=True)]
        is_run = any(each is not None for pair in results for each in pair)
        if not is_run or all(_close(one, *pair) for pair in results):
            yield Compared(one, is_run, is_run and all(_has_numbers(was) for was, _ in results))


def _given(group: Sequence[Region], drawn: RunNumbers) -> dict[Key, Any]:
    """Return the numbers of what parts read."""
    numbers: dict[Key, Any] = {}
    for one in group:
        after = _types(one.new, drawn)
        for key, before in _types(one.old, drawn).items():
            if key not in numbers:
                type_ = _merged(before, after[key])
                numbers[key] = drawn.numbers(str(type_.dtype), drawn.shape(type_.shape), len(numbers))
        for side in (one.old, one.new):
            for source, key in side.given.items():
                if isinstance(key, _Symbols) and key not in numbers:
                    entries = drawn.entries(side.version, source, key.entries)
                    numbers[key] = np.asarray(entries).reshape(drawn.shape(key.shape))
    return numbers


def _results(parts: Sequence[tuple[Source, int, PartSide]], numbers: Mapping[Key, Any]) -> dict[Source, Any]:
    version = parts[0][2].version
    wanted = {Source(end[0], end[1] + k) for end, count, _ in parts for k in range(count)}
    feeds = {
        source[0]: cast(numbers[key].copy(), version.type(source).dtype)
        for _, _, one in parts
        for source, key in one.given.items()
    }
    found: dict[Source, Any] = {}
    if version.form.mapping is not None:
        with suppress(RecursionError):
            ConstantValues(version.model, version.reduced, version.form.mapping).run(wanted, feeds, found.__setitem__)
    return found


def _has_numbers(array: Any) -> bool:
    """Return whether at least half of a result are numbers: what is computed from NaN is NaN, whatever is computed."""
    return bool(array.dtype.kind != "f" or 2 * np.isfinite(array).sum() >= array.size)


def _close(one: Region, was: Any, now: Any) -> bool:
    if was is None or now is None or was.shape != now.shape or was.dtype != now.dtype:
        return False
    if was.dtype.kind != "f":
        return bool(np.array_equal(was, now))
    dtype = one.old.version.type(one.ends[0]).dtype
    limit = _CLOSE.get(str(dtype), _COARSE)
    finite = np.isfinite(was)
    if not np.array_equal(was[~finite], now[~finite], equal_nan=True) or not np.isfinite(now[finite]).all():
        return False
    a, b = was[finite].astype(np.float64), now[finite].astype(np.float64)
    sizes = np.abs(a)
    usual = sizes[sizes < HUGE].max(initial=0.0)  # others are masks
    return bool((np.abs(a - b) <= limit * np.where(sizes < HUGE, usual, sizes)).all())
