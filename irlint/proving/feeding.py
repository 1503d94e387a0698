"""The inputs of both models: which correspond, and the same values for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from irlint.dryrun.differing import fits
from irlint.dryrun.dims import is_known, show
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Feed
from irlint.dryrun.running.arrays import cast
from irlint.dryrun.running.examples import affordable
from irlint.dryrun.running.feeds import GivenInput, Settable, resolve, values
from irlint.proving.lookups import ROUNDS, drawn_below, loops_counted, rows_chosen, states_ordered
from irlint.proving.nearness import arranged, bare
from irlint.proving.ranges import ALL, Ranges, within
from irlint.proving.running import Side
from irlint.records import NamedTuple


class Incomparable(Exception):
    """The reason why two models cannot be run on the same inputs; `is_undecided`: they may still compute the same."""

    def __init__(self, reason: str, is_undecided: bool = False) -> None:
        super().__init__(reason)
        self.is_undecided = is_undecided


class Fed(NamedTuple):
    """The values of the inputs of both models, by node."""

    a: dict[int, Any]
    b: dict[int, Any]
    names: list[tuple[str, str]]
    is_drawn: bool = False  # some of them are drawn
    is_sized: bool = False  # some have the shapes of the second model's
    shapes: Sequence[tuple[str, tuple[int, ...]]] = ()  # of inputs that allow others
    ranges: Sequence[tuple[str, tuple[float, float]]] = ()  # in which others are drawn


def fed(
    a: Side,
    b: Side,
    given: dict[int, GivenInput],
    seed: int,
    scale: int = 1,
    rows: int = 0,
    memory: int | None = None,
    has_batch: bool = False,
    ranges: Ranges = ALL,
) -> Fed:
    """Return values for the inputs of both, given for the first or drawn; raise Incomparable if their inputs do not correspond. Drawn
    numbers are `scale` times as large as usual, but those that choose from a table; open batches have so many `rows` more. All values of
    the first model together take no more than so much `memory`, if shorter sides of images make that so. `has_batch`: a model whose
    format has no batches was converted with that of the other as an axis of its own. `ranges`: of numbers that are drawn, by the
    first model's inputs."""
    ours, theirs = states_ordered(a), states_ordered(b)
    first = a.feeds()
    second = [feed for feed in b.feeds() if feed.node not in theirs]
    pairs = _paired(
        [feed for feed in first if feed.node not in ours],
        second,
        bool(a.mapping.states(a.graph) or b.mapping.states(b.graph)),
    )
    more = _more_axes(a, b, has_batch)
    told = _told(pairs, given, more)
    said = affordable(Settable(first, (), a.mapping, a.graph), told, memory)
    for feed in first if rows else ():
        said |= _with_rows(feed, said.get(feed.node), rows) if feed.node not in told else {}
    inputs = resolve(first, said)
    drawn = values(first, inputs, seed)
    free = drawn.keys() - inputs.arrays.keys()
    _redraw(a, drawn, free, seed, scale)
    limited = _limit(first, ranges, drawn, free, seed)
    drawn |= _in_order(a, {node: state for node, state in ours.items() if node in free}, drawn)
    others: dict[int, Any] = {}
    for one, other in pairs:
        array = drawn[one.node]
        others[other.node] = _as_input(array.reshape(_batched(array.shape, -more)), one, other)
    others |= _in_order(b, theirs, others)
    names = [(one.names[0], other.names[0]) for one, other in pairs]
    shapes = [(one.names[0], drawn[one.node].shape) for one, _ in pairs if not is_known(one.type.shape)]
    return Fed(drawn, others, names, bool(free), len(told) > len(given), shapes, limited)


def _limit(
    feeds: Sequence[Feed], ranges: Ranges, drawn: dict[int, Any], free: Collection[int], seed: int
) -> list[tuple[str, tuple[float, float]]]:
    """Draw the inputs that have a range again; return them by name."""
    found = [feed for feed in feeds if feed.node in ranges and feed.node in free]
    drawn |= {feed.node: within(*ranges[feed.node], drawn[feed.node], [seed, feed.node]) for feed in found}
    return [(feed.names[0], ranges[feed.node]) for feed in found]


def _with_rows(feed: Feed, said: GivenInput | None, rows: int) -> dict[int, GivenInput]:
    """Return an input with a longer first axis, if that is open."""
    if said is None or not said.shape or not feed.type.shape or isinstance(feed.type.shape[0], int):
        return {}
    return {feed.node: said._replace(shape=(said.shape[0] + rows, *said.shape[1:]))}


def _told(pairs: Sequence[tuple[Feed, Feed]], given: dict[int, GivenInput], more: int) -> dict[int, GivenInput]:
    """Return what is given, with the shapes of the second model's inputs where those of the first are open."""
    told = dict(given)
    for one, other in pairs:
        if one.node not in told and not is_known(one.type.shape) and is_known(other.type.shape):
            shape = _batched(tuple(other.type.shape or ()), more)  # type: ignore[arg-type]
            if not fits(one.type.shape, shape):
                raise Incomparable(
                    f"input {one.names[0]!r} of A is {show(one.type.shape)}, {other.names[0]!r} of B is {show(shape)}"
                )
            told[one.node] = GivenInput(None, shape, None)
    return told


def _in_order(side: Side, orders: dict[int, int], drawn: dict[int, Any]) -> dict[int, Any]:
    """Return values with which states keep the order of their rows."""
    kinds = {feed.node: feed.type.dtype or "int64" for feed in side.feeds()}
    return {node: np.arange(len(drawn[state]), dtype=kinds[node]) for node, state in orders.items()}


def _redraw(side: Side, drawn: dict[int, Any], free: Collection[int], seed: int, scale: int) -> None:
    """Make numbers that were drawn larger; those that choose from a table are as large as that allows, and loops run some rounds."""
    loops = loops_counted(side)
    rows = rows_chosen(side) if any(drawn[node].dtype.kind in "iu" for node in free) else {}
    for node in free:
        kind = drawn[node].dtype.kind
        if kind == "f" and scale > 1:
            drawn[node] = drawn[node] * drawn[node].dtype.type(scale)
        elif kind in "iu" and node in loops and drawn[node].size == 1:
            drawn[node] = np.full_like(drawn[node], ROUNDS)
        elif kind in "iu" and (node in rows or scale > 1):
            drawn[node] = drawn_below(rows.get(node, scale), drawn[node], [seed, node])


def _more_axes(a: Side, b: Side, has_batch: bool) -> int:
    """Return how many axes the inputs of the first model have more."""
    return 0 if has_batch else int(a.mapping.has_batch) - int(b.mapping.has_batch)


def _batched(shape: tuple[int, ...], more: int) -> tuple[int, ...]:
    """Return a shape with a dimension for a batch of one more, or one less."""
    if more > 0:
        return (1, *shape)
    return shape[1:] if more < 0 and shape[:1] == (1,) else shape


def paired(first: Sequence[Sequence[str]], second: Sequence[Sequence[str]]) -> dict[int, int]:
    """Return which of the second correspond to which of the first: those with a common name, then the others in their order."""
    by_name = {name: k for k, names in reversed(list(enumerate(second))) for name in names}
    found: dict[int, int] = {}
    for k, names in enumerate(first):
        other = next((by_name[name] for name in names if name in by_name), None)
        if other is not None:
            found.setdefault(other, k)
    pairs = {k: other for other, k in found.items()}
    rest = [k for k in range(len(second)) if k not in found]
    pairs.update(zip([k for k in range(len(first)) if k not in pairs], rest, strict=False))
    return pairs


def _paired(first: Sequence[Feed], second: Sequence[Feed], has_states: bool) -> list[tuple[Feed, Feed]]:
    """Return the inputs of both that correspond; raise Incomparable if the second has one more."""
    pairs = paired([feed.names for feed in first], [feed.names for feed in second])
    known = set(pairs.values())
    lone = next((feed for k, feed in enumerate(second) if k not in known), None)
    if lone is not None:
        raise Incomparable(f"input {lone.names[0]!r} of B has no counterpart in A", has_states)
    return [(first[k], second[j]) for k, j in sorted(pairs.items())]


def _as_input(array: Any, one: Feed, other: Feed) -> Any:
    """Return the value of an input in the type and the shape of the other model's."""
    shape = other.type.shape
    if shape is not None and array.shape != shape:
        if is_known(other.type.shape):
            lengths = tuple(int(length) for length in shape)  # type: ignore[arg-type]
            same = sorted(bare(lengths)) == sorted(bare(array.shape))
            if not same:
                raise Incomparable(
                    f"input {one.names[0]!r} of A is {list(array.shape)}, {other.names[0]!r} of B is {list(lengths)}"
                )
            array = next(arranged(array, lengths))
        elif len(shape) != array.ndim:
            raise Incomparable(
                f"input {one.names[0]!r} of A has {array.ndim} dimensions, {other.names[0]!r} of B has {len(shape)}"
            )
    return array if other.type.dtype in (None, one.type.dtype) else cast(array, other.type.dtype)
