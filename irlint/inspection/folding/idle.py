"""Calls, and short chains of them, whose results are what they read, as runs of them with many numbers show: an addition of zero, a slice
of everything, a transpose and the one that undoes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import inf, nan, prod
from typing import Any

from irlint.dryrun.dims import is_known, is_settled
from irlint.dryrun.dtypes import FLOATS, INTEGERS, integer_range
from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import cast
from irlint.graph import Graph, Source, Type
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.rerun.drawn import BEYOND, LENGTHS, lengths_named
from irlint.inspection.review.rerun.together import Needs, together
from irlint.records import NamedTuple

_LONGEST = 4  # calls of a chain
_MOST = 1 << 20  # numbers of a value that is given to a chain
_TOTAL = 1 << 24  # of all that are given in one run
_FIRST = 256  # numbers that are compared before all others
_CHAINS = 2_000  # that are run
_RUNS = 6  # of a chain, so that values of few numbers meet large, small and special ones
_SPECIAL = (0.0, inf, -inf, nan, 1.0, -1.0)


class _Chain(NamedTuple):
    """Calls of which each reads the one before; `start` is what the first one reads."""

    start: Source
    end: int
    nodes: frozenset[int]
    type: Type


class CallGraph(NamedTuple):
    """A graph with the nodes that depend on an input, the calls that may be run, and what is known of values."""

    graph: Graph
    fed: Collection[int]
    is_cheap: Callable[[int], bool]
    type_of: Callable[[Source], Type]
    constants: ConstantValues
    named: Callable[[Iterable[int]], Iterable[float]]  # numbers that some nodes name


def idle(calls: CallGraph, asked: Iterable[int]) -> dict[int, Source]:
    """Return which of some calls output a value before them, and that value."""
    chains: list[_Chain] = []
    for index in asked:
        chains += _chains(calls, index)
        if len(chains) > _CHAINS:
            break
    for number in range(_RUNS):
        chains = [one for group in _groups(chains, 0) for one in _unchanged(group, calls.constants, number, 0)]
    return {one.end: one.start for one in _beyond(calls, chains)}


def _beyond(calls: CallGraph, chains: Sequence[_Chain]) -> Sequence[_Chain]:
    """Return the chains that output what they read for longer lengths, too: those that their calls name, as bounds."""
    named = {id(one): [*calls.named(one.nodes)] for one in chains}
    bounded = [one for one in chains if not is_known(one.type.shape) and max(named[id(one)], default=0) >= LENGTHS[0]]
    for longest in lengths_named(number for one in bounded for number in named[id(one)]):
        groups = list(_groups(bounded, longest))
        passed = {id(one) for group in groups for one in _unchanged(group, calls.constants, longest, longest)}
        failed = {id(one) for group in groups for one in group} - passed
        chains = [one for one in chains if id(one) not in failed]
    return chains


def _chains(calls: CallGraph, index: int) -> Iterator[_Chain]:
    """Yield chains that end at a call and may output what they read: it has the type of the result."""
    type_, nodes = calls.type_of(Source(index)), list[int]()
    if not is_settled(type_.shape) or type_.dtype not in FLOATS | INTEGERS | {"bool"}:
        return
    while len(nodes) < _LONGEST and calls.is_cheap(index):
        nodes.append(index)
        data = {Source(*one) for one in calls.graph.nodes[index].inputs if one[0] in calls.fed}
        start = data.pop() if len(data) == 1 else None
        if start is None or start[1]:
            return
        if calls.type_of(start) == type_:
            yield _Chain(start, nodes[0], frozenset(nodes), type_)
        index = start[0]


def _groups(chains: Sequence[_Chain], longest: int) -> Iterator[list[_Chain]]:
    """Yield chains that can be run at once; those that are too large are left out."""
    sizes = {id(one): prod(_lengths(one.type, longest)) for one in chains}
    small = (one for one in chains if sizes[id(one)] <= _MOST)
    return together(small, lambda one: Needs([{one.start[0]}], [one.nodes], sizes[id(one)]), _TOTAL)


def _unchanged(group: Sequence[_Chain], constants: ConstantValues, number: int, longest: int) -> list[_Chain]:
    """Return the chains whose results are what they are given; `number` is that of the run."""
    types = {one.start[0]: (str(one.type.dtype), tuple(_lengths(one.type, longest))) for one in group}
    drawn = {type_: _numbers(*type_, number) for type_ in {*types.values()}}
    feeds = {start: drawn[type_] for start, type_ in types.items()}
    ends: dict[Source, list[_Chain]] = {}
    for one in group:
        ends.setdefault(Source(one.end), []).append(one)
    found: list[_Chain] = []

    def visit(source: Source, array: Any) -> None:
        for one in ends[source]:
            given = feeds[one.start[0]]
            if given.dtype == array.dtype and given.shape == array.shape and _equal(given, array):
                found.append(one)

    constants.run(ends, feeds, visit)
    return found


def _equal(given: Any, array: Any) -> bool:
    is_float = given.dtype.kind == "f"
    pairs = (given.reshape(-1)[:_FIRST], array.reshape(-1)[:_FIRST]), (given, array)  # the first ones tell most apart
    return all(np.array_equal(*pair, equal_nan=is_float) for pair in pairs)


def _lengths(type_: Type, longest: int) -> list[int]:
    """Return the lengths of a value; a symbol stands for one, beyond the `longest` if that is given."""
    symbols = list(dict.fromkeys(dim for dim in type_.shape or () if isinstance(dim, str)))
    known = {symbol: longest + BEYOND + k if longest else LENGTHS[k % len(LENGTHS)] for k, symbol in enumerate(symbols)}
    return [dim if isinstance(dim, int) else known.get(dim, 1) for dim in type_.shape or ()]  # type: ignore[arg-type]


def _numbers(dtype: str, shape: Sequence[int], number: int) -> Any:
    """Return numbers of all sizes, the first one a special one."""
    random = np.random.default_rng(number)
    if dtype not in FLOATS:
        low, high = (0, 1) if dtype == "bool" else integer_range(dtype)
        wide = np.int64 if low else np.uint64
        return cast(random.integers(low, high, shape, wide, endpoint=True), dtype)
    found = np.exp2(random.uniform(-14, 14, shape)) * random.choice([-1.0, 1.0], shape)
    found.reshape(-1)[:1] = _SPECIAL[number % len(_SPECIAL)]
    return cast(found, dtype)
