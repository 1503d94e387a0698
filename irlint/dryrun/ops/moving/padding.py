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
from irlint.dryrun.ops.common import axes_of, normalise_axis, same_dtype, want_scalar
from irlint.dryrun.tensor import Entry, Tensor
from irlint.graph import Dim, Shape
from irlint.text import words

Widths = list[tuple[int, int]]  # before and after each axis


def padded(data: Any, widths: Sequence[tuple[int, int]], mode: str = "constant", value: Any = 0) -> Any:
    """Return data cut where a width is negative, and padded elsewhere."""
    cut = tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(data.shape, widths, strict=True))
    wide = [(max(a, 0), max(b, 0)) for a, b in widths]
    return np.pad(data[cut], wide, mode, **({"constant_values": value} if mode == "constant" else {}))


def unique_axes(axes: Sequence[int] | None, rank: int) -> Sequence[int]:
    """Return the axes that an attribute lists, counted from the front; all of them without it."""
    if axes is None:
        return range(rank)
    listed = [normalise_axis(axis, rank, "attr:axes", "axes") for axis in axes]
    if len(set(listed)) < len(listed):
        raise ShapeError(R.axis_out_of_range, f"duplicate axis in `axes` {list(axes)}", "attr:axes")
    return listed


class _PadByWidths(Operator):
    """The base of padding by an attribute."""

    def widths(self, pad_width: Any, rank: int) -> Widths:
        raise NotImplementedError

    def run(self, data: Any, *, pad_width: Any, mode: str = "constant", constant_value: float = 0.0, **_: Any) -> Any:
        return padded(data, self.widths(pad_width, data.ndim), mode, constant_value)


class PadPairs(_PadByWidths):
    """Widths as pairs, one for each axis; for a vector, the first numbers of two pairs."""

    def shape(self, data: Tensor, *, pad_width: Sequence[Sequence[int]], **_: Any) -> Tensor:
        if data.shape is None:
            return data
        rank = len(data.shape)
        wanted, numbers = (2, 1) if rank == 1 else (rank, 2)
        outputs = None
        if len(pad_width) >= wanted and all(len(pair) >= numbers for pair in pad_width[:wanted]):
            outputs = [Tensor(data.dtype, tuple(map(dims.add, data.shape, map(sum, self.widths(pad_width, rank)))))]
        if outputs is None or len(pad_width) > wanted:
            message = (
                f"expected {words.count(wanted, 'pair')} in `pad_width` for {show(data.shape)}, got "
                f"{[*map(tuple, pad_width)]}"
            )
            raise ShapeError(R.wrong_value_length, message, "attr:pad_width", [0], outputs)
        return outputs[0]

    def widths(self, pad_width: Sequence[Sequence[int]], rank: int) -> Widths:
        if rank == 1:
            return [(pad_width[0][0], pad_width[1][0])]
        return [(pair[0], pair[1]) for pair in pad_width[:rank]]


class PadWidths(_PadByWidths):
    """Widths before and after every axis: constant, edge or reflected."""

    def shape(self, data: Tensor, *, pad_width: Sequence[int], mode: str = "constant", **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(data.dtype, (None,) * (len(pad_width) // 2))
        if len(pad_width) != 2 * len(data.shape):
            message = (
                f"expected {2 * len(data.shape)} numbers in `pad_width`, two per dimension of {show(data.shape)}, "
                f"got {len(pad_width)}"
            )
            raise ShapeError(R.wrong_value_length, message, "attr:pad_width", [0])
        widths = self.widths(pad_width, len(data.shape))
        for axis, pair in enumerate(widths):
            _want_most(data.shape, axis, *pair, mode if mode == "reflect" else "constant", "attr:pad_width", [0])
        return Tensor(data.dtype, tuple(map(dims.shift, data.shape, map(sum, widths))))

    def widths(self, pad_width: Sequence[int], rank: int) -> Widths:
        return [(pad_width[2 * k], pad_width[2 * k + 1]) for k in range(rank)]


def _want_most(
    shape: Shape,
    axis: int,
    before: Entry,
    after: Entry,
    mode: str,
    part: str,
    related: Sequence[int],
    *,
    crops: bool = False,
) -> None:
    """Raise if more elements are asked for than there are to repeat; with `crops` negative padding leaves fewer of them."""
    dim = shape[axis]
    if isinstance(dim, int) and isinstance(before, int) and isinstance(after, int):
        longest, left = max(before, after), dim + crops * (min(before, 0) + min(after, 0))
        most = max({"edge": longest if left else 0, "reflect": left - 1, "symmetric": left}.get(mode, longest), 0)
        if longest > most:
            asked = f"as padding of dimension {axis} of {show(shape)} in mode `{mode}`, got {longest}"
            raise ShapeError(R.value_out_of_range, f"expected at most {most} {asked}", part, related)


def _sum(shape: Shape, axis: int, before: Entry, after: Entry) -> Dim:
    """Return the length of an axis with padding; raise if it is negative."""
    if before == 0 and after == 0:
        return shape[axis]
    low, high = values.entry_bounds(values.add(values.from_dim(shape[axis]), values.add(before, after)))
    if high is not None and high < 0:
        message = (
            f"padding of {show_dim(before)} and {show_dim(after)} makes dimension {axis} of {show(shape)} negative"
        )
        raise ShapeError(R.empty_output, message, "input:1", [0, 1])
    return dims.interval(max(int(low or 0), 0), None if high is None else int(high))


class Pad(Operator):
    """Padding; with `pad_mode` constant it may be negative, which crops."""

    inputs = "data:[*D] pads_begin:[#D]/integers pads_end:[#D]/integers pad_value?"
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
        rank = self.match(data, begin, end, fill)["#D"]
        if fill is not None and pad_mode == "constant":
            same_dtype((data, fill), ("data", "pad_value"), (0, 3))
            want_scalar(fill, "pad_value", 3, or_single=False)
        if data.shape is None or begin.value is None or end.value is None:
            return Tensor(data.dtype, (None,) * rank if isinstance(rank, int) else None)
        lengths: list[Dim] = []
        for axis, (before, after) in enumerate(zip(begin.value, end.value, strict=True)):
            is_first = isinstance(before, int) and isinstance(after, int) and before >= after
            _want_most(data.shape, axis, before, after, pad_mode, "input:1" if is_first else "input:2", [0, 1, 2])
            lengths.append(_sum(data.shape, axis, before, after))
        return Tensor(data.dtype, tuple(lengths))

    def run(self, data: Any, begin: Any, end: Any, fill: Any = None, *, pad_mode: str = "constant", **_: Any) -> Any:
        value = 0 if fill is None else np.asarray(fill).reshape(-1)[0]
        return padded(data, [(int(a), int(b)) for a, b in zip(begin, end, strict=True)], pad_mode, value)


class PadListed(Operator):
    """Padding by one operand with all beginnings and then all ends, of all axes or the listed ones; negative numbers crop."""

    inputs = "data:_/T pads:[_] value?:one/T axes?"
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
        self.match(data, pads, fill)
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
        for axis, before, after in zip(listed, amounts, amounts[len(listed) :], strict=False):
            if mode == "reflect":  # onnxruntime 1.32 crops first
                _want_most(data.shape, axis, before, after, mode, "input:1", [0, 1], crops=True)
            if mode != "constant":
                self._want_some(data.shape, axis, before, after)
            result[axis] = _sum(data.shape, axis, before, after)
        return Tensor(data.dtype, tuple(result))

    @staticmethod
    def _want_some(shape: Shape, axis: int, before: Entry, after: Entry) -> None:
        """Raise if nothing is left to repeat."""
        dim, is_known = shape[axis], isinstance(before, int) and isinstance(after, int)
        if is_known and isinstance(dim, int) and (before or after) and dim + min(before, 0) + min(after, 0) == 0:
            message = f"padding of {before} and {after} leaves nothing of dimension {axis} of {show(shape)} to repeat"
            raise ShapeError(R.empty_output, message, "input:1", [0, 1])

    def run(self, data: Any, pads: Any, fill: Any = None, axes: Any = None, *, mode: str = "constant", **_: Any) -> Any:
        listed = range(data.ndim) if axes is None else [int(a) % data.ndim for a in axes]
        widths = [(0, 0)] * data.ndim
        for k, axis in enumerate(listed):
            widths[axis] = int(pads[k]), int(pads[k + len(listed)])
        return padded(data, widths, mode, 0 if fill is None else np.asarray(fill).reshape(-1)[0])


class PadByRow(PadListed):
    """Padding by a list, or by a matrix of one row."""

    inputs = "data:_/T pads:[_]|[1,_] value?:#1/T"

    def shape(self, data: Tensor, pads: Tensor, fill: Tensor | None = None, **attrs: Any) -> Tensor:  # type: ignore[override]
        self.match(data, pads, fill)
        listed = pads if not pads.shape else Tensor(pads.dtype, pads.shape[-1:], pads.value)
        return super().shape(data, listed, fill, **attrs)

    def run(self, data: Any, pads: Any, fill: Any = None, **attrs: Any) -> Any:  # type: ignore[override]
        return super().run(data, pads.reshape(-1), fill, **attrs)


class CentreCropPad(Operator):
    """Axes cut to given lengths around their middle, or padded with zeros."""

    inputs = "data shape:[_]"
    reads = (1,)

    def shape(self, data: Tensor, wanted: Tensor, *, axes: Sequence[int] | None = None, **_: Any) -> Tensor:
        self.match(data, wanted)
        if data.shape is None:
            return data
        rank = len(data.shape)
        listed, lengths = unique_axes(axes, rank), values.as_dims(wanted)
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
        widths = [(0, 0)] * data.ndim
        for axis, length in zip(range(data.ndim) if axes is None else axes, map(int, wanted), strict=True):
            more = length - data.shape[axis]
            widths[axis] = int(more / 2), more - int(more / 2)
        return padded(data, widths)
