"""The spectrum of a signal in overlapping windows, and back."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.ops.sample.common import Settled, made, rank_error
from irlint.dryrun.tensor import Tensor


def _window(size: int, length: int, kind: int) -> Any:
    """Return a window of ones, or that of Hann or Hamming, with zeros around it."""
    turns = 2 * np.pi * np.arange(length) / length
    inner = (np.ones(length), 0.5 - 0.5 * np.cos(turns), 0.54 - 0.46 * np.cos(turns))[kind]
    before = (size - length) // 2
    return np.pad(inner, (before, size - length - before))


class Spectrogram(Settled):
    """Complex numbers (frequencies, frames, 2), or their size or its square (frequencies, frames)."""

    inputs = "data:[L]"

    def result(
        self, data: Tensor, *, size: int, step: int, centered: bool, padding: str, power: int, half: bool, **_: Any
    ) -> Tensor:
        given: Any = self.match(data)["L"]
        length = given + (size // 2 * 2 if centered else 0)
        if length < size or (centered and padding == "reflect" and size // 2 >= given):
            raise ShapeError(R.shape_mismatch, f"window of {size} is too long for {show(data.shape)}", "attr:size", [0])
        found = (size // 2 + 1 if half else size, (length - size) // step + 1)
        return made(found if power else (*found, 2), "attr:size", dtype=data.dtype)

    def run(
        self,
        data: Any,
        *,
        size: int,
        step: int,
        length: int,
        window: int,
        centered: bool,
        padding: str,
        power: int,
        half: bool,
        normalized: int,
        **_: Any,
    ) -> Any:
        if centered:
            data = np.pad(data, size // 2, mode=padding)
        shape = _window(size, length, window)
        frames = np.lib.stride_tricks.sliding_window_view(data.astype(np.float64), size)[::step] * shape
        found = (np.fft.rfft(frames) if half else np.fft.fft(frames)).T
        found = found / (1, np.sqrt(size), np.sqrt(np.square(shape).sum()))[normalized]
        if not power:
            return np.stack([found.real, found.imag], -1)
        return np.abs(found) if power == 1 else np.square(np.abs(found))


class InverseSpectrogram(Settled):
    """The signal of complex numbers (frequencies, frames, 2): complex (length, 2), or one of its parts."""

    def result(self, data: Tensor, *, size: int, step: int, centered: bool, part: int, **_: Any) -> Tensor:
        shape: Any = data.shape
        if len(shape) != 3 or shape[2] < 2:
            raise rank_error("data", 0, "3 (frequencies, frames, 2)", shape)
        if shape[0] < size and shape[0] != size // 2 + 1:
            message = f"expected {size // 2 + 1} or {size} frequencies for `data`, got {show(shape)}"
            raise ShapeError(R.shape_mismatch, message, "attr:size", [0])
        length = (shape[1] - 1) * step + (size % 2 if centered else size)
        return made((length,) if part else (length, 2), "attr:size", dtype=data.dtype)

    def run(
        self,
        data: Any,
        *,
        size: int,
        step: int,
        length: int,
        window: int,
        centered: bool,
        part: int,
        normalized: int,
        **_: Any,
    ) -> Any:
        numbers = data[..., 0].astype(np.float64) + 1j * data[..., 1]
        if data.shape[0] == size // 2 + 1:
            rest = np.conj(numbers[[size - k for k in range(size // 2 + 1, size)]])
            numbers = np.concatenate([numbers, rest])
        numbers = numbers[:size]
        shape = _window(size, length, window)
        numbers = numbers * (1, np.sqrt(size), np.sqrt(np.square(shape).sum()))[normalized]
        frames = np.fft.ifft(numbers.T) * shape
        total = (frames.shape[0] - 1) * step + size
        found, squares = np.zeros(total, complex), np.zeros(total)
        for k, frame in enumerate(frames):
            found[k * step : k * step + size] += frame
            squares[k * step : k * step + size] += shape * shape
        start = size // 2 if centered else 0
        count = dims.numel(self.result(Tensor(None, data.shape), size=size, step=step, centered=centered, part=1).shape)
        found, squares = found[start : start + (count or 0)], squares[start : start + (count or 0)]
        found = np.where(squares != 0, found / np.where(squares != 0, squares, 1), found)
        return np.stack([found.real, found.imag], -1) if not part else found.real if part == 1 else found.imag
