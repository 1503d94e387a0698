"""Splits, slices, diagonals and paddings by chance, many of them with something left over, empty or too much of it."""

from __future__ import annotations

import random

from .mxnet_cases import Case


def _split(rng: random.Random) -> Case:
    op = rng.choice(["_split_v2", "_npi_hsplit", "_npi_dsplit"])
    rank = rng.randint(3 if op == "_npi_dsplit" else 1, 4)
    shape = tuple(rng.randint(1, 6) for _ in range(rank))
    axis = rng.randrange(rank) if op == "_split_v2" else 2 if op == "_npi_dsplit" else min(rank - 1, 1)
    attrs = {"axis": str(axis)} if op == "_split_v2" else {}
    if rng.random() < 0.5:
        return Case(op, [shape], {**attrs, "indices": "()", "sections": str(rng.randint(1, 7))})
    starts = sorted(rng.randint(0, shape[axis]) for _ in range(rng.randint(1, 3)))
    return Case(op, [shape], {**attrs, "indices": str((0, *starts))})


def _slice(rng: random.Random) -> Case:
    shape = tuple(rng.randint(1, 6) for _ in range(rng.randint(1, 3)))
    begin, end, step = (tuple(rng.randint(*bounds) for _ in shape) for bounds in ((-7, 7), (-7, 7), (1, 3)))
    return Case("slice", [shape], {"begin": str(begin), "end": str(end), "step": str(step)})


def _diagonal(rng: random.Random) -> Case:
    shape = (rng.randint(1, 5), rng.randint(1, 5))
    if rng.random() < 0.5:
        return Case("_np_diag", [shape], {"k": str(rng.randint(-9, 9))})
    return Case("diag", [shape], {"k": str(rng.randint(-shape[0], shape[1]))})


def _padding(rng: random.Random) -> Case:
    shape = tuple(rng.randint(1, 4) for _ in range(rng.randint(1, 3)))
    pairs = tuple((rng.randint(0, 3), rng.randint(0, 3)) for _ in range(max(len(shape) + rng.randint(0, 2), 2)))
    return Case("_npi_pad", [shape], {"mode": "constant", "pad_width": str(pairs)})


def _stacked(rng: random.Random) -> Case:
    """Tensors of as many elements, in any order of their dimensions."""
    shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    shapes = [tuple(rng.sample(shape, len(shape))) + (1,) * rng.randint(0, 1) for _ in range(rng.randint(1, 3))]
    op = rng.choice(["stack", "_npi_stack"])
    return Case(op, shapes, {"num_args": str(len(shapes)), "axis": str(rng.randint(0, len(shape)))})


def _target(rng: random.Random) -> Case:
    """Sizes with more numbers than two."""
    size = tuple(rng.randint(1, 4) for _ in range(rng.randint(2, 4)))
    return Case("GridGenerator", [(2, 6)], {"transform_type": "affine", "target_shape": str(size)})


def _reduction(rng: random.Random) -> Case:
    op = rng.choice(["_np_sum", "_np_prod", "_np_max", "_np_min", "_npi_mean"])
    return Case(op, [(2, 3, 4)], {"axis": "()", "keepdims": rng.choice(["True", "False"])})


def _identity(rng: random.Random) -> Case:
    shape = tuple(rng.randint(1, 4) for _ in range(rng.randint(1, 3)))
    return Case("_npi_identity", [], {"shape": str(shape)})


def chosen(seed: int, count: int) -> list[Case]:
    """Configurations that MXNet takes, every one of them."""
    rng = random.Random(seed)
    kinds = [_split, _slice, _diagonal, _padding, _stacked, _target, _reduction, _identity]
    return [kinds[k % len(kinds)](rng) for k in range(count)]
