"""Operators that move elements: each with operands drawn, and what comes out by the definition, element by element."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Drawn(NamedTuple):
    operands: list[Any]
    attrs: dict[str, Any]
    expected: list[Any]


Random = np.random.Generator
CASES: dict[str, Callable[[Random], Drawn]] = {}


def case(word: str) -> Callable[[Callable[[Random], Drawn]], Callable[[Random], Drawn]]:
    def add(draw: Callable[[Random], Drawn]) -> Callable[[Random], Drawn]:
        CASES[word] = draw
        return draw

    return add


def shape(random: Random, least: int = 1, most: int = 4) -> tuple[int, ...]:
    return tuple(int(n) for n in random.integers(1, 5, int(random.integers(least, most + 1))))


def floats(random: Random, *dims: int) -> Any:
    return random.standard_normal(dims).astype(np.float32)


def ints(numbers: Any) -> Any:
    return np.array(numbers, np.int64)


def one(expected: Any, *operands: Any, **attrs: Any) -> Drawn:
    return Drawn(list(operands), attrs, [expected])


def choice(random: Random, *values: Any) -> Any:
    return values[int(random.integers(len(values)))]


@case("moving/gathering.Gather")
def gather(random: Random) -> Drawn:
    dims = shape(random, 2)
    axis, batch = int(random.integers(1, len(dims))), int(random.integers(2))
    places = random.integers(-dims[axis], dims[axis], (*dims[:batch], 3)).astype(np.int64)
    data = floats(random, *dims)
    expected = np.empty((*dims[:axis], 3, *dims[axis + 1 :]), np.float32)
    for at in np.ndindex(*expected.shape):
        place = places[(*at[:batch], at[axis])]
        expected[at] = data[(*at[:axis], place, *at[axis + 1 :])]
    return one(expected, data, places, ints(axis), batch_dims=batch)


@case("moving/gathering.GatherElements")
def gather_elements(random: Random) -> Drawn:
    dims = shape(random)
    axis = int(random.integers(len(dims)))
    data, places = floats(random, *dims), random.integers(0, dims[axis], dims)
    expected = np.empty(dims, np.float32)
    for at in np.ndindex(*dims):
        expected[at] = data[(*at[:axis], places[at], *at[axis + 1 :])]
    return one(expected, data, places, axis=axis)


@case("moving/gathering.GatherND")
def gather_nd(random: Random) -> Drawn:
    dims = shape(random, 3)
    batch, deep = int(random.integers(2)), 2
    places = np.stack([random.integers(0, dims[batch + k], (*dims[:batch], 3)) for k in range(deep)], -1)
    data = floats(random, *dims)
    expected = np.empty((*dims[:batch], 3, *dims[batch + deep :]), np.float32)
    for at in np.ndindex(*dims[:batch], 3):
        expected[at] = data[(*at[:batch], *places[at])]
    return one(expected, data, places, batch_dims=batch)


@case("moving/gathering.GatherTree")
def gather_tree(random: Random) -> Drawn:
    steps, batch, beams, end = 5, 2, 3, 7
    ids = random.integers(0, 9, (steps, batch, beams)).astype(np.int32)
    parents = random.integers(0, beams, ids.shape).astype(np.int32)
    lengths = random.integers(1, steps + 1, batch).astype(np.int32)
    expected = np.full(ids.shape, end, np.int32)
    for row, beam in np.ndindex(batch, beams):
        at = beam
        for step in reversed(range(lengths[row])):
            expected[step, row, beam] = ids[step, row, at]
            at = parents[step, row, at]
        ended = False
        for step in range(steps):
            ended, expected[step, row, beam] = (
                ended or expected[step, row, beam] == end,
                end if ended else expected[step, row, beam],
            )
    return one(expected, ids, parents, lengths, np.array(end, np.int32))


@case("moving/scattering.ScatterUpdate")
def scatter_update(random: Random) -> Drawn:
    dims = shape(random)
    axis = int(random.integers(len(dims)))
    places = random.permutation(dims[axis])[:2].astype(np.int64)
    data = floats(random, *dims)
    updates = floats(random, *dims[:axis], len(places), *dims[axis + 1 :])
    expected = data.copy()
    for at in np.ndindex(*updates.shape):
        expected[(*at[:axis], places[at[axis]], *at[axis + 1 :])] = updates[at]
    return one(expected, data, places, updates, ints(axis))


FOLD: dict[str, Callable[[float, float], float]] = {
    "none": lambda a, b: b, "sum": lambda a, b: a + b, "prod": lambda a, b: a * b, "min": min, "max": max,
}  # fmt: skip


@case("moving/scattering.ScatterElementsUpdate")
def scatter_elements(random: Random) -> Drawn:
    dims = shape(random, 2)
    axis, how, own = int(random.integers(len(dims))), choice(random, *FOLD, "mean"), bool(random.integers(2))
    data, places = floats(random, *dims), random.integers(0, dims[axis], dims)
    if how == "none":
        places = np.argsort(random.random(dims), axis)  # each place once: nobody says which of two wins
    updates = floats(random, *dims)
    met: dict[tuple[int, ...], list[float]] = {}
    for at in np.ndindex(*dims):
        met.setdefault((*at[:axis], int(places[at]), *at[axis + 1 :]), []).append(float(updates[at]))
    expected = data.copy()
    for at, given in met.items():
        numbers = [float(data[at]), *given] if own or how == "none" else given
        if how == "mean":
            expected[at] = sum(numbers) / len(numbers)
            continue
        total = numbers[0]
        for number in numbers[1:]:
            total = FOLD[how](total, number)
        expected[at] = total
    return one(expected, data, places, updates, ints(axis), reduction=how, use_init_val=own)


@case("moving/scattering.ScatterNDUpdate")
def scatter_nd(random: Random) -> Drawn:
    dims = shape(random, 2)
    how = choice(random, "none", "sum", "prod", "min", "max", "sub")
    every = list(np.ndindex(*dims[:2]))
    places = [every[k] for k in random.permutation(len(every))[:3]]
    if how != "none":
        places.append(places[0])
    data, updates = floats(random, *dims), floats(random, len(places), *dims[2:])
    expected = data.copy()
    for place, update in zip(places, updates, strict=True):
        for rest in np.ndindex(*dims[2:]):
            at = (*place, *rest)
            old, new = expected[at], update[rest]
            expected[at] = old - new if how == "sub" else FOLD[how](old, new)
    return one(expected, data, ints(places), updates, reduction=how)


def _cut(random: Random, length: int) -> tuple[int, int, int]:
    step = choice(random, -2, -1, 1, 2)
    first, last = sorted(map(int, random.integers(-length - 1, length + 1, 2)))
    return (first, last, step) if step > 0 else (last, first, step)


@case("moving/slicing.Slice")
def slice_(random: Random) -> Drawn:
    dims = shape(random)
    axes = random.permutation(len(dims))[: int(random.integers(1, len(dims) + 1))]
    cuts = [_cut(random, dims[axis]) for axis in axes]
    data, picked = floats(random, *dims), [list(range(n)) for n in dims]
    for axis, (start, stop, step) in zip(axes, cuts, strict=True):
        picked[axis] = picked[axis][start:stop:step]
    expected = data[np.ix_(*picked)]
    return one(expected, data, *(ints(column) for column in zip(*cuts, strict=True)), ints(axes))


@case("moving/slicing.StridedSlice")
def strided_slice(random: Random) -> Drawn:
    dims = shape(random, 2)
    cuts = [_cut(random, n) for n in dims]
    masks = {name: tuple(map(int, random.integers(0, 2, len(dims)))) for name in ("begin_mask", "end_mask")}
    picked = []
    for k, (n, (start, stop, step)) in enumerate(zip(dims, cuts, strict=True)):
        first, last = (None if masks["begin_mask"][k] else start), (None if masks["end_mask"][k] else stop)
        picked.append(list(range(n))[first:last:step])
    data = floats(random, *dims)
    return one(data[np.ix_(*picked)], data, *(ints(column) for column in zip(*cuts, strict=True)), **masks)


@case("moving/splitting.VariadicSplit")
def variadic_split(random: Random) -> Drawn:
    dims = shape(random, 2)
    axis = int(random.integers(len(dims)))
    first = int(random.integers(dims[axis] + 1))
    data = floats(random, *dims)
    lines = np.moveaxis(data, axis, 0)
    parts = [np.moveaxis(lines[:first], 0, axis), np.moveaxis(lines[first:], 0, axis)]
    return Drawn([data, ints(axis), ints([first, -1])], {}, parts)


@case("moving/flipping.ReverseSequence")
def reverse_sequence(random: Random) -> Drawn:
    dims = (3, 4, 2)
    lengths = random.integers(1, 5, 3)
    data = floats(random, *dims)
    expected = data.copy()
    for row, step in np.ndindex(3, 4):
        if step < lengths[row]:
            expected[row, step] = data[row, lengths[row] - 1 - step]
    return one(expected, data, lengths, batch_axis=0, seq_axis=1)


@case("moving/flipping.Roll")
def roll(random: Random) -> Drawn:
    dims = shape(random)
    axis, shift = int(random.integers(len(dims))), int(random.integers(-6, 7))
    data = floats(random, *dims)
    expected = np.empty_like(data)
    for at in np.ndindex(*dims):
        expected[(*at[:axis], (at[axis] + shift) % dims[axis], *at[axis + 1 :])] = data[at]
    return one(expected, data, ints([shift]), ints([axis]))


@case("moving/padding.Pad")
def pad(random: Random) -> Drawn:
    dims = tuple(int(n) for n in random.integers(2, 5, 2))
    how = choice(random, "constant", "edge", "reflect", "symmetric")
    begin, end = (random.integers(0, 2, 2) for _ in range(2))
    data, fill = floats(random, *dims), np.float32(0.5)
    expected = np.empty([n + a + b for n, a, b in zip(dims, begin, end, strict=True)], np.float32)
    for at in np.ndindex(*expected.shape):
        place = []
        for k, n in enumerate(dims):
            p = int(at[k] - begin[k])
            mirrored = {"edge": (0, n - 1), "reflect": (-p, 2 * n - 2 - p), "symmetric": (-1 - p, 2 * n - 1 - p)}
            low, high = mirrored.get(how, (-1, -1))
            place.append(low if p < 0 else high if p >= n else p)
        expected[at] = fill if -1 in place else data[tuple(place)]
    return one(expected, data, begin, end, np.array(fill), pad_mode=how)


@case("moving/blocks.DepthToSpace")
def depth_to_space(random: Random) -> Drawn:
    size, how = 2, choice(random, "blocks_first", "depth_first")
    high, wide, depth = map(int, random.integers(1, 4, 3))
    data = floats(random, 2, depth * size * size, high, wide)
    expected = np.empty((2, depth, high * size, wide * size), np.float32)
    for n, c, y, x in np.ndindex(*expected.shape):
        block = y % size * size + x % size
        channel = block * depth + c if how == "blocks_first" else c * size * size + block
        expected[n, c, y, x] = data[n, channel, y // size, x // size]
    return one(expected, data, block_size=size, mode=how)


@case("moving/blocks.SpaceToDepth")
def space_to_depth(random: Random) -> Drawn:
    """The other way round."""
    (there,), attrs, (back,) = depth_to_space(random)
    return one(there, back, **attrs)


@case("moving/blocks.BatchToSpace")
def batch_to_space(random: Random) -> Drawn:
    block = [1, *map(int, random.integers(1, 3, 2))]
    dims = [2 * block[1] * block[2], *map(int, random.integers(2, 4, 2))]
    begin, end = ([0, *map(int, random.integers(0, 2, 2))] for _ in range(2))
    data = floats(random, *dims)
    full = np.empty((2, dims[1] * block[1], dims[2] * block[2]), np.float32)
    for n, y, x in np.ndindex(*full.shape):
        image = (y % block[1] * block[2] + x % block[2]) * 2 + n
        full[n, y, x] = data[image, y // block[1], x // block[2]]
    expected = full[:, begin[1] : full.shape[1] - end[1], begin[2] : full.shape[2] - end[2]]
    return one(expected, data, ints(block), ints(begin), ints(end))


@case("moving/blocks.ShuffleChannels")
def shuffle_channels(random: Random) -> Drawn:
    groups, per = map(int, random.integers(1, 4, 2))
    data = floats(random, 2, groups * per, 2)
    expected = np.empty_like(data)
    for group, k in np.ndindex(groups, per):
        expected[:, k * groups + group] = data[:, group * per + k]
    return one(expected, data, axis=1, group=groups)


@case("shared/selection.TopK")
def top_k(random: Random) -> Drawn:
    dims = shape(random)
    axis = int(random.integers(len(dims)))
    count, mode, order = (
        int(random.integers(1, dims[axis] + 1)),
        choice(random, "max", "min"),
        choice(random, "value", "index"),
    )
    data = floats(random, *dims)
    values = np.empty((*dims[:axis], count, *dims[axis + 1 :]), np.float32)
    places = np.empty(values.shape, np.int32)
    for line in np.ndindex(*dims[:axis], *dims[axis + 1 :]):
        where: Any = (*line[:axis], slice(None), *line[axis:])
        best = sorted(range(dims[axis]), key=lambda k: data[where][k] * (-1 if mode == "max" else 1))[:count]
        places[where] = sorted(best) if order == "index" else best
        values[where] = data[where][places[where]]
    return Drawn([data, ints(count)], {"axis": axis, "mode": mode, "sort": order}, [values, places])


@case("shared/selection.OneHot")
def one_hot(random: Random) -> Drawn:
    dims, depth = shape(random, 1, 3), int(random.integers(1, 5))
    axis = int(random.integers(len(dims) + 1))
    places = random.integers(-1, 5, dims)
    expected = np.full((*dims[:axis], depth, *dims[axis:]), -1, np.float32)
    for at in np.ndindex(*dims):
        if 0 <= places[at] < depth:
            expected[(*at[:axis], int(places[at]), *at[axis:])] = 2
    return one(expected, places, ints(depth), np.float32(2), np.float32(-1), axis=axis)


@case("shared/selection.Bucketize")
def bucketize(random: Random) -> Drawn:
    bounds = np.unique(random.integers(0, 9, 4)).astype(np.float32)
    data, right = random.integers(0, 9, shape(random)).astype(np.float32), bool(random.integers(2))
    below = np.vectorize(lambda x: sum(b < x if right else b <= x for b in bounds), otypes=[np.int64])
    return one(below(data), data, bounds, with_right_bound=right, output_type="int64")


@case("shared/selection.Unique")
def unique(random: Random) -> Drawn:
    data = random.integers(0, 4, shape(random)).astype(np.float32)
    flat = data.reshape(-1).tolist()
    kept = sorted(set(flat))
    expected = [kept, [flat.index(x) for x in kept], [kept.index(x) for x in flat], [flat.count(x) for x in kept]]
    return Drawn([data], {"sorted": True}, [np.array(kept, np.float32), *map(ints, expected[1:])])


@case("openvino/embedding.EmbeddingBagOffsets")
def embedding_bags(random: Random) -> Drawn:
    table, count = floats(random, 5, 3), 6
    places, weights = random.integers(0, 5, count), floats(random, count)
    starts = np.sort(random.integers(0, count + 1, 3))
    starts[0] = 0
    expected = np.zeros((3, 3), np.float32)
    for bag, (start, stop) in enumerate(itertools.pairwise([*starts, count])):
        rows = [table[places[k]] * weights[k] for k in range(start, stop)]
        expected[bag] = sum(rows) if rows else table[2]
    return one(expected, table, places, starts, ints(2), weights, reduction="sum")


@case("openvino/embedding.EmbeddingSegmentsSum")
def embedding_segments(random: Random) -> Drawn:
    table, segments = floats(random, 5, 3), np.sort(random.integers(0, 4, 6))
    places = random.integers(0, 5, 6)
    expected = np.zeros((4, 3), np.float32)
    for place, segment in zip(places, segments, strict=True):
        expected[segment] += table[place]
    return one(expected, table, places, segments, ints(4))


@case("openvino/sequence.CTCGreedyDecoderSeqLen")
def greedy_decoder(random: Random) -> Drawn:
    batch, steps, classes, merge = 2, 6, 4, bool(random.integers(2))
    data, lengths = floats(random, batch, steps, classes), random.integers(1, steps + 1, batch).astype(np.int32)
    texts = np.full((batch, steps), -1, np.int32)
    for row in range(batch):
        found: list[int] = []
        last = None
        for step in range(lengths[row]):
            best = int(data[row, step].argmax())
            if best != classes - 1 and not (merge and best == last):
                found.append(best)
            last = best
        texts[row, : len(found)] = found
    counts = (texts >= 0).sum(1).astype(np.int32)
    return Drawn([data, lengths], {"merge_repeated": merge}, [texts, counts])
