"""Activations, element by element."""

from __future__ import annotations

import math
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import Unary, same_dtype, want_dtype, want_rank, want_scalar
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class Relu(Unary):
    entry = staticmethod(lambda x: max(x, 0))
    rises = True

    def run(self, data: Any, **_: Any) -> Any:
        return self._clipped(data) if data.dtype.kind == "f" else np.maximum(data, data.dtype.type(0))

    def run_over(self, place: int, data: Any, **_: Any) -> Any:
        return self._clipped(data, out=data)

    @staticmethod
    def _clipped(data: Any, out: Any = None) -> Any:
        """What `np.maximum` gives, in half the time."""
        return np.clip(data, data.dtype.type(0), data.dtype.type(np.inf), out=out)


class Sigmoid(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        result = np.asarray(np.negative(data))  # of a scalar NumPy makes no array
        with np.errstate(over="ignore"):
            np.exp(result, out=result)
        result += 1
        return np.reciprocal(result, out=result)


class Elu(Unary):
    kind = None

    def run(self, data: Any, *, alpha: float = 1.0, **_: Any) -> Any:
        return np.where(data > 0, data, data.dtype.type(alpha) * np.expm1(np.minimum(data, 0)))


class Gelu(Unary):
    kind = "a floating-point type"

    def run(self, data: Any, *, approximation_mode: str = "erf", **_: Any) -> Any:
        kind = data.dtype.type
        if approximation_mode == "tanh":
            inner = kind(math.sqrt(2 / math.pi)) * (data + kind(0.044715) * data * data * data)
            return kind(0.5) * data * (1 + np.tanh(inner))
        from irlint.dryrun.special import erf

        return kind(0.5) * data * (1 + erf(data * kind(math.sqrt(0.5))))


class HSigmoid(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return np.clip(data + 3, 0, 6) / data.dtype.type(6)


class HSwish(Unary):
    def run(self, data: Any, **_: Any) -> Any:
        return data * (np.clip(data + 3, 0, 6) / data.dtype.type(6))


class Mish(Unary):
    kind = "a floating-point type"

    def run(self, data: Any, **_: Any) -> Any:
        return data * np.tanh(np.logaddexp(data, data.dtype.type(0)))


class SoftPlus(Unary):
    kind = "a floating-point type"

    def run(self, data: Any, **_: Any) -> Any:
        return np.logaddexp(data, data.dtype.type(0))


class SoftSign(Unary):
    kind = "a floating-point type"

    def run(self, data: Any, **_: Any) -> Any:
        return data / (1 + np.abs(data))


class Swish(Operator):
    inputs = "data beta?"

    def shape(self, data: Tensor, beta: Tensor | None = None, **_: Any) -> Tensor:
        want_dtype(data, "data", 0, "a floating-point type")
        if beta is not None:
            same_dtype((data, beta), ("data", "beta"))
            want_scalar(beta, "beta", 1, or_single=False)
        return data

    def run(self, data: Any, beta: Any = None, **_: Any) -> Any:
        scaled = data if beta is None else data * beta
        with np.errstate(over="ignore"):
            return data / (1 + np.exp(-scaled))


class Selu(Operator):
    inputs = "data alpha lambda"

    def shape(self, data: Tensor, alpha: Tensor, scale: Tensor, **_: Any) -> Tensor:
        dtype = same_dtype((data, alpha, scale), self.names)
        for k, tensor in enumerate((data, alpha, scale)):
            want_dtype(tensor, self.names[k], k, "a floating-point type")
        for k, tensor in ((1, alpha), (2, scale)):
            want_rank(tensor, self.names[k], k, 0, 1)
        return Tensor(dtype, data.shape)

    def run(self, data: Any, alpha: Any, scale: Any, **_: Any) -> Any:
        return scale * np.where(data > 0, data, alpha * np.expm1(np.minimum(data, 0)))


class HardSigmoid(Operator):
    inputs = "data alpha beta"

    def shape(self, data: Tensor, alpha: Tensor, beta: Tensor, **_: Any) -> Tensor:
        dtype = same_dtype((data, alpha, beta), self.names)
        want_scalar(alpha, "alpha", 1, or_single=False)
        want_scalar(beta, "beta", 2, or_single=False)
        return Tensor(dtype, data.shape)

    def run(self, data: Any, alpha: Any, beta: Any, **_: Any) -> Any:
        return np.clip(alpha * data + beta, 0, 1).astype(data.dtype)


class PRelu(Operator):
    """Leaky ReLU whose slope is a number, one per channel, or any shape that broadcasts."""

    inputs = "data slope"

    def shape(self, data: Tensor, slope: Tensor, **_: Any) -> Tensor:
        if data.shape and slope.shape and not self._fits(data.shape, slope.shape):
            message = f"`slope` {show(slope.shape)} does not broadcast to `data` {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return data

    @staticmethod
    def _fits(data: Shape, slope: Shape) -> bool:
        """What OpenVINO's CPU plug-in looks at (2026.4.1): the last dimensions, and the ranks unless all lengths are known."""
        if len(slope) == 1 and len(data) > 1 and dims.compatible(slope[0], data[1]):
            return True
        if len(slope) > len(data) and not dims.is_known(data):
            return False
        return dims.broadcastable(data[-1], slope[-1])

    def run(self, data: Any, slope: Any, **_: Any) -> Any:
        if slope.ndim == 1 and data.ndim > 1 and slope.size == data.shape[1]:
            slope = slope.reshape((-1,) + (1,) * (data.ndim - 2))
        result = np.where(data < 0, data * slope, data)
        if result.shape != data.shape:
            raise ValueError(f"slope {slope.shape} does not broadcast to data {data.shape}")
        return result


class Activation(Operator):
    """A function by name."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return data

    def run(self, data: Any, *, act_type: str, **_: Any) -> Any:
        if act_type == "relu":
            return np.maximum(data, 0)
        if act_type == "sigmoid":
            with np.errstate(over="ignore"):
                return 1 / (1 + np.exp(-data))
        if act_type == "tanh":
            return np.tanh(data)
        if act_type == "softrelu":
            return np.logaddexp(data, data.dtype.type(0))
        if act_type == "log_sigmoid":
            return -np.logaddexp(-data, data.dtype.type(0))
        if act_type == "mish":
            return data * np.tanh(np.logaddexp(data, data.dtype.type(0)))
        return data / (1 + np.abs(data))


class LeakyRelu(Operator):
    """Below zero: a slope, a learned one per channel, or an exponential."""

    inputs = "data gamma?"

    def shape(
        self, data: Tensor, gamma: Tensor | None = None, *, act_type: str = "leaky", axis: int = 1, **_: Any
    ) -> Tensor | list[Tensor]:
        if (
            gamma is not None
            and gamma.shape is not None
            and data.shape is not None
            and act_type == "prelu"
            and len(gamma.shape) == 1
        ):
            channels = data.shape[axis] if -len(data.shape) <= axis < len(data.shape) else data.shape[0]
            if not (dims.can_be(gamma.shape[0], 1) or dims.compatible(gamma.shape[0], channels)):
                raise ShapeError(
                    R.shape_mismatch,
                    (
                        f"expected one number, or one per channel of `data` {show(data.shape)}, for `gamma`, got "
                        f"{show(gamma.shape)}"
                    ),
                    "input:1",
                    [0, 1],
                    [data] if dims.compatible(gamma.shape[0], data.shape[0]) else None,  # one per row is taken, too
                )
        return [data, data] if act_type == "rrelu" else data

    def run(
        self,
        data: Any,
        gamma: Any = None,
        *,
        act_type: str = "leaky",
        axis: int = 1,
        slope: float = 0.25,
        lower_bound: float = 0.125,
        upper_bound: float = 0.334,
        **_: Any,
    ) -> Any:
        kind = data.dtype.type
        if act_type == "prelu":
            if gamma.ndim == 1 and data.ndim > 1:
                wide = [1] * data.ndim
                wide[axis] = -1
                gamma = gamma.reshape(wide)
            return np.where(data > 0, data, data * gamma)
        if act_type == "elu":
            return np.where(data > 0, data, kind(slope) * np.expm1(np.minimum(data, 0)))
        if act_type == "selu":
            return kind(1.0507009873554804) * np.where(
                data > 0, data, kind(1.6732632423543772) * np.expm1(np.minimum(data, 0))
            )
        if act_type == "gelu":
            from irlint.dryrun.special import erf

            return kind(0.5) * data * (1 + erf(data * kind(math.sqrt(0.5))))
        if act_type == "rrelu":
            mask = np.where(data > 0, kind(1), kind((lower_bound + upper_bound) / 2))
            return [data * mask, mask]
        return np.where(data > 0, data, data * kind(slope))
