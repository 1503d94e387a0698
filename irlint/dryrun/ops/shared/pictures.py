"""Images as cameras produce them: (height, width, channels), or a batch of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator, Shapes
from irlint.dryrun.tensor import Tensor


class ToTensor(Operator):
    """Channels first, 0..255 as 0..1."""

    inputs = "data:[*B=0..1,H,W,C] -> [*B,C,H,W]/float32"

    def run(self, data: Any, **_: Any) -> Any:
        return np.moveaxis(data, -1, -3).astype(np.float32) / np.float32(255)


class NormalizePicture(Operator):
    """Less a mean and divided by a deviation, channel by channel."""

    inputs = "data:[*_=0..1,_,_,_]"

    def shape(self, data: Tensor, *, mean: Sequence[float] = (), std: Sequence[float] = (), **_: Any) -> Tensor:
        self.match(data)
        if data.shape is None:
            return data
        depth = data.shape[-3]
        if not (dims.can_be(depth, 1) or dims.can_be(depth, 3)):
            raise ShapeError(
                R.shape_mismatch, f"expected 1 or 3 channels for `data`, got {show(data.shape)}", "input:0", [0]
            )
        for name, numbers in (("mean", mean), ("std", std)):
            if len(numbers) not in (1, 4) and not dims.can_be(depth, len(numbers)):
                message = (
                    f"expected one number, or one per channel of `data` {show(data.shape)}, in `{name}`, got "
                    f"{len(numbers)}"
                )
                raise ShapeError(R.wrong_value_length, message, f"attr:{name}", [0])
        return data

    def run(self, data: Any, *, mean: Sequence[float] = (), std: Sequence[float] = (), **_: Any) -> Any:
        depth = data.shape[-3]
        centre, spread = (np.broadcast_to(np.array(n[:depth], data.dtype), depth) for n in (mean, std))
        return (data - centre[:, None, None]) / spread[:, None, None]


class Cut(Operator):
    """A window of the picture."""

    inputs = "data:[*B=0..1,_,_,C]/T -> [*B,height,width,C]/T"

    def shape(self, data: Tensor, *, x: int, y: int, width: int, height: int, **_: Any) -> list[Tensor]:
        found = self.match(data, height=height, width=width)
        ends = ((-3, y + height, "height"), (-2, x + width, "width")) if data.shape is not None else ()
        for axis, end, name in ends:
            high = dims.bounds((data.shape or ())[axis])[1]
            if high is not None and end > high:
                message = f"window of {width} x {height} at ({x}, {y}) is out of range for `data` {show(data.shape)}"
                raise ShapeError(R.shape_mismatch, message, f"attr:{name}", [0])
        return found.results

    def run(self, data: Any, *, x: int, y: int, width: int, height: int, **_: Any) -> Any:
        return data[..., y : y + height, x : x + width, :]


class Single(Operator):
    """One image, grey or in colour, of unchanged size."""

    inputs = "data:[_,_,_]"

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        self.match(data)
        if data.shape is not None and not any(dims.can_be(data.shape[2], depth) for depth in (1, 3)):
            message = f"expected 1 or 3 channels in the last dimension of `data`, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return data


class FlipPicture(Single):
    def run(self, data: Any, *, axis: int, **_: Any) -> Any:
        return np.flip(data, axis)


class ResizePicture(Operator):
    """Another width and height."""

    inputs = "data:[*B=0..1,_,_,C]/T -> [*B,height,width,C]/T"

    def shape(self, data: Tensor, *, size: Sequence[int] = (), keep_ratio: bool = False, **_: Any) -> Shapes:
        if data.shape is not None and (len(size) not in (1, 2) or (keep_ratio and len(size) == 1)):
            self.match(data)
            raise Undecided
        return self.match(data, height=size[-1] if size else None, width=size[0] if size else None).results


class Border(Operator):
    """Rows and columns of a number added around."""

    inputs = "data:[_,_,C]/T -> [tall,wide,C]/T"

    def shape(self, data: Tensor, *, top: int, bot: int, left: int, right: int, **_: Any) -> Shapes:
        height, width = data.shape[:2] if data.rank == 3 and data.shape else (None, None)
        return self.match(data, tall=dims.add(height, top + bot), wide=dims.add(width, left + right)).results


class Changed(Single):
    """Random augmentation, which has no effect outside training."""


class Lighting(Single):
    """A colour added that lies along the axes of natural colours."""

    def run(self, data: Any, *, alpha: Sequence[float], **_: Any) -> Any:
        axes = np.array(
            [
                [55.46 * -0.5675, 4.794 * 0.7192, 1.148 * 0.4009],
                [55.46 * -0.5808, 4.794 * -0.0045, 1.148 * -0.8140],
                [55.46 * -0.5836, 4.794 * -0.6948, 1.148 * 0.4203],
            ]
        )
        return (data + axes @ np.array(alpha)).astype(data.dtype) if data.shape[-1] != 1 else data


class Decoded(Operator):
    """The pixels of an encoded picture."""

    inputs = "data:[_] -> [_,_,channels]/uint8"
