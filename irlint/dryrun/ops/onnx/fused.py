"""Operators that runtimes put together from several: activations after products, sums before normalisation, embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import NoKernel, ShapeError, Undecided
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator, operator
from irlint.dryrun.ops.common import broadcast, want_rank, want_shape
from irlint.dryrun.ops.shared.matrix import MatMul
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

elementwise: Any = Later("irlint.dryrun.kernels.elementwise")
formulas: Any = Later("irlint.dryrun.kernels.formulas")


def want_last(tensor: Tensor | None, wanted: Dim, name: str, index: int) -> None:
    """Raise unless a vector has one number per element of the last axis."""
    want_rank(tensor, name, index, 1)
    if tensor is not None and tensor.shape is not None and not dims.compatible(tensor.shape[0], wanted):
        message = f"expected {show_dim(wanted)} numbers in `{name}`, got {show(tensor.shape)}"
        raise ShapeError(R.shape_mismatch, message, f"input:{index}", [0, index])


# By ONNX's name: a function of kernels/formulas.py, and how many parameters it takes
_ACTIVATIONS = {
    "": ("identity", 0), "Clip": ("clip", 2), "Elu": ("elu", 1), "HardSigmoid": ("hard_sigmoid", 2),
    "LeakyRelu": ("relu", 1), "Relu": ("relu", 0), "Selu": ("selu", 2), "Sigmoid": ("sigmoid", 0),
    "Softplus": ("softplus", 0), "Softsign": ("softsign", 0), "Tanh": ("tanh", 0), "ThresholdedRelu": ("above", 1),
}  # fmt: skip


def activated(data: Any, name: str, parameters: Sequence[float] = ()) -> Any:
    if name not in _ACTIVATIONS:
        raise NoKernel
    function, count = _ACTIVATIONS[name]
    return formulas.formula(data, function, *(*parameters, 0.0, 0.0)[:count])


class Activated(Operator):
    """An operator (`inner`) of `count` operands, plus one more where there is one, and an activation."""

    inputs = "data weight bias? sum?"

    def shape(self, *tensors: Tensor | None, inner: str, count: int, **attrs: Any) -> Any:
        attrs.pop("activation", None), attrs.pop("parameters", None)
        return operator(inner).shape(*tensors[:count], **attrs)

    def run(
        self, *arrays: Any, inner: str, count: int, activation: str = "", parameters: Sequence[float] = (), **attrs: Any
    ) -> Any:
        found = operator(inner).run(*arrays[:count], **attrs)
        more = arrays[count] if len(arrays) > count else None
        return activated(found if more is None else found + more, activation, parameters)


class BiasedGelu(Operator):
    inputs = "data:S[]|S[*_,W]/T bias?:[W]/T -> S/T"
    adds_bias = True

    def run(self, data: Any, bias: Any = None, *, by_tanh: bool = False, **_: Any) -> Any:
        moved = data if bias is None else data + bias
        return (elementwise.gelu_by_tanh if by_tanh else elementwise.gelu)(moved)


class SplitGelu(Operator):
    """The first half of the last axis, times the Gelu of the second."""

    inputs = "data:[*_,W] bias:[W]"
    adds_bias = True

    def shape(self, data: Tensor, bias: Tensor, **_: Any) -> Tensor:
        width = self.match(data, bias)["W"]
        return data if data.shape is None else Tensor(data.dtype, (*data.shape[:-1], dims.floor_divide(width, 2)))

    def run(self, data: Any, bias: Any, **_: Any) -> Any:
        one, other = np.split(data + bias, 2, -1)
        return one * elementwise.gelu(other)


class SumNorm(Operator):
    """Two operands added, with a bias, and normalised along the last axis; the last output is the sum."""

    inputs = "data:S[_,W]|S[_,_,W]/T skip:[_,W]|[_,_,W]/T gamma:[W]/T beta?:[W]/T bias?:[W]/T -> S/T"
    adds_bias = True

    def shape(self, data: Tensor, skip: Tensor, *weights: Tensor | None, **_: Any) -> list[Tensor]:
        broadcast(data, skip, ("data", "skip"))
        (found,) = self.match(data, skip, *weights).results
        kept = Tensor("float32", None if data.shape is None else (*data.shape[:-1], 1))
        return [found, kept, kept, found]

    def run(
        self,
        data: Any,
        skip: Any,
        gamma: Any,
        beta: Any = None,
        bias: Any = None,
        *,
        epsilon: float,
        centred: bool = True,
        **_: Any,
    ) -> Any:
        total = data + skip
        total = total if bias is None else total + bias
        return [*_normed(total, gamma, beta, epsilon, centred), total]


def _normed(data: Any, gamma: Any, beta: Any, epsilon: float, centred: bool) -> list[Any]:
    wide = data.astype(np.float32)
    mean = np.mean(wide, -1, keepdims=True) * np.float32(centred)
    moved = wide - mean
    scaling = 1 / np.sqrt(np.mean(np.square(moved), -1, keepdims=True) + np.float32(epsilon))
    found = (moved * scaling).astype(data.dtype) * gamma
    return [found if beta is None else found + beta, mean, scaling]


class EmbedNorm(Operator):
    """Embeddings of words, positions and segments added and normalised; outputs also the lengths by a mask, and the sum."""

    inputs = (
        "input_ids:S[N,L] segment_ids?:S word:[_,W]/T position:[rows,W] segment?:[_,W] gamma:[W] beta:[W] mask? position_ids? "
        "-> [N,L,W]/T [N]/int32 [N,L,W]/T"
    )

    def shape(self, *tensors: Tensor | None, **_: Any) -> list[Tensor]:
        found = self.match(*tensors)
        most = dims.bounds(found["rows"])[1] if (*tensors, None, None)[8] is None else None
        if most is not None and dims.bounds(found["L"])[0] > most:
            message = f"`position` has fewer rows ({most}) than `input_ids` has columns ({show_dim(found['L'])})"
            raise ShapeError(R.shape_mismatch, message, "input:3", [0, 3])
        return found.results

    def run(
        self,
        ids: Any,
        segments: Any,
        word: Any,
        position: Any,
        segment: Any,
        gamma: Any,
        beta: Any,
        mask: Any = None,
        places: Any = None,
        *,
        epsilon: float,
        **_: Any,
    ) -> Any:
        total = word[ids] + (position[: ids.shape[1]] if places is None else position[places])
        if segments is not None and segment is not None:
            total = total + segment[segments]
        lengths = np.zeros(len(ids), np.int32) if mask is None else mask.sum(1).astype(np.int32)
        return [_normed(total, gamma, beta, epsilon, True)[0], lengths, total]


class ScaledMatMul(MatMul):
    """A product of matrices that may be transposed, times a number. `rows_first_a` and `rows_first_b`: the rows of the stack of
    matrices are its first dimension."""

    def shape(
        self, a: Tensor, b: Tensor, *, rows_first_a: bool = False, rows_first_b: bool = False, **attrs: Any
    ) -> Tensor:
        return super().shape(
            Tensor(a.dtype, _stacked(a.shape)) if rows_first_a else a,
            Tensor(b.dtype, _stacked(b.shape)) if rows_first_b else b,
            **attrs,
        )

    def run(
        self,
        a: Any,
        b: Any,
        *,
        alpha: float = 1.0,
        rows_first_a: bool = False,
        rows_first_b: bool = False,
        **attrs: Any,
    ) -> Any:
        found = super().run(
            np.moveaxis(a, 0, -2) if rows_first_a else a, np.moveaxis(b, 0, -2) if rows_first_b else b, **attrs
        )
        return found if alpha == 1 else found * found.dtype.type(alpha)

    def run_packed(self, *_: Any, **__: Any) -> Any:
        return None


def _stacked(shape: Shape | None) -> Shape | None:
    """Return the shape of a stack of matrices whose rows came first."""
    return shape if shape is None or len(shape) < 3 else (*shape[1:-1], shape[0], shape[-1])


class BlockProduct(Operator):
    """Rows times columns whose weights are packed in blocks of a few bits each, with a scale and a zero point per block."""

    inputs = "data weight scales zero_points? group? bias?"
    prepares = packs = (1, 2, 3)

    def unpacked(self, *operands: Any, **attrs: Any) -> Any:
        from irlint.dryrun.running.packed import whole

        return whole(self.prepare(*operands, **attrs)["table"])[:, : attrs["depth"]].T

    def unpacked_size(self, **attrs: Any) -> int:
        return int(attrs["depth"]) * int(attrs["width"])

    def shape(
        self,
        data: Tensor,
        weight: Tensor,
        scales: Tensor,
        zeros: Tensor | None = None,
        group: Tensor | None = None,
        bias: Tensor | None = None,
        *,
        depth: int,
        width: int,
        bits: int,
        block: int,
        **_: Any,
    ) -> Tensor:
        if bits not in (2, 4, 8) or block < 16:
            raise Undecided
        if block & (block - 1):
            message = f"expected a power of 2 for `block`, got {block}"
            raise ShapeError(R.value_out_of_range, message, "attr:block")
        blocks = -(-depth // block)
        packed = -(-blocks * bits // 8) if zeros is not None and zeros.dtype == "uint8" else blocks
        want_shape(weight, "weight", 1, (width, blocks, block * bits // 8))
        want_shape(scales, "scales", 2, (width, blocks), (width * blocks,))
        if zeros is not None and zeros.dtype is not None:
            want_shape(zeros, "zero_points", 3, (width, packed), (width * packed,))
        want_shape(group, "group", 4, (depth,), (blocks * block,))
        if data.shape is None:
            return data
        if not data.shape or not dims.can_be(data.shape[-1], depth):
            message = f"expected {depth} as the last dimension of `data`, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "attr:depth", [0])
        want_last(bias, width, "bias", 5)
        return Tensor(data.dtype, (*data.shape[:-1], width))

    def prepare(
        self,
        _data: Any,
        weight: Any,
        scales: Any,
        zeros: Any = None,
        *_more: Any,
        depth: int,
        width: int,
        bits: int,
        block: int,
        **_: Any,
    ) -> dict[str, Any]:
        from irlint.dryrun.running.arrays import from_bytes
        from irlint.dryrun.running.packed import Packed

        blocks, kind = -(-depth // block), f"uint{bits}"
        if zeros is None:
            middle = np.full((1, 1, 1), 1 << (bits - 1), np.float32)
        elif zeros.dtype == np.uint8:
            each = zeros.size // width * 8 // bits
            middle = from_bytes(zeros.tobytes(), kind, (width, each))[:, :blocks, None]
        else:
            middle = zeros.reshape(width, blocks, 1)
        scale = scales.reshape(width, blocks, 1)
        steps = (("subtract", middle.astype(np.float32)), ("multiply", scale.astype(np.float32)))
        codes = np.ascontiguousarray(weight).reshape(-1)
        return {"table": Packed(codes, kind, "float32", (width, blocks, block), (width, blocks * block), steps)}

    def run(
        self,
        data: Any,
        weight: Any,
        scales: Any,
        zeros: Any = None,
        group: Any = None,
        bias: Any = None,
        *,
        table: Any = None,
        depth: int,
        bits: int,
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.running.packed import Packed, multiply

        if group is not None or bits not in (2, 4, 8):
            raise NoKernel
        if table is None:
            table = self.prepare(data, weight, scales, zeros, depth=depth, bits=bits, **attrs)["table"]
        rows = data.astype(np.float32, copy=False)
        if (more := table.shape[1] - depth) and type(table) is Packed:
            rows = np.pad(rows, [(0, 0)] * (rows.ndim - 1) + [(0, more)])
        found = multiply(rows, table, True) if type(table) is Packed else rows @ table[:, :depth].T
        found = found.astype(data.dtype, copy=False)
        return found if bias is None else found + bias


class Finite(Operator):
    """Whether all elements of all operands are finite."""

    inputs = "data+ -> []/bool"

    def run(self, *arrays: Any, **_: Any) -> Any:
        return np.array(all(np.isfinite(array).all() for array in arrays))
