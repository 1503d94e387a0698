"""Colour planes: one brightness per pixel, two colour differences per four pixels, to and from colour images."""

from __future__ import annotations

from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


def _stored(values: Any, dtype: Any) -> Any:
    """Return brightness between 0 and 255, rounded where only whole numbers can be kept."""
    bounded = np.clip(values, 0, 255)
    return bounded.astype(dtype) if dtype.kind == "f" else np.round(bounded).astype(dtype)


def _want_even(height: Dim, width: Dim, shape: Shape | None) -> None:
    if not (dims.divisible(height, 2) and dims.divisible(width, 2)):
        message = f"expected an even height and width, got {show(shape)}"
        raise ShapeError(R.shape_mismatch, message, "input:0", [0])


_KINDS = "T=uint8|floats"


class FromPlanes(Operator):
    """Planes (batch, height, width, values) to an image (batch, height, width, 3)."""

    planes: ClassVar[tuple[int, ...]] = (1, 2)  # values per pixel of each plane
    bgr: ClassVar[bool] = False

    def shape(self, *tensors: Tensor, **_: Any) -> Tensor:
        if len(tensors) not in (1, len(self.planes)):
            raise ShapeError(
                R.wrong_input_count,
                f"expected 1 or {len(self.planes)} inputs (one plane, or one per component), got {len(tensors)}",
            )
        found = self.match(*tensors)
        batch, height, width = self._single(tensors[0]) if len(tensors) == 1 else self._separate(tensors)
        return Tensor(found.dtype("T"), (batch, height, width, 3))

    def _single(self, plane: Tensor) -> tuple[Dim, Dim, Dim]:
        shape = plane.shape or (None,) * 4
        if not dims.can_be(shape[3], 1):
            raise ShapeError(
                R.shape_mismatch,
                f"expected 1 as the last dimension of a single plane, got {show(shape)}",
                "input:0",
                [0],
            )
        if not dims.divisible(shape[1], 3):
            message = f"height of {show(shape)} is not a multiple of 3 (two thirds luma, one third chroma)"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        height = dims.multiply(dims.exact_divide(shape[1], 3), 2)
        _want_even(height, shape[2], shape)
        return shape[0], height, shape[2]

    def _separate(self, tensors: tuple[Tensor, ...]) -> tuple[Dim, Dim, Dim]:
        size: list[Dim] = [None, None, None]
        for k, (tensor, depth) in enumerate(zip(tensors, self.planes, strict=True)):
            if tensor.shape is None:
                continue
            batch, *space, numbers = tensor.shape
            real = (batch, *(dims.multiply(length, 2 if k else 1) for length in space))
            if not all(map(dims.compatible, (*size, depth), (*real, numbers))):
                message = (
                    f"expected {depth} values per pixel, and the size of the other planes, for `{self.names[k]}`, got "
                    f"{show(tensor.shape)}{' (half the height and width of the first plane)' if k else ''}"
                )
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", list(range(k + 1)))
            size = list(map(dims.merge, size, real))
        batch, height, width = size
        _want_even(height, width, tensors[0].shape)
        return batch, height, width

    def run(self, *arrays: Any, **_: Any) -> Any:
        y, u, v = self.split(*arrays)
        # OpenVINO 2026.4.1 lets light be negative, and rounds
        light, blue, red = (y.astype(np.float32) - 16, u.astype(np.float32) - 128, v.astype(np.float32) - 128)
        blue, red = (np.repeat(np.repeat(plane, 2, 1), 2, 2) for plane in (blue, red))
        light = light * np.float32(1.164)
        channels = [
            light + np.float32(1.596) * red,
            light - np.float32(0.391) * blue - np.float32(0.813) * red,
            light + np.float32(2.018) * blue,
        ]
        return _stored(np.stack(channels[::-1] if self.bgr else channels, -1), y.dtype)

    def split(self, *arrays: Any) -> tuple[Any, Any, Any]:
        raise NotImplementedError


class NV12toRGB(FromPlanes):
    inputs = f"y:[_,_,_,_]/{_KINDS} uv?:[_,_,_,_]/{_KINDS}"

    def split(self, y: Any, uv: Any = None) -> tuple[Any, Any, Any]:
        if uv is None:
            height = y.shape[1] * 2 // 3
            y, uv = y[:, :height], y[:, height:].reshape(y.shape[0], height // 2, y.shape[2] // 2, 2)
        return y[..., 0], uv[..., 0], uv[..., 1]


class NV12toBGR(NV12toRGB):
    bgr = True


class I420toRGB(FromPlanes):
    inputs = f"y:[_,_,_,_]/{_KINDS} u?:[_,_,_,_]/{_KINDS} v?:[_,_,_,_]/{_KINDS}"
    planes = (1, 1, 1)

    def split(self, y: Any, u: Any = None, v: Any = None) -> tuple[Any, Any, Any]:
        if u is None:
            height, width = y.shape[1] * 2 // 3, y.shape[2]
            rest = y[:, height:].reshape(y.shape[0], 2, height // 2, width // 2, 1)
            y, u, v = y[:, :height], rest[:, 0], rest[:, 1]
        return y[..., 0], u[..., 0], v[..., 0]


class I420toBGR(I420toRGB):
    bgr = True


class ToNV12(Operator):
    """An image (batch, height, width, 3) to planes."""

    bgr: ClassVar[bool] = False
    inputs = f"data:[N,H,W,3]/{_KINDS}"

    def shape(self, data: Tensor, *, single_plane: bool = False, **_: Any) -> list[Tensor]:
        self.match(data)
        batch, height, width, _depth = data.shape or (None,) * 4
        _want_even(height, width, data.shape)
        if single_plane:
            return [Tensor(data.dtype, (batch, dims.multiply(dims.exact_divide(height, 2), 3), width, 1))]
        half = (batch, dims.exact_divide(height, 2), dims.exact_divide(width, 2), 2)
        return [Tensor(data.dtype, (batch, height, width, 1)), Tensor(data.dtype, half)]

    def run(self, data: Any, *, single_plane: bool = False, **_: Any) -> Any:
        image = data.astype(np.float32)
        red, green, blue = (image[..., 2 - k if self.bgr else k] for k in range(3))
        y = 16 + 0.257 * red + 0.504 * green + 0.098 * blue
        u = 128 - 0.148 * red - 0.291 * green + 0.439 * blue
        v = 128 + 0.439 * red - 0.368 * green - 0.071 * blue
        batch, height, width = y.shape
        colours = [p.reshape(batch, height // 2, 2, width // 2, 2).mean((2, 4)) for p in (u, v)]

        light, tint = _stored(y, data.dtype)[..., None], _stored(np.stack(colours, -1), data.dtype)
        if not single_plane:
            return [light, tint]
        return [np.concatenate([light, tint.reshape(batch, height // 2, width, 1)], 1)]


class RGBtoNV12(ToNV12):
    pass


class BGRtoNV12(ToNV12):
    bgr = True
