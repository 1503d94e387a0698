"""Fourier transforms along an operand's axis, window functions, and filters of the mel scale."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, number
from irlint.dryrun.ops.shared.fourier import pairs, want_positive
from irlint.dryrun.tensor import Tensor


def _want_pairs(data: Tensor, name: str = "data", allowed: tuple[int, ...] = (1, 2)) -> None:
    """Raise unless the last dimension tells real numbers (1) from pairs (2)."""
    if data.shape is not None and not any(dims.can_be(data.shape[-1], count) for count in allowed):
        wanted = " or ".join(map(str, allowed))
        message = f"expected {wanted} as the last dimension of `{name}`, got {show(data.shape)}"
        raise ShapeError(R.shape_mismatch, message, "input:0", [0])


class SpectrumTransform(Operator):
    """The transform of real numbers or pairs along an axis; `onesided` keeps the first half, or makes real numbers of it."""

    inputs = "data:[*_,_,_]/floats length?:one axis?:one"
    reads = (1, 2)

    def shape(
        self,
        data: Tensor,
        length: Tensor | None = None,
        axis: Tensor | None = None,
        *,
        inverse: bool = False,
        onesided: bool = False,
        **_: Any,
    ) -> Tensor:
        self.match(data, length, axis)
        if data.shape is None:
            return data
        rank, parts = len(data.shape), 1 if inverse and onesided else 2
        _want_pairs(data, allowed=(3 - parts,) if onesided else (1, 2))
        listed = [rank - 2] if axis is None else axes_of(axis, rank, 2, "axis")
        if listed is None:
            kept = data.shape[:-1] if length is None and not onesided else (None,) * (rank - 1)
            return Tensor(data.dtype, (*kept, parts))
        at = listed[0]
        if at == rank - 1:
            raise ShapeError(R.axis_out_of_range, f"axis {rank - 1} holds the parts of each number", "input:2", [0, 2])
        dim = data.shape[at] if length is None else values.to_dim(length.entry)
        if length is None and parts == 1:
            dim = dims.multiply(dims.subtract(dim, 1), 2)
        if onesided and not inverse:
            dim = dims.add(dims.floor_divide(dim, 2), 1)
        return Tensor(data.dtype, (*data.shape[:at], dim, *data.shape[at + 1 : -1], parts))

    def run(
        self,
        data: Any,
        length: Any = None,
        axis: Any = None,
        *,
        inverse: bool = False,
        onesided: bool = False,
        **_: Any,
    ) -> Any:
        along = data.ndim - 2 if axis is None else number(axis) % data.ndim
        numbers = data[..., 0] + 1j * data[..., 1] if data.shape[-1] == 2 else data[..., 0]
        count = None if length is None else number(length)
        if inverse and onesided:
            return np.fft.irfft(numbers, count, along)[..., None].astype(data.dtype)
        if inverse:
            found = np.fft.ifft(numbers, count, along)
        elif onesided:
            found = np.fft.rfft(numbers.real, count, along)
        else:
            found = np.fft.fft(numbers, count, along)
        return pairs(found, data.dtype)


class ShortTransform(Operator):
    """Transforms of windows that move over a signal."""

    inputs = "signal:[N,L]|[N,L,_] frame_step:one window?:[W] frame_length?:one"
    reads = (1, 3)

    def shape(
        self,
        signal: Tensor,
        step: Tensor,
        window: Tensor | None = None,
        length: Tensor | None = None,
        *,
        onesided: bool = True,
        **_: Any,
    ) -> Tensor:
        found = self.match(signal, step, window, length)
        if signal.rank == 3:
            _want_pairs(signal, "signal")
        by, frame = want_positive(step, "frame_step", 1), want_positive(length, "frame_length", 3)
        if found["W"] == 0:
            raise ShapeError(R.shape_mismatch, "expected at least 1 element in `window`, got [0]", "input:2", [2])
        if not dims.compatible(found["W"], frame):
            message = f"length of `window` ({show_dim(found['W'])}) does not match `frame_length` {show_dim(frame)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [2, 3])
        frame = found["W"] if length is None or length.entry is None else frame
        samples, count = found["L"], None
        if isinstance(frame, int) and isinstance(samples, int) and isinstance(by, int):
            if frame > samples:
                message = f"frames of {frame} are longer than `signal` {show(signal.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:0", [0])
            count = (samples - frame) // by + 1
        bins = dims.add(dims.floor_divide(frame, 2), 1) if onesided else frame
        return Tensor(signal.dtype, (found["N"], count, bins, 2))

    def run(
        self, signal: Any, step: Any, window: Any = None, length: Any = None, *, onesided: bool = True, **_: Any
    ) -> Any:
        size = len(window) if length is None else number(length)
        by = number(step)
        rows = signal if signal.ndim == 2 else signal[..., 0] + (1j * signal[..., 1] if signal.shape[2] == 2 else 0)
        starts = np.arange((rows.shape[1] - size) // by + 1) * by
        frames = rows[:, starts[:, None] + np.arange(size)]
        frames = frames if window is None else frames * window
        found = np.fft.fft(frames) if np.iscomplexobj(frames) or not onesided else np.fft.rfft(frames)
        found = found[..., : size // 2 + 1] if onesided else found
        return pairs(found, signal.dtype)


class CosineWindow(Operator):
    """A window of cosines, whose coefficients it is given; `periodic`, or symmetric."""

    inputs = "size:one"
    reads = (0,)

    def shape(self, size: Tensor, *, dtype: str | None = "float32", **_: Any) -> Tensor:
        self.match(size)
        return Tensor(dtype, (want_positive(size, "size", 0),))

    def run(
        self, size: Any, *, terms: tuple[float, ...], periodic: bool = True, dtype: str = "float32", **_: Any
    ) -> Any:
        count = number(size)
        # onnxruntime 1.32 divides by 0 for a symmetric window of one element
        angle = 2 * np.pi * np.arange(count) / np.float64(count if periodic else count - 1)
        return sum(term * np.cos(k * angle) for k, term in enumerate(terms)).astype(dtype)


class MelFilters(Operator):
    """The weights that make bins of the mel scale of a spectrum."""

    inputs = "num_mel_bins:one dft_length:one sample_rate:one lower_edge_hertz:one upper_edge_hertz:one"
    reads = (0, 1)

    def shape(self, *tensors: Tensor, dtype: str | None = "float32", **_: Any) -> Tensor:
        self.match(*tensors)
        count, size = (values.to_dim(tensor.entry) for tensor in tensors[:2])
        return Tensor(dtype, (dims.add(dims.floor_divide(size, 2), 1), count))

    def run(self, bins: Any, length: Any, rate: Any, low: Any, high: Any, *, dtype: str = "float32", **_: Any) -> Any:
        count, size = number(bins), number(length)
        ends = [2595 * np.log10(1 + float(np.asarray(edge).reshape(-1)[0]) / 700) for edge in (low, high)]
        step = (ends[1] - ends[0]) / (count + 2)
        hertz = 700 * (np.power(10, (np.arange(count + 2) * step + ends[0]) / 2595) - 1)
        places = ((size + 1) * hertz // number(rate)).astype(np.int64)
        found = np.zeros((size // 2 + 1, count))
        for k in range(count):
            first, middle, last = places[k : k + 3]
            if middle == first:
                found[middle, k] = 1
            else:
                found[first : middle + 1, k] = (np.arange(first, middle + 1) - first) / (middle - first)
            if last > middle:
                found[middle:last, k] = (last - np.arange(middle, last)) / (last - middle)
        return found.astype(dtype)
