"""Fourier transforms; complex numbers are pairs on a last axis of length 2."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, number
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class _Transform(Operator):
    inputs = "data:[_,*_,2]/float32|float16|bfloat16 axes:[A]/index signal_size?:[A]/index"
    reads = (1, 2)
    pairs_in = True

    def checked(self, data: Tensor, axes: Tensor, size: Tensor | None) -> tuple[list[int] | None, list[Any] | None]:
        """The axes, counted from the front, and the wanted lengths."""
        count = self.match(data, axes, size)["A"]
        if data.shape is None:
            return None, None
        rank = len(data.shape) - self.pairs_in
        if dims.bounds(count)[0] > rank:
            message = (
                f"number of axes in `axes` ({show_dim(count)}) is more than the {rank} axes of `data` "
                f"{show(data.shape)} to transform"
            )
            raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        listed = values.numbers(axes)
        if listed is None:
            return None, None
        found = [normalise_axis(int(axis), rank, "input:1", "axes") for axis in listed]
        if len(set(found)) != len(found):
            raise ShapeError(R.axis_out_of_range, f"duplicate axis in `axes` {list(listed)}", "input:1", [1])
        lengths = values.as_dims(size) if size is not None else None
        return found, [None] * len(found) if size is not None and lengths is None else lengths

    @staticmethod
    def resized(shape: Shape, axes: list[int], lengths: list[Any] | None) -> list[Dim]:
        """Dimensions after cutting or padding; -1 keeps one."""
        result = list(shape)
        for axis, length in zip(axes, lengths or (), strict=False):
            if length != -1:
                result[axis] = values.to_dim(length)
        return result

    @staticmethod
    def signal(data: Any, axes: Any, size: Any) -> tuple[Any, list[int], list[int] | None]:
        """Complex numbers, axes, lengths."""
        numbers = data[..., 0] + 1j * data[..., 1]
        return numbers, *chosen(numbers, axes, size)


def chosen(numbers: Any, axes: Any, size: Any) -> tuple[list[int], list[int] | None]:
    """Axes counted from the front, and their lengths: -1 keeps one."""
    listed = [int(a) % numbers.ndim for a in axes]
    if size is None:
        return listed, None
    return listed, [numbers.shape[a] if int(n) == -1 else int(n) for a, n in zip(listed, size, strict=True)]


def pairs(numbers: Any, dtype: Any) -> Any:
    return np.stack([numbers.real, numbers.imag], -1).astype(dtype)


class DFT(_Transform):
    def shape(self, data: Tensor, axes: Tensor, size: Tensor | None = None, **_: Any) -> Tensor:
        listed, lengths = self.checked(data, axes, size)
        if data.shape is None:
            return data
        if listed is None:
            if size is None:
                return data
            return Tensor(data.dtype, (*(None,) * (len(data.shape) - 1), data.shape[-1]))
        return Tensor(data.dtype, tuple(self.resized(data.shape, listed, lengths)))

    def run(self, data: Any, axes: Any, size: Any = None, **_: Any) -> Any:
        numbers, listed, lengths = self.signal(data, axes, size)
        return pairs(np.fft.fftn(numbers, lengths, listed), data.dtype)


class IDFT(DFT):
    def run(self, data: Any, axes: Any, size: Any = None, **_: Any) -> Any:
        numbers, listed, lengths = self.signal(data, axes, size)
        return pairs(np.fft.ifftn(numbers, lengths, listed), data.dtype)


class RDFT(_Transform):
    """Transform of real numbers: half of the last transformed axis."""

    inputs = "data:[_,*_]/float32|float16|bfloat16 axes:[A]/index signal_size?:[A]/index"

    pairs_in = False

    def shape(self, data: Tensor, axes: Tensor, size: Tensor | None = None, **_: Any) -> Tensor:
        listed, lengths = self.checked(data, axes, size)
        if data.shape is None:
            return data
        if listed is None:
            return Tensor(data.dtype, (*(None,) * len(data.shape), 2))
        result = self.resized(data.shape, listed, lengths)
        if listed:
            last = listed[-1]
            result[last] = dims.add(dims.floor_divide(result[last], 2), 1)
        return Tensor(data.dtype, (*result, 2))

    def run(self, data: Any, axes: Any, size: Any = None, **_: Any) -> Any:
        listed, lengths = chosen(data, axes, size)
        return pairs(np.fft.rfftn(data, lengths, listed), data.dtype)


class IRDFT(_Transform):
    """Inverse transform to real numbers."""

    def shape(self, data: Tensor, axes: Tensor, size: Tensor | None = None, **_: Any) -> Tensor:
        listed, lengths = self.checked(data, axes, size)
        if data.shape is None:
            return data
        if listed is None:
            return Tensor(data.dtype, (None,) * (len(data.shape) - 1))
        result = self.resized(data.shape, listed, lengths)[:-1]
        if listed:
            last = listed[-1]
            asked = lengths[-1] if lengths else -1
            if asked == -1:
                result[last] = dims.multiply(dims.subtract(data.shape[last], 1), 2)
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, axes: Any, size: Any = None, **_: Any) -> Any:
        numbers, listed, lengths = self.signal(data, axes, size)
        if lengths is not None and int(size[-1]) == -1:
            lengths[-1] = 2 * (numbers.shape[listed[-1]] - 1)
        return np.fft.irfftn(numbers, lengths, listed).astype(data.dtype)


class STFT(Operator):
    """Spectra of frames of a signal."""

    inputs = "signal:[N]|[_,N]/T=floats window:[_]/T=floats frame_size:[]/index frame_step:[]/index"
    reads = (2, 3)

    def shape(
        self, signal: Tensor, window: Tensor, size: Tensor, step: Tensor, *, transpose_frames: bool = False, **_: Any
    ) -> Tensor:
        found = self.match(signal, window, size, step)
        frame, hop = want_positive(size, "frame_size", 2), want_positive(step, "frame_step", 3)
        if signal.shape is None:
            return Tensor(signal.dtype, None)
        length = found["N"]
        frames: Dim = None
        bins: Dim = None
        if isinstance(frame, int):
            high = dims.bounds(length)[1]
            if high is not None and frame > high:
                message = f"`frame_size` {frame} is larger than the {show_dim(length)} samples of `signal` {show(signal.shape)}"
                raise ShapeError(R.value_out_of_range, message, "input:2", [0, 2])
            _want_window(window, frame)
            bins = frame // 2 + 1
            if isinstance(hop, int):
                frames = dims.add(dims.floor_divide(dims.subtract(length, frame), hop), 1)
        inner = (bins, frames) if transpose_frames else (frames, bins)
        return Tensor(signal.dtype, (*signal.shape[:-1], *inner, 2))

    def run(self, signal: Any, window: Any, size: Any, step: Any, *, transpose_frames: bool = False, **_: Any) -> Any:
        frame, hop = number(size), number(step)
        before = (frame - window.size) // 2
        taper = np.pad(window, (before, frame - window.size - before))
        view = np.lib.stride_tricks.sliding_window_view(signal, frame, -1)[..., ::hop, :]
        spectra = pairs(np.fft.rfft(view * taper, axis=-1), signal.dtype)
        return np.swapaxes(spectra, -2, -3) if transpose_frames else spectra


def _want_window(window: Tensor, frame: int) -> None:
    low, high = dims.bounds(window.shape[0] if window.shape else None)
    if low > frame or high == 0:
        message = f"expected 1 to {frame} numbers in `window` (`frame_size`), got {show(window.shape)}"
        raise ShapeError(R.shape_mismatch, message, "input:1", [1, 2])


def want_positive(tensor: Tensor | None, name: str, index: int) -> Dim:
    """Return a size; raise unless it is at least 1."""
    entry = None if tensor is None else tensor.entry
    if not values.fits(entry, 1):
        message = f"expected at least 1 for `{name}`, got {show_dim(entry)}"
        raise ShapeError(R.value_out_of_range, message, f"input:{index}", [index])
    return values.to_dim(entry)


class ISTFT(Operator):
    """A signal from the spectra of its frames."""

    inputs = (
        "data:[F,L,_]|[_,F,L,_]/T=floats window:[_]/T frame_size:[]/index frame_step:[]/index signal_length?:one/index"
    )
    reads = (2, 3, 4)

    def shape(
        self,
        data: Tensor,
        window: Tensor,
        size: Tensor,
        step: Tensor,
        length: Tensor | None = None,
        *,
        center: bool = False,
        **_: Any,
    ) -> Tensor:
        found = self.match(data, window, size, step, length)
        frame, hop = want_positive(size, "frame_size", 2), want_positive(step, "frame_step", 3)
        if isinstance(frame, int):
            _want_window(window, frame)
        shape = data.shape
        if shape is None:
            return Tensor(data.dtype, None)
        if isinstance(frame, int) and not dims.can_be(found["F"], frame // 2 + 1):
            wanted = f"{frame // 2 + 1} frequencies for `frame_size` {frame}"
            message = f"expected {wanted}, got {show_dim(found['F'])} in `data` {show(shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0, 2])
        samples: Dim = None
        if length is not None:
            samples = values.to_dim(length.entry)
        elif isinstance(frame, int) and isinstance(hop, int):
            samples = dims.add(dims.multiply(dims.subtract(found["L"], 1), hop), frame)
            samples = dims.subtract(samples, frame // 2 * 2) if center else samples
        return Tensor(data.dtype, (*shape[:-3], samples))

    def run(
        self,
        data: Any,
        window: Any,
        size: Any,
        step: Any,
        length: Any = None,
        *,
        center: bool = False,
        normalized: bool = False,
        **_: Any,
    ) -> Any:
        frame, hop = number(size), number(step)
        before = (frame - window.size) // 2
        taper = np.pad(window, (before, frame - window.size - before))
        spectra = np.swapaxes(data[..., 0] + 1j * data[..., 1], -1, -2)
        frames = np.fft.irfft(spectra, frame, axis=-1)
        if normalized:
            frames = frames * np.sqrt(frame)
        count = frames.shape[-2]
        total = (count - 1) * hop + frame
        signal = np.zeros((*frames.shape[:-2], total))
        weight = np.zeros(total)
        for k in range(count):
            signal[..., k * hop : k * hop + frame] += frames[..., k, :] * taper
            weight[k * hop : k * hop + frame] += np.square(taper)
        signal = np.where(weight > 0, signal / np.where(weight > 0, weight, 1), 0)
        if center:
            edge = frame // 2
            signal = signal[..., edge : signal.shape[-1] - (0 if length is not None else edge)]
        if length is not None:
            wanted = number(length)
            signal = signal[..., :wanted]
            if signal.shape[-1] < wanted:
                signal = np.pad(signal, [(0, 0)] * (signal.ndim - 1) + [(0, wanted - signal.shape[-1])])
        return signal.astype(data.dtype)


class Fft(Operator):
    """The transform along the last axis, real and imaginary parts in turn."""

    inputs = "data:[*B,N]/T -> [*B,2*N]/T"

    def run(self, data: Any, **_: Any) -> Any:
        found = np.fft.fft(data)
        return np.stack([found.real, found.imag], -1).reshape(*data.shape[:-1], -1).astype(data.dtype)


class Ifft(Operator):
    """The way back, not divided by the length."""

    inputs = "data:[*_,N]"

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        half = dims.floor_divide(self.match(data)["N"], 2)
        return Tensor(data.dtype, None if data.shape is None else (*data.shape[:-1], half))

    def run(self, data: Any, **_: Any) -> Any:
        parts = data.reshape(*data.shape[:-1], -1, 2)
        return (np.fft.ifft(parts[..., 0] + 1j * parts[..., 1]).real * parts.shape[-2]).astype(data.dtype)
