"""Shapes of layers: functions of their arguments and of the shapes of their inputs, in Keras's order of axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.windows import Windows
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

Values = Any
Rule = Callable[..., Any]  # of the arguments, and the shapes of the inputs


class Layer(Operator):
    """A layer whose results have shapes that a function knows, and the type of its policy."""

    inputs = "data*"

    def shape(self, *tensors: Tensor, of: Rule, values: Values, **_: Any) -> Any:
        if any(tensor.shape is None for tensor in tensors[: of.__code__.co_argcount - 1] or tensors):
            return Tensor(_dtype(values, tensors))
        try:
            found = of(values, *[tensor.shape for tensor in tensors])
        except UNFORESEEN:  # values of wrong kinds, which are reported themselves
            raise Undecided from None
        dtype = _dtype(values, tensors)
        return [Tensor(dtype, one) for one in found] if isinstance(found, list) else Tensor(dtype, found)


def _dtype(values: Values, tensors: Sequence[Tensor]) -> str | None:
    policy = values.get("dtype") or "float32"
    if isinstance(policy, dict):
        config = policy.get("config")
        policy = config.get("name") if isinstance(config, dict) else None
    return policy.rpartition("mixed_")[2] if isinstance(policy, str) else None


def want_rank(shape: Shape, least: int, most: int | None = None) -> None:
    if len(shape) < least or (most is not None and len(shape) > most):
        told = f"rank {least}" if most == least else f"rank {least} or higher"
        raise ShapeError(R.wrong_rank, f"expected {told}, got {show(shape)}", "input:0", [0])


def alike(v: Values, shape: Shape, *_: Shape | None) -> Shape:
    return shape


def ranked(rank: int) -> Rule:
    """Return the rule of layers that keep shapes, and take those of one rank."""

    def of(v: Values, shape: Shape, *_: Any) -> Shape:
        want_rank(shape, rank, rank)
        return shape

    return of


def dense(v: Values, shape: Shape, *_: Any) -> Shape:
    want_rank(shape, 2)
    return (*shape[:-1], v["units"])


def _is_first(v: Values) -> bool:
    return bool(v.get("data_format") == "channels_first")


def _space(v: Values, shape: Shape, space: int) -> tuple[Shape, Dim]:
    """Return the lengths in space and the channels."""
    want_rank(shape, space + 2, space + 2)
    return (shape[2:], shape[1]) if _is_first(v) else (shape[1:-1], shape[-1])


def _image(v: Values, batch: Dim, lengths: Sequence[Dim], channels: Dim) -> Shape:
    return (batch, channels, *lengths) if _is_first(v) else (batch, *lengths, channels)


def _each(value: Any, space: int) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, tuple) else (value,) * space


def _slid(v: Values, lengths: Shape, kernel: Any, part: str, strides: Any) -> list[Dim]:
    """Return the numbers of windows along each axis."""
    space, causal = len(lengths), v["padding"] == "causal"
    padding = "valid" if v["padding"] == "valid" else "same_upper"
    gaps = _each(v.get("dilation_rate", 1), space)
    windows = Windows(
        _each(kernel, space),
        strides=_each(strides, space),
        dilations=gaps,
        auto_pad="same_upper" if causal else padding,
    )
    return windows.lengths((None, *lengths), part, 1, strict=False)


def _want_groups(v: Values, channels: Dim) -> None:
    groups = v.get("groups") or 1
    if not dims.divisible(channels, groups):
        raise ShapeError(
            R.shape_mismatch,
            f"channels of the input ({channels}) are not a multiple of `groups` ({groups})",
            "attr:groups",
            [0],
        )
    if v.get("filters") and v["filters"] % groups:
        raise ShapeError(
            R.value_out_of_range,
            f"`filters` ({v['filters']}) are not a multiple of `groups` ({groups})",
            "attr:filters",
            [0],
        )


def conv(space: int, is_of_2: bool = False) -> Rule:
    """Return the rule of convolutions; those of Keras 2 take more dimensions of the batch."""

    def of(v: Values, shape: Shape, *_: Any) -> Shape:
        if is_of_2 and (more := len(shape) - space - 2) > 0:
            return (*shape[:more], *of(v, shape[more:]))
        lengths, channels = _space(v, shape, space)
        _want_groups(v, channels)
        return _image(v, shape[0], _slid(v, lengths, v["kernel_size"], "attr:kernel_size", v["strides"]), v["filters"])

    return of


def depthwise(space: int) -> Rule:
    def of(v: Values, shape: Shape, *_: Any) -> Shape:
        lengths, channels = _space(v, shape, space)
        found = _slid(v, lengths, v["kernel_size"], "attr:kernel_size", v["strides"])
        return _image(v, shape[0], found, dims.multiply(channels, v["depth_multiplier"]))

    return of


def transposed(space: int) -> Rule:
    def of(v: Values, shape: Shape, *_: Any) -> Shape:
        lengths, _channels = _space(v, shape, space)
        found = []
        gaps, more = _each(v["dilation_rate"], space), v.get("output_padding")
        for n, size, step, gap in zip(
            lengths, _each(v["kernel_size"], space), _each(v["strides"], space), gaps, strict=True
        ):
            reach = (size - 1) * gap + 1
            if more is not None:
                raise Undecided
            found.append(dims.shift(dims.multiply(n, step), max(reach - step, 0) if v["padding"] == "valid" else 0))
        return _image(v, shape[0], found, v["filters"])

    return of


def pool(space: int) -> Rule:
    def of(v: Values, shape: Shape, *_: Any) -> Shape:
        lengths, channels = _space(v, shape, space)
        found = _slid(
            v, lengths, v["pool_size"], "attr:pool_size", v["pool_size"] if v["strides"] is None else v["strides"]
        )
        return _image(v, shape[0], found, channels)

    return of


def pooled(space: int) -> Rule:
    def of(v: Values, shape: Shape, *_: Any) -> Shape:
        _, channels = _space(v, shape, space)
        return _image(v, shape[0], (1,) * space, channels) if v.get("keepdims") else (shape[0], channels)

    return of


def repeated(space: int) -> Rule:
    def of(v: Values, shape: Shape, *_: Any) -> Shape:
        lengths, channels = _space(v, shape, space)
        return _image(v, shape[0], list(map(dims.multiply, lengths, _each(v["size"], space))), channels)

    return of


def shifted(space: int, label: str, sign: int) -> Rule:
    """Return the rule of layers that add or remove elements at both ends of each axis."""

    def of(v: Values, shape: Shape, *_: Any) -> Shape:
        lengths, channels = _space(v, shape, space)
        value, numbers = v[label], max(space, 2)
        if isinstance(value, tuple) and len(value) != numbers:
            message = f"expected {numbers} values for `{label}`, got {len(value)}"
            raise ShapeError(R.wrong_value_length, message, f"attr:{label}", [0])
        pairs = (value,) if space == 1 and isinstance(value, tuple) else _each(value, space)
        found = [
            dims.shift(n, sign * (sum(pair) if isinstance(pair, tuple | list) else 2 * pair))
            for n, pair in zip(lengths, pairs, strict=True)
        ]
        if any(isinstance(n, int) and n <= 0 for n in found):
            raise ShapeError(R.empty_output, f"`{label}` leaves nothing of {show(shape)}", f"attr:{label}", [0])
        return _image(v, shape[0], found, channels)

    return of


def resized(v: Values, shape: Shape, *_: Any) -> Shape:
    if len(shape) != 4 or v.get("height") is None or v.get("width") is None:
        raise Undecided
    _, channels = _space(v, shape, 2)
    return _image(v, shape[0], (v["height"], v["width"]), channels)


def flatten(v: Values, shape: Shape, *_: Any) -> Shape:
    return (shape[0], dims.product(shape[1:]) if len(shape) > 1 else 1)


def reshape(v: Values, shape: Shape, *_: Any) -> Shape:
    target, total = v["target_shape"], dims.product(shape[1:])
    if not isinstance(target, tuple) or not all(type(n) is int for n in target) or target.count(-1) > 1:
        raise Undecided
    rest = prod(n for n in target if n != -1)
    if isinstance(total, int) and (total % rest if -1 in target and rest else total != rest):
        message = f"{total} elements of {show(shape[1:])} do not fit `target_shape` {show(target)}"
        raise ShapeError(R.element_count_mismatch, message, "attr:target_shape", [0])
    missing = total // rest if isinstance(total, int) and rest else None
    return (shape[0], *[missing if n == -1 else n for n in target])


def permute(v: Values, shape: Shape, *_: Any) -> Shape:
    order = v["dims"]
    if len(shape) != len(order) + 1:
        raise ShapeError(
            R.wrong_rank,
            f"expected rank {len(order) + 1} (one more than `dims` has numbers), got {show(shape)}",
            "attr:dims",
            [0],
        )
    return (shape[0], *[shape[k] for k in order])


def repeat(v: Values, shape: Shape, *_: Any) -> Shape:
    want_rank(shape, 2, 2)
    return (shape[0], v["n"], shape[1])


def embedding(v: Values, shape: Shape, *_: Any) -> Shape:
    return (*shape, v["output_dim"])


def merge(v: Values, *shapes: Shape) -> Shape:
    """Return the shape of all, of which lengths of 1 are repeated; those of lower rank are aligned at their ends, behind the batch."""
    found = list(max(shapes, key=lambda one: len(tuple(one))))
    for k, shape in enumerate(shapes):
        for at, other in zip(range(-1, -len(shape), -1), reversed(shape), strict=False):
            one = found[at]
            if 1 not in (one, other) and not dims.compatible(one, other):
                message = f"shapes {show(shapes[0])} and {show(shape)} do not match in dimension {len(found) + at}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
            found[at] = other if one == 1 else one if other == 1 else dims.merge(one, other)
    return tuple(found)


def normed(v: Values, shape: Shape, *_: Any) -> Shape:
    """Return the shape of a normalization along axes, which have weights of their lengths."""
    for axis in _each(v["axis"], 1):
        if not -len(shape) <= axis < len(shape):
            message = f"`axis` {axis} is out of range for {show(shape)}"
            raise ShapeError(R.axis_out_of_range, message, "attr:axis", [0])
        if axis % len(shape) == 0 and shape[0] is None:
            message = f"`axis` {axis} is the batch of {show(shape)}, whose length is open"
            raise ShapeError(R.axis_out_of_range, message, "attr:axis", [0])
    return shape


def grouped(v: Values, shape: Shape, *_: Any) -> Shape:
    channels, groups = normed(v, shape)[v["axis"]], v["groups"]
    if isinstance(channels, int) and groups and channels % groups:
        message = f"{channels} channels of the input are not a multiple of `groups` ({groups})"
        raise ShapeError(R.shape_mismatch, message, "attr:groups", [0])
    return shape


def sequence(v: Values, shape: Shape, *_: Any) -> Shape:
    """Return the shape of an operation on all elements; its other operands are numbers."""
    return merge(v, shape, *_) if _ else shape


def concatenate(v: Values, *shapes: Shape) -> Shape:
    rank, axis = len(shapes[0]), v["axis"]
    if not -rank <= axis < rank:
        raise ShapeError(R.axis_out_of_range, f"`axis` {axis} is out of range for rank {rank}", "attr:axis", [0])
    axis %= rank
    found = list(shapes[0])
    for k, shape in enumerate(shapes[1:], 1):
        if len(shape) != rank or not all(
            dims.compatible(a, b) for at, (a, b) in enumerate(zip(found, shape, strict=True)) if at not in (0, axis)
        ):
            message = f"shapes {show(shapes[0])} and {show(shape)} do not match; only dimension {axis} may differ"
            raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
        found = [
            dims.add(a, b) if at == axis else dims.merge(a, b)
            for at, (a, b) in enumerate(zip(found, shape, strict=True))
        ]
    return tuple(found)


def dot(v: Values, one: Shape, other: Shape) -> Shape:
    axes = v["axes"] if isinstance(v["axes"], tuple) else (v["axes"],) * 2
    first, second = axes[0] % len(one), axes[1] % len(other)
    if not dims.compatible(one[first], other[second]):
        message = f"dimension {first} of {show(one)} and dimension {second} of {show(other)} do not match"
        raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
    rest = [n for k, n in enumerate(one) if k not in (0, first)] + [
        n for k, n in enumerate(other) if k not in (0, second)
    ]
    return (one[0], *(rest or [1]))


def recurrent(states: int, is_of_2: bool = False) -> Rule:
    """Return the rule of recurrent layers; Keras 2 compares initial states with `units`, Keras 3 fails when it runs them."""

    def of(v: Values, shape: Shape, *given: Any) -> Any:
        want_rank(shape, 3, 3)
        if is_of_2 and shape[1] == 0:
            raise ShapeError(R.empty_output, f"there are no steps in {show(shape)}", "input:0", [0])
        for k, state in enumerate(given if is_of_2 and len(given) == states else (), 1):
            if state is not None and not dims.compatible(state[-1], v["units"]):
                message = f"initial state {show(state)} does not have `units` ({v['units']})"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
        last = (shape[0], v["units"])
        result = (*shape[:2], v["units"]) if v.get("return_sequences") else last
        return [result, *[last] * states] if v.get("return_state") else result

    return of


def convolved(space: int) -> Rule:
    """Return the rule of recurrent layers with convolutions: only the rank of their input."""

    def of(v: Values, shape: Shape, *_: Any) -> Shape:
        want_rank(shape, space + 3, space + 3)
        raise Undecided

    return of


def attend(v: Values, query: Shape, value: Shape, *_: Any) -> Shape:
    return (*query[:-1], value[-1])


def attend_heads(v: Values, query: Shape, *_: Any) -> Shape:
    width = v.get("output_shape")
    return (*query[:-1], *(query[-1:] if width is None else _each(width, 1)))


def einsum(v: Values, shape: Shape, *_: Any) -> Shape:
    left, result, *_more = [*str(v["equation"]).split("->"), ""]
    data, width = left.partition(",")[0], _each(v["output_shape"], 1)
    if "..." not in data:
        want_rank(shape, len(data), len(data))
    if "..." in data:
        more = "ABCDEFGH"[: len(shape) - len(data.replace("...", ""))]
        data, result = data.replace("...", more), result.replace("...", more)
    known: dict[str, Dim] = dict(zip(data, shape, strict=False))
    said = dict(zip(reversed(result), reversed(width), strict=False))
    return tuple([said[letter] if letter in said else known.get(letter) for letter in result])
