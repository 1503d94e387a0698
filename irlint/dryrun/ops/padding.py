"""Padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, normalise_axis, same_dtype, want_dtype, want_rank, want_scalar
from irlint.dryrun.tensor import Entry, Tensor
from irlint.graph import Dim, Shape
from irlint.text import words


class PadPairs(Operator):
    """Padding as pairs, one for each axis; for a vector, the first numbers of two pairs."""

    def shape(self, data: Tensor, *, pad_width: Sequence[Sequence[int]], **_: Any) -> Tensor:
        if data.shape is None:
            return data
        rank = len(data.shape)
        wanted, numbers = (2, 1) if rank == 1 else (rank, 2)
        outputs = None
        if len(pad_width) >= wanted and all(len(pair) >= numbers for pair in pad_width[:wanted]):
            widths = self.widths(pad_width, rank)
            lengths = (dims.add(dim, sum(pair)) for dim, pair in zip(data.shape, widths, strict=True))
            outputs = [Tensor(data.dtype, tuple(lengths))]
        if outputs is None or len(pad_width) > wanted:
            message = (
                f"expected {words.count(wanted, 'pair')} in `pad_width` for {show(data.shape)}, got "
                f"{[*map(tuple, pad_width)]}"
            )
            raise ShapeError(R.wrong_value_length, message, "attr:pad_width", [0], outputs)
        return outputs[0]

    @staticmethod
    def widths(pad_width: Sequence[Sequence[int]], rank: int) -> list[tuple[int, int]]:
        if rank == 1:
            return [(pad_width[0][0], pad_width[1][0])]
        return [(pair[0], pair[1]) for pair in pad_width[:rank]]

    def run(
        self,
        data: Any,
        *,
        pad_width: Sequence[Sequence[int]],
        mode: str = "constant",
        constant_value: float = 0.0,
        **_: Any,
    ) -> Any:
        widths = self.widths(pad_width, data.ndim)
        if mode == "constant":
            return np.pad(data, widths, constant_values=constant_value)
        return np.pad(data, widths, mode)


class PadWidths(Operator):
    """Padding: constant, edge or reflected; widths are before and after of every axis."""

    def shape(self, data: Tensor, *, pad_width: Sequence[int], mode: str = "constant", **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(data.dtype, (None,) * (len(pad_width) // 2))
        if len(pad_width) != 2 * len(data.shape):
            message = (
                f"expected {2 * len(data.shape)} numbers in `pad_width`, two per dimension of {show(data.shape)}, "
                f"got {len(pad_width)}"
            )
            raise ShapeError(R.wrong_value_length, message, "attr:pad_width", [0])
        result = []
        for k, dim in enumerate(data.shape):
            before, after = pad_width[2 * k], pad_width[2 * k + 1]
            if mode == "reflect" and isinstance(dim, int) and max(before, after) > dim - 1:
                message = (
                    f"expected at most {dim - 1} as mirrored padding of dimension {k} of {show(data.shape)}, got "
                    f"{max(before, after)}"
                )
                raise ShapeError(R.value_out_of_range, message, "attr:pad_width", [0])
            total = before + after
            result.append(dims.add(dim, total) if total >= 0 else dims.subtract(dim, -total))
        return Tensor(data.dtype, tuple(result))

    def run(
        self, data: Any, *, pad_width: Sequence[int], mode: str = "constant", constant_value: float = 0, **_: Any
    ) -> Any:
        widths = [(pad_width[2 * k], pad_width[2 * k + 1]) for k in range(data.ndim)]
        if mode == "constant":
            return np.pad(data, widths, constant_values=constant_value)
        return np.pad(data, widths, mode=mode)


class Pad(Operator):
    """Padding; with `pad_mode` constant it may be negative, which crops."""

    inputs = "data pads_begin pads_end pad_value?"
    reads = (1, 2)

    def shape(
        self,
        data: Tensor,
        begin: Tensor,
        end: Tensor,
        fill: Tensor | None = None,
        *,
        pad_mode: str = "constant",
        **_: Any,
    ) -> Tensor:
        for k, tensor in ((1, begin), (2, end)):
            want_dtype(tensor, self.names[k], k, "an integer type")
            want_rank(tensor, self.names[k], k, 1)
            if data.shape is not None and tensor.shape and not dims.can_be(tensor.shape[0], len(data.shape)):
                message = (
                    f"expected one number per dimension of `data` {show(data.shape)} in `{self.names[k]}`, got "
                    f"{show_dim(tensor.shape[0])}"
                )
                raise ShapeError(R.wrong_value_length, message, f"input:{k}", [0, k])
        if fill is not None and pad_mode == "constant":
            same_dtype((data, fill), ("data", "pad_value"), (0, 3))
            want_scalar(fill, "pad_value", 3, or_single=False)
        if data.shape is None:
            counts = values.as_dims(begin) or values.as_dims(end)
            return Tensor(data.dtype, None if counts is None else (None,) * len(counts))
        before, after = values.as_dims(begin), values.as_dims(end)
        if begin.value is None or end.value is None or before is None or after is None:
            return Tensor(data.dtype, (None,) * len(data.shape))
        result = [self._padded(data.shape, k, before[k], after[k], pad_mode) for k in range(len(data.shape))]
        return Tensor(data.dtype, tuple(result))

    @staticmethod
    def _padded(shape: Shape, k: int, before: Entry, after: Entry, mode: str) -> Dim:
        dim = shape[k]
        total = values.add(values.from_dim(dim), values.add(before, after))
        low, high = values.entry_bounds(total)
        if isinstance(dim, int) and isinstance(before, int) and isinstance(after, int):
            longest = max(before, after)
            if longest > 0:
                allowed = {"edge": 0 if dim == 0 else longest, "reflect": dim - 1, "symmetric": dim}.get(mode, longest)
                if longest > allowed:
                    raise ShapeError(
                        R.value_out_of_range,
                        (
                            f"expected at most {max(allowed, 0)} as padding of dimension {k} of {show(shape)} with `pad_mode` "
                            f"`{mode}`, got {longest}"
                        ),
                        "input:1" if longest == before else "input:2",
                        [0, 1, 2],
                    )
        if high is not None and high < 0:
            message = f"padding of {before} and {after} makes dimension {k} of {show(shape)} negative"
            raise ShapeError(R.empty_output, message, "input:1", [0, 1, 2])
        return (
            None
            if low is None and high is None
            else dims.interval(max(int(low or 0), 0), None if high is None else int(high))
        )

    def run(self, data: Any, begin: Any, end: Any, fill: Any = None, *, pad_mode: str = "constant", **_: Any) -> Any:
        sides = [(int(a), int(b)) for a, b in zip(begin, end, strict=True)]
        cut = tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(data.shape, sides, strict=True))
        wide = [(max(a, 0), max(b, 0)) for a, b in sides]
        if pad_mode == "constant":
            value = 0 if fill is None else np.asarray(fill).reshape(-1)[0]
            return np.pad(data[cut], wide, constant_values=value)
        return np.pad(data[cut], wide, mode=pad_mode)


class PadListed(Operator):
    """Padding by one operand with all beginnings and then all ends, of all axes or the listed ones; negative numbers crop."""

    inputs = "data pads value? axes?"
    reads = (1, 3)

    def shape(
        self,
        data: Tensor,
        pads: Tensor,
        fill: Tensor | None = None,
        axes: Tensor | None = None,
        *,
        mode: str = "constant",
        **_: Any,
    ) -> Tensor:
        want_rank(pads, "pads", 1, 1)
        want_scalar(fill, "value", 2)
        same_dtype((data, fill), ("data", "value"), (0, 2))
        if data.shape is None:
            return data
        rank = len(data.shape)
        listed = list(range(rank)) if axes is None else axes_of(axes, rank, 3)
        if listed is None:
            return Tensor(data.dtype, (None,) * rank)
        if pads.shape and not dims.can_be(pads.shape[0], 2 * len(listed)):
            message = f"expected {2 * len(listed)} numbers in `pads` (two per axis), got {show_dim(pads.shape[0])}"
            raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        result = list(data.shape)
        amounts = values.as_dims(pads) or [None] * 2 * len(listed)
        for k, axis in enumerate(listed):
            before, after = amounts[k], amounts[k + len(listed)]
            result[axis] = (
                None if before is None or after is None else self._padded(data.shape, axis, before, after, mode)
            )
        return Tensor(data.dtype, tuple(result))

    @staticmethod
    def _padded(shape: Shape, axis: int, before: Entry, after: Entry, mode: str) -> Dim:
        dim = shape[axis]
        if mode == "reflect" and isinstance(dim, int) and isinstance(before, int) and isinstance(after, int):
            most = max(dim - 1, 0)
            if max(before, after) > most:
                message = (
                    f"expected at most {most} to reflect of dimension {axis} of {show(shape)}, got {max(before, after)}"
                )
                raise ShapeError(R.value_out_of_range, message, "input:1", [0, 1])
        if before == 0 and after == 0:
            return dim
        if mode != "constant" and isinstance(dim, int) and isinstance(before, int) and isinstance(after, int):
            if dim + min(before, 0) + min(after, 0) == 0:
                message = (
                    f"padding of {before} and {after} leaves nothing of dimension {axis} of {show(shape)} to repeat"
                )
                raise ShapeError(R.empty_output, message, "input:1", [0, 1])
        low, high = values.entry_bounds(values.add(values.from_dim(dim), values.add(before, after)))
        if high is not None and high < 0:
            message = (
                f"padding of {show_dim(before)} and {show_dim(after)} makes dimension {axis} of {show(shape)} negative"
            )
            raise ShapeError(R.empty_output, message, "input:1", [0, 1])
        return dims.interval(max(int(low or 0), 0), None if high is None else int(high))

    def run(self, data: Any, pads: Any, fill: Any = None, axes: Any = None, *, mode: str = "constant", **_: Any) -> Any:
        listed = range(data.ndim) if axes is None else [int(a) % data.ndim for a in axes]
        sides = [(0, 0)] * data.ndim
        for k, axis in enumerate(listed):
            sides[axis] = int(pads[k]), int(pads[k + len(listed)])
        cut = tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(data.shape, sides, strict=True))
        wide = [(max(a, 0), max(b, 0)) for a, b in sides]
        if mode != "constant":
            return np.pad(data[cut], wide, mode=mode)
        value = np.zeros((), data.dtype) if fill is None else np.asarray(fill).reshape(-1)[0]
        return np.pad(data[cut], wide, constant_values=value)


class CentreCropPad(Operator):
    """Axes cut to given lengths around their middle, or padded with zeros."""

    inputs = "data shape"
    reads = (1,)

    def shape(self, data: Tensor, wanted: Tensor, *, axes: Sequence[int] | None = None, **_: Any) -> Tensor:
        want_rank(wanted, "shape", 1, 1)
        if data.shape is None:
            return data
        rank = len(data.shape)
        listed = range(rank) if axes is None else [normalise_axis(axis, rank, "attr:axes", "axes") for axis in axes]
        if len(set(listed)) < len(listed):
            raise ShapeError(R.axis_out_of_range, f"duplicate axis in `axes` {list(axes or ())}", "attr:axes")
        lengths = values.as_dims(wanted)
        if lengths is None:
            return Tensor(data.dtype, (None,) * rank)
        if len(lengths) != len(listed):
            message = f"expected {words.count(len(listed), 'number')} in `shape` (one per axis), got {len(lengths)}"
            raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        result = list(data.shape)
        for axis, length in zip(listed, lengths, strict=True):
            result[axis] = values.to_dim(length)
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, wanted: Any, *, axes: Sequence[int] | None = None, **_: Any) -> Any:
        for axis, length in zip(range(data.ndim) if axes is None else axes, map(int, wanted), strict=True):
            size = data.shape[axis]
            if length < size:
                start = (size - length) // 2
                view: Any = (slice(None),) * (axis % data.ndim) + (slice(start, start + length),)
                data = data[view]
            else:
                sides = [(0, 0)] * data.ndim
                sides[axis] = (length - size) // 2, (length - size + 1) // 2
                data = np.pad(data, sides)
        return data
