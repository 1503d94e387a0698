"""Slices: strided, and by operands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, fits, merge_dims, same_dtype
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Dim, Shape
from irlint.records import NamedTuple

_FAR = 1 << 62  # beyond every index
_LONG = 1 << 40  # a length that means "any"


def span_of(length: int, start: int, stop: int, step: int) -> tuple[int, int]:
    """Return where a slice starts and its length; negative indices count from the end, all are clipped."""
    low = start + length if start < 0 else start
    high = stop + length if stop < 0 else stop
    if step > 0:
        low, high = min(max(low, 0), length), min(max(high, 0), length)
        return low, max(0, -(-(high - low) // step))
    low, high = min(max(low, 0), length - 1), min(max(high, -1), length)
    return low, max(0, -(-(low - high) // -step))


def sliced(dim: Dim, start: Entry, stop: Entry, step: int) -> Dim:
    """Return the length of a slice; for ranges of dimension, start and stop, the range of possible lengths."""
    if isinstance(dim, int) and isinstance(start, int) and isinstance(stop, int):
        return span_of(dim, start, stop, step)[1]
    shortest, longest = dims.bounds(dim)
    starts, stops = _ends(start), _ends(stop)
    lengths = {shortest, _LONG if longest is None else longest}
    for edge in (
        *starts,
        *stops,
        *(b - a for a, b in product(starts, stops)),
        *(b + a for a, b in product(starts, stops)),
    ):
        for near in (abs(edge) - 1, abs(edge), abs(edge) + 1):
            if shortest <= near <= (_LONG if longest is None else longest):
                lengths.add(near)
    found = [span_of(n, a, b, step)[1] for n in lengths for a in starts for b in stops]
    most = max(found)
    return dims.interval(min(found), None if most * abs(step) > _LONG // 2 else most)


def _ends(entry: Entry) -> set[int]:
    """Return the values of an index at which the length of a slice changes direction."""
    low, high = values.entry_bounds(entry)
    first = -_FAR if low is None else max(int(low), -_FAR)
    last = _FAR if high is None else min(int(high), _FAR)
    return {first, last, -1, 0} if first < 0 <= last else {first, last}


def slice_entries(value: Entries, shape: Sequence[int], cuts: Iterable[tuple[int, int, int, int]]) -> Entries:
    """Elements of a sliced tensor; each cut is (axis, start, stop, step)."""
    lengths, steps, first = list(shape), values.strides_of(shape), 0
    for axis, start, stop, step in cuts:
        at, lengths[axis] = span_of(shape[axis], start, stop, step)
        first += at * steps[axis]
        steps[axis] *= step
    return tuple([value[k] for k in values.offsets(lengths, steps, first)])


class _Cut(NamedTuple):
    """What becomes of a dimension of the data: `way` is whole, cut, shrink_axis, or new_axis where there was none; `place` is
    that of its numbers in the operands. Unknown numbers are None."""

    way: str
    axis: int = 0
    place: int = 0
    start: Entry = 0
    stop: Entry = _FAR
    step: Entry = 1
    is_open: bool = False  # at both ends


_MASKS = ("ellipsis", "new_axis", "shrink_axis", "begin", "end")


def _cuts(shape: Shape, starts: Any, stops: Any, steps: Any, count: int, masks: dict[str, Any]) -> list[_Cut]:
    """Return what the numbers of three operands and the masks mean, in the order of the output's dimensions."""
    marks = _marked(masks)
    rank = len(shape)
    used = count - len((marks["ellipsis"] | marks["new_axis"]).intersection(range(count)))
    if used > rank:
        message = f"number of sliced axes in `begin` and `end` ({used}) is more than the rank of {show(shape)}"
        raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
    found: list[_Cut] = []
    axis = 0
    for k in range(count):
        if k in marks["ellipsis"]:
            found += [_Cut("whole", n) for n in range(axis, axis + rank - used)]
            axis += rank - used
        elif k in marks["new_axis"]:
            found.append(_Cut("new_axis"))
        else:
            start, stop, step = (listed[k] if listed and k < len(listed) else None for listed in (starts, stops, steps))
            found.append(
                _opened(_Cut("shrink_axis" if k in marks["shrink_axis"] else "cut", axis, k, start, stop, step), marks)
            )
            axis += 1
    return found + [_Cut("whole", n) for n in range(axis, rank)]


def _marked(masks: dict[str, Any]) -> dict[str, set[int]]:
    """Return the places that each mask marks."""
    return {name: {k for k, bit in enumerate(masks.get(f"{name}_mask") or ()) if bit == 1} for name in _MASKS}


def _opened(cut: _Cut, marks: dict[str, set[int]]) -> _Cut:
    """Return a cut without the ends that the masks take away."""
    begins, ends = cut.place in marks["begin"], cut.place in marks["end"]
    if not begins and not ends:
        return cut
    is_back = isinstance(cut.step, int) and cut.step < 0
    first, last = (_FAR, -_FAR) if is_back else (0, _FAR)
    start = cut.start if not begins else first if cut.way == "cut" else 0
    return cut._replace(start=start, stop=last if ends else cut.stop, is_open=begins and ends)


def _is_cut(cut: _Cut) -> bool:
    return cut.way in ("cut", "shrink_axis")


def _span(length: int, cut: _Cut) -> tuple[int, int, int]:
    """Return start, stop and step of a dimension that is cut."""
    start = int(cut.start)
    if cut.way == "cut":
        return start, int(cut.stop), int(cut.step)
    at = start + length if start < 0 else start
    return at, at + 1, 1


class StridedSlice(Operator):
    """Slices along the first axes, with masks for open ends, new and dropped axes and an ellipsis."""

    inputs = "data begin:[N]/integers end:[N]/integers stride?:[_]/integers"
    reads = (1, 2, 3)

    def shape(self, data: Tensor, begin: Tensor, end: Tensor, stride: Tensor | None = None, **masks: Any) -> Tensor:
        self._check_masks(masks)
        count = self.match(data, begin, end, stride)["N"]
        if stride is not None and stride.shape and stride.value is not None:
            wanted, got = dims.counted(count, "number"), show_dim(stride.shape[0])
            message = f"expected {wanted} in `stride` (as in the other inputs), got {got}"
            count = merge_dims(count, stride.shape[0], message, 3, [1, 3])
        if data.shape is None or not isinstance(count, int):
            return Tensor(data.dtype, None)
        return Tensor(data.dtype, self._result(data.shape, begin, end, stride, count, masks))

    @staticmethod
    def _check_masks(masks: dict[str, Any]) -> None:
        first = len(masks.get("begin_mask") or ())
        for name, mask in masks.items():
            if mask and len(mask) != first:
                message = f"lengths of `begin_mask` ({first}) and `{name}` ({len(mask)}) do not match"
                raise ShapeError(R.wrong_value_length, message, f"attr:{name}")
        if sum(masks.get("ellipsis_mask") or ()) > 1:
            raise ShapeError(R.value_out_of_range, "expected at most one 1 in `ellipsis_mask`", "attr:ellipsis_mask")

    def _result(
        self, shape: Shape, begin: Tensor, end: Tensor, stride: Tensor | None, count: int, masks: dict[str, Any]
    ) -> Shape:
        starts, stops = values.as_dims(begin), values.as_dims(end)
        steps = [1] * count if stride is None else values.as_dims(stride)
        cuts = _cuts(shape, starts, stops, steps, count, masks)
        if any(cut.way == "cut" and cut.step == 0 for cut in cuts):
            raise ShapeError(R.value_out_of_range, f"expected no 0 in `stride`, got {steps}", "input:3", [3])
        result: list[Dim] = []
        for cut in cuts:
            if cut.way == "shrink_axis":
                self._check_index(shape, cut.axis, starts[cut.place] if starts else None)
            else:
                result.append(1 if cut.way == "new_axis" else self._length(shape[cut.axis], cut))
        return tuple(result)

    @staticmethod
    def _check_index(shape: Shape, axis: int, start: Entry) -> None:
        """Check the index of a dropped axis; OpenVINO's compiler does so once all lengths are known (2026.4.1)."""
        length = shape[axis]
        if not dims.is_known(shape) or not isinstance(length, int) or not isinstance(start, int):
            return
        if not -length <= start < length:
            message = f"`begin` {start} is out of range for dimension {axis} of {show(shape)}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [0, 1])

    @staticmethod
    def _length(dim: Dim, cut: _Cut) -> Dim:
        if not isinstance(cut.step, int):
            return dims.interval(0, dims.bounds(dim)[1])
        if cut.way == "whole" or (cut.is_open and abs(cut.step) == 1):
            return dim
        return sliced(dim, cut.start, cut.stop, cut.step)

    def value(
        self, data: Tensor, begin: Tensor, end: Tensor, stride: Tensor | None = None, **masks: Any
    ) -> Entries | None:
        value, starts, stops = data.value, values.numbers(begin), values.numbers(end)
        steps = (1,) * len(starts or ()) if stride is None else values.numbers(stride)
        if value is None or data.shape is None or starts is None or stops is None or steps is None:
            return None
        lengths: Any = data.shape
        cuts = _cuts(lengths, starts, stops, steps, len(starts), masks)
        return slice_entries(
            value, lengths, [(cut.axis, *_span(lengths[cut.axis], cut)) for cut in cuts if _is_cut(cut)]
        )

    def run(self, data: Any, begin: Any, end: Any, stride: Any = None, **masks: Any) -> Any:
        starts, stops = [int(x) for x in begin], [int(x) for x in end]
        steps = [1] * len(starts) if stride is None else [int(x) for x in stride]
        view: list[Any] = [slice(None)] * data.ndim
        kept: list[int] = []
        for cut in _cuts(data.shape, starts, stops, steps, len(starts), masks):
            length = 1 if cut.way == "new_axis" else data.shape[cut.axis]
            if _is_cut(cut):
                view[cut.axis] = as_slice(length, _span(length, cut))
                length = span_of(length, *_span(length, cut))[1]
            if cut.way == "shrink_axis":
                self._check_index(data.shape, cut.axis, starts[cut.place])
            else:
                kept.append(length)
        return data[tuple(view)].reshape(kept)


def as_slice(length: int, cut: tuple[int, int, int]) -> slice:
    """Return the same slice in NumPy's notation."""
    at, count = span_of(length, *cut)
    step = cut[2]
    stop = at + count * step
    return slice(at, None if stop < 0 else stop, step) if count else slice(0, 0)


class Slice(Operator):
    """Cuts along the listed axes, or along the first ones."""

    inputs = "data start:[N]/integers stop:[N]/integers step?:[N]/integers axes?:[N]/integers"
    reads = (1, 2, 3, 4)
    first = 1  # where the operands start, stop, step, axes begin

    def shape(
        self,
        data: Tensor,
        start: Tensor,
        stop: Tensor,
        step: Tensor | None = None,
        axes: Tensor | None = None,
        **_: Any,
    ) -> Tensor:
        count = self.match(data, start, stop, step, axes)["N"]
        return Tensor(data.dtype, self.cut(data.shape, start, stop, step, axes, count))

    def cut(
        self, shape: Shape | None, start: Tensor, stop: Tensor, step: Tensor | None, axes: Tensor | None, count: Dim
    ) -> Shape | None:
        if shape is None:
            return None
        if not any(dims.can_be(count, n) for n in range(len(shape) + 1)):
            message = f"number of slices ({show_dim(count)}) is more than the rank of {show(shape)}"
            raise ShapeError(R.wrong_value_length, message, f"input:{self.first}", [0, self.first])
        listed = list(range(count)) if isinstance(count, int) else None
        if axes is not None:
            listed = axes_of(axes, len(shape), self.first + 3)
        if listed is None:
            return tuple(dims.interval(0, dims.bounds(dim)[1]) for dim in shape)
        unknown: list[Entry] = [None] * len(listed)
        starts, stops = (values.as_dims(tensor) or unknown for tensor in (start, stop))
        steps = [1] * len(listed) if step is None else values.as_dims(step) or unknown
        if 0 in steps:
            place = self.first + 2
            raise ShapeError(R.value_out_of_range, f"expected no 0 in `step`, got {steps}", f"input:{place}", [place])
        result = list(shape)
        for axis, first, last, by in zip(listed, starts, stops, steps, strict=False):
            dim = shape[axis]
            result[axis] = (
                sliced(dim, first, last, by) if isinstance(by, int) else dims.interval(0, dims.bounds(dim)[1])
            )
        return tuple(result)

    def value(
        self,
        data: Tensor,
        start: Tensor,
        stop: Tensor,
        step: Tensor | None = None,
        axes: Tensor | None = None,
        **_: Any,
    ) -> Entries | None:
        value, starts, stops = data.value, values.numbers(start), values.numbers(stop)
        steps = (1,) * len(starts or ()) if step is None else values.numbers(step)
        if value is None or data.shape is None or starts is None or stops is None or steps is None:
            return None
        listed = axes_of(axes, len(data.shape), 4) if axes is not None else list(range(len(starts)))
        if listed is None:
            return None
        cuts = zip(listed, map(int, starts), map(int, stops), map(int, steps), strict=True)
        return slice_entries(value, data.shape, cuts)  # type: ignore[arg-type]

    def run(self, data: Any, start: Any, stop: Any, step: Any = None, axes: Any = None, **_: Any) -> Any:
        return data[self.view(data, start, stop, step, axes)]

    @staticmethod
    def view(data: Any, start: Any, stop: Any, step: Any, axes: Any) -> tuple[slice, ...]:
        view = [slice(None)] * data.ndim
        listed = range(len(start)) if axes is None else [int(a) for a in axes]
        step = [1] * len(start) if step is None else step
        for axis, *cut in zip(listed, start, stop, step, strict=True):
            view[axis] = as_slice(data.shape[axis], (int(cut[0]), int(cut[1]), int(cut[2])))
        return tuple(view)


class SliceScatter(Slice):
    """Write `updates` where Slice would read."""

    inputs = "data updates start:[N]/integers stop:[N]/integers step:[N]/integers axes?:[N]/integers"
    reads = (2, 3, 4, 5)
    first = 2

    def shape(  # type: ignore[override]
        self,
        data: Tensor,
        updates: Tensor,
        start: Tensor,
        stop: Tensor,
        step: Tensor,
        axes: Tensor | None = None,
        **_: Any,
    ) -> Tensor:
        count = self.match(data, updates, start, stop, step, axes)["N"]
        cut, goal = self.cut(data.shape, start, stop, step, axes, count), updates.shape
        if cut is not None and goal is not None and axes is not None and not fits(cut, goal):
            message = f"`updates` {show(goal)} does not broadcast to the slice {show(cut)} of `data` {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        try:
            same_dtype((data, updates), self.names)
        except ShapeError as error:
            error.outputs = (data,)  # runs, the updates converted
            raise
        return data

    def value(self, *inputs: Any, **_: Any) -> None:
        return None

    def run(self, data: Any, updates: Any, start: Any, stop: Any, step: Any, axes: Any = None, **_: Any) -> Any:  # type: ignore[override]
        result = data.copy()
        result[self.view(data, start, stop, step, axes)] = updates
        return result
