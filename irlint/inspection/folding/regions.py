"""Parts of two versions of a graph that read the same values: whether they output the same, as runs of both show. An optimizer writes a
product with a bias as a Gemm, or moves a transpose; what comes out is what came out before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from operator import itemgetter
from typing import Any

from irlint.dryrun.dims import compatible, is_known
from irlint.dryrun.dtypes import BITS, FLOATS
from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import cast
from irlint.graph import Dim, Node, Source, Type
from irlint.inspection.folding.closeness import blur, close, has_numbers, rounding
from irlint.inspection.folding.concrete import PartRun
from irlint.inspection.folding.effort import most, steps
from irlint.inspection.folding.part import OWN, Key, Lengths, Measured, PartSide, Region, is_one_kind
from irlint.inspection.review.rerun.drawn import USUAL_RUNS, RunNumbers, further
from irlint.inspection.review.rerun.together import MOST_NODES, Needs, together
from irlint.inspection.review.roles import CHOOSING, RESHAPING, SAME
from irlint.records import NamedTuple

_SPECIAL = frozenset(("isnan", "isinf", "isfinite"))  # operators that ask for numbers that runs have not
_TIMES = (1, 16)  # what lengths are multiples of: halves of them may have to fit together
_LEAST_RUNS = 2  # in which results are compared: drawn numbers may be no valid indices, and lengths may not fit


class Compared(NamedTuple):
    """A part with its results in one run."""

    region: Region
    is_alike: bool
    runs: int  # of how many versions there are results; others do not allow what they are given
    has_numbers: bool


def _may_run(one: PartSide) -> bool:
    nodes = [one.version.graph.nodes[index] for index in one.nodes]
    is_apart = one.nodes.isdisjoint({source[0] for source in one.given})
    if not is_apart or len(nodes) > MOST_NODES or any(k in one.version.huge for node in nodes for k, _ in node.inputs):
        return False
    of = one.version.form.names.of
    is_plain = all(node.kind == "call" and (not node.graphs or _chooses_a_shape(node, of)) for node in nodes)
    return is_plain and _SPECIAL.isdisjoint(map(of, nodes))


def _chooses_a_shape(node: Node, of: Callable[[Node], str]) -> bool:
    """Return whether a node only writes a value in one of several shapes, as exporters do where it may have an axis of length one."""
    inner = (each for graph in node.graphs for each in graph.nodes if each.kind == "call")
    return of(node) in CHOOSING and all(not each.graphs and of(each) in SAME | RESHAPING for each in inner)


def same(regions: Sequence[Region]) -> set[int]:
    """Return id() of the parts that output the same in all runs, but for those that neither part allows."""
    found = _usually([one for one in regions if _may_run(one.old) and _may_run(one.new)])
    return {id(one) for kind, is_whole in zip(found, (False, True), strict=True) for one in _further(kind, is_whole)}


def _further(found: list[Region], is_whole: bool) -> list[Region]:
    """Return the parts that output the same in further runs, too. `is_whole`: with lengths as they are in the whole graph."""
    named = {id(one): {*one.old.named(), *one.new.named()} for one in found}
    for drawn in further(number for one in found for number in named[id(one)]):
        asked = [one for one in found if _concerns(drawn, one, named[id(one)])]
        failed = _failing(asked, PartRun(drawn, asked[0].versions if is_whole else ())) if asked else set()
        found = [one for one in found if id(one) not in failed]
    return found


def _concerns(drawn: RunNumbers, one: Region, named: set[float]) -> bool:
    """Return whether a part may show something: of small numbers, not if one version has a coarser type, in which they are zero."""
    return drawn.concerns(named) and not (drawn.is_small and len({*map(rounding, (one.old, one.new))}) > 1)


def _failing(regions: Sequence[Region], run: PartRun) -> set[int]:
    """Return id() of the parts with other results in a run, or in one in which only one length is long, if others take too much."""
    asked, failed = _tried(regions, run)
    left = [one for one in regions if id(one) not in asked]
    for narrow in run.alone(dim for one in left for dim in _open_dims(one)):
        failed |= _tried([one for one in left if id(one) not in failed], narrow)[1]
    return failed


def _is_measured(one: Region) -> bool:
    return any(isinstance(key, Measured) for side in (one.old, one.new) for key in side.given.values())


def _tried(regions: Sequence[Region], run: PartRun) -> tuple[set[int], set[int]]:
    """Return id() of the parts that can be run, and of those with other results."""
    asked = list(_within(regions, run))
    known = set(map(id, asked))
    return known, {id(one.region) for one in _compared(asked, run) if not one.is_alike}


def _open_dims(one: Region) -> Iterator[Dim]:
    """Yield the dimensions without a length of what a part reads."""
    for type_ in _types(one.old, PartRun(RunNumbers(0))).values():
        yield from (dim for dim in type_.shape or () if not isinstance(dim, int))


def _usually(regions: Sequence[Region]) -> tuple[list[Region], list[Region]]:
    """Return the parts that output the same in usual runs, and those that do with lengths as they are in the whole graph: that read only
    the shapes of some values, or that other lengths do not fit."""
    plain = [one for one in regions if not _is_measured(one)]
    told = _Told(plain, [PartRun(RunNumbers(number)) for number in range(USUAL_RUNS)])
    left = [*told.unfit, *(one for one in regions if _is_measured(one))]
    passed = list[Region]()
    for times in _TIMES if left else ():
        again = _Told(
            left, [PartRun(RunNumbers(number, times=times), left[0].versions) for number in range(_LEAST_RUNS)]
        )
        passed += again.passed
        if not (left := again.unfit):
            break
    return told.passed, passed


class _Told:
    """What some runs say of parts."""

    def __init__(self, regions: Sequence[Region], runs: Sequence[PartRun]) -> None:
        self._count, self._telling = Counter[int](), set[int]()
        self.unfit: list[Region] = []  # what too few runs or only one version allow: the lengths do not fit together
        found = list(_within(regions, runs[0]))
        for run in runs:
            found = list(self._alike(found, run))
        self.unfit += [one for one in found if self._count[id(one)] < _LEAST_RUNS]
        self.passed = [one for one in found if self._count[id(one)] >= _LEAST_RUNS and id(one) in self._telling]

    def _alike(self, regions: Sequence[Region], run: PartRun) -> Iterator[Region]:
        """Yield the parts that are alike in a run."""
        for one in _compared(regions, run):
            self._count[id(one.region)] += bool(one.runs)
            if one.has_numbers:
                self._telling.add(id(one.region))
            if one.is_alike:
                yield one.region
            elif one.runs == 1:
                self.unfit.append(one.region)


def _compared(regions: Sequence[Region], run: PartRun) -> list[Compared]:
    return [one for group in together(regions, _needs) for one in _alike(group, run)]


def _needs(one: Region) -> Needs:
    sides = (one.old, one.new)
    return Needs([{source[0] for source in side.given} for side in sides], [side.nodes for side in sides])


def _within(regions: Iterable[Region], run: PartRun) -> Iterator[Region]:
    """Yield parts that read the same values and together do not take too long, small ones first."""
    sizes = [
        (sum(steps(side.version, side.nodes, run) for side in (one.old, one.new)), one)
        for one in regions
        if _fit(one, run)
    ]
    total = 0
    for work, one in sorted(sizes, key=itemgetter(0)):
        total += work
        if total >= most(one.old.version, run.drawn.is_usual):
            return
        yield one


def is_smooth(one: Region) -> bool:
    """Return whether all results in both parts are floating-point numbers, in which a small difference shows, or they read only lengths."""
    sides = (one.old, one.new)
    if all(isinstance(key, OWN) for each in sides for key in each.given.values()):
        return True
    return all(each.version.type(Source(index)).dtype in FLOATS for each in sides for index in each.nodes)


def _types(one: PartSide, run: PartRun) -> dict[Key, Type]:
    return {key: run.type(one.version, source) for source, key in one.given.items() if not isinstance(key, OWN)}


def _fit(one: Region, run: PartRun) -> bool:
    """Return whether both parts read the same values, of types that are known, and can be run."""
    ours, theirs = _types(one.old, run), _types(one.new, run)
    if ours.keys() != theirs.keys() or not (run.drawn.is_usual or _are_measured(one, run)):
        return False
    pairs = [(ours[key], theirs[key]) for key in ours]
    is_known = all(_merged(a, b).dtype not in (None, "string") and _may_meet(a, b) for a, b in pairs)
    return is_known and all(prod(run.drawn.shape(_merged(a, b).shape)) <= run.drawn.most for a, b in pairs)


def _are_measured(one: Region, run: PartRun) -> bool:
    """Return whether the shapes are known that parts read: the whole graph may not allow long lengths."""
    sides = ((side.version, side.given.items()) for side in (one.old, one.new))
    read = [(version, source) for version, given in sides for source, key in given if isinstance(key, Measured)]
    return all(is_known(run.type(version, source).shape) for version, source in read)


def _may_meet(old: Type, new: Type) -> bool:
    if old.shape is None or new.shape is None or len(old.shape) != len(new.shape):
        return False
    return is_one_kind(old.dtype, new.dtype) and all(map(compatible, old.shape, new.shape))


def _merged(old: Type, new: Type) -> Type:
    """Return a type with what both versions know of its lengths."""
    pairs = zip(old.shape or (), new.shape or (), strict=False)
    dims = ((b if isinstance(b, int) or not isinstance(a, (int, str)) else a) for a, b in pairs)
    coarsest = min(old.dtype or new.dtype, new.dtype or old.dtype, key=lambda dtype: BITS.get(dtype or "", 0))
    return Type(coarsest, tuple(dims))


def _alike(group: Sequence[Region], run: PartRun) -> Iterator[Compared]:
    """Yield parts with what their results in one run are; those of which there are none are alike."""
    numbers = _given(group, run)
    ours = _results([(one.ends[0], one.outputs, one.old) for one in group], numbers)
    theirs = _results([(one.ends[1], one.outputs, one.new) for one in group], numbers)
    told = [(one, list(_pairs(one, ours, theirs))) for one in group]
    unsure = [one for one, results in told if not all(close(one, *pair) for pair in results)]
    blurred = _blurred(unsure, numbers) if run.drawn.is_wide and unsure else {}
    apart = {id(one) for one in unsure if not _is_blurred(one, ours, theirs, blurred)}
    yield from (_told(one, results, id(one) not in apart) for one, results in told)


def _told(one: Region, results: Sequence[tuple[Any, Any]], is_alike: bool) -> Compared:
    runs = sum(any(each is not None for each in side) for side in zip(*results, strict=True))
    return Compared(one, is_alike or not runs, runs, bool(runs) and all(has_numbers(was) for was, _ in results))


def _pairs(one: Region, ours: Mapping[Source, Any], theirs: Mapping[Source, Any]) -> Iterator[tuple[Any, Any]]:
    places = ([Source(end[0], end[1] + k) for k in range(one.outputs)] for end in one.ends)
    return ((ours.get(a), theirs.get(b)) for a, b in zip(*places, strict=True))


def _is_blurred(
    one: Region, ours: Mapping[Source, Any], theirs: Mapping[Source, Any], blurred: Mapping[Source, Any]
) -> bool:
    """Return whether results are as near to each other as rounding leaves them."""
    again = (other for other, _ in _pairs(one, blurred, {}))
    return bool(blurred) and all(
        close(one, *pair, other) for pair, other in zip(_pairs(one, ours, theirs), again, strict=True)
    )


def _blurred(regions: Sequence[Region], numbers: Mapping[Key, Any]) -> dict[Source, Any]:
    """Return the results of old parts for numbers that were rounded once more."""
    read = {key for one in regions for key in one.old.given.values() if not isinstance(key, OWN)}
    moved = {key: blur(array) if key in read else array for key, array in numbers.items()}
    return _results([(one.ends[0], one.outputs, one.old) for one in regions], moved)


def _given(group: Sequence[Region], run: PartRun) -> dict[Key, Any]:
    """Return the numbers of what parts read."""
    numbers: dict[Key, Any] = {}
    drawn = run.drawn
    for one in group:
        after = _types(one.new, run)
        for key, before in _types(one.old, run).items():
            if key not in numbers:
                type_ = _merged(before, after[key])
                numbers[key] = drawn.numbers(str(type_.dtype), drawn.shape(type_.shape), len(numbers))
        for side in (one.old, one.new):
            for source, key in side.given.items():
                if isinstance(key, Lengths) and key not in numbers:
                    entries = run.entries(side.version, source, key.entries)
                    numbers[key] = np.asarray(entries).reshape(drawn.shape(key.shape))
                elif isinstance(key, Measured):
                    type_ = run.type(side.version, source)
                    zero = cast(np.zeros(()), type_.dtype)  # one number that repeats: lengths may be large
                    numbers[key] = np.broadcast_to(zero, drawn.shape(type_.shape))
    return numbers


def _results(parts: Sequence[tuple[Source, int, PartSide]], numbers: Mapping[Key, Any]) -> dict[Source, Any]:
    version = parts[0][2].version
    wanted = {Source(end[0], end[1] + k) for end, count, _ in parts for k in range(count)}
    given = ((version.type(source).dtype, source[0], key) for _, _, one in parts for source, key in one.given.items())
    return version.results({index: _own(numbers[key], dtype) for dtype, index, key in given}, wanted)


def _own(array: Any, dtype: str | None) -> Any:
    """Return numbers of a type that a run may overwrite; those of which only the shape is read stay one number."""
    return cast(array.copy(), dtype) if array.flags.writeable else array
