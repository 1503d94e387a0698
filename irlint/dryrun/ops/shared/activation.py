"""Elementwise activations."""

from __future__ import annotations

from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import Unary
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape

elementwise: Any = Later("irlint.dryrun.kernels.elementwise")


class Relu(Unary):
    entry = staticmethod(lambda x: max(x, 0))
    rises = True

    def run(self, data: Any, **_: Any) -> Any:
        return self._clipped(data) if data.dtype.kind == "f" else np.maximum(data, data.dtype.type(0))

    def run_over(self, place: int, data: Any, **_: Any) -> Any:
        return self._clipped(data, out=data)

    @staticmethod
    def _clipped(data: Any, out: Any = None) -> Any:
        """Return the same as `np.maximum`, in half the time."""
        return elementwise.clipped(data, data.dtype.type(0), data.dtype.type(np.inf), out)


class Smooth(Unary):
    """Base of activations that are computed block by block, over the operand where that is free."""

    formula: ClassVar[str] = ""  # of kernels/elementwise.py

    def compute(self, data: Any, out: Any, **_: Any) -> Any:
        return getattr(elementwise, self.formula)(data, out=out)

    def run(self, data: Any, **attrs: Any) -> Any:
        return self.compute(data if data.dtype.kind == "f" else data.astype(np.float64), None, **attrs)

    def run_over(self, place: int, data: Any, **attrs: Any) -> Any:
        return self.compute(data, data, **attrs) if data.flags.c_contiguous else None


def _smooth(formula: str, kinds: str = "numbers") -> type[Smooth]:
    """Return the activation that a kernel computes."""
    return type(formula, (Smooth,), {"formula": formula, "inputs": f"data:S/T={kinds} -> S/T"})


Erf = _smooth("erf")
Sigmoid = _smooth("sigmoid")
HSigmoid = _smooth("hard_sigmoid")
HSwish = _smooth("hard_swish")
Mish = _smooth("mish", "floats")
SoftPlus = _smooth("softplus", "floats")


class Elu(Smooth):
    inputs = "data:S/T -> S/T"

    def compute(self, data: Any, out: Any, *, alpha: float = 1.0, **_: Any) -> Any:
        return elementwise.elu(data, alpha, out=out)


class Gelu(Smooth):
    inputs = "data:S/T=floats -> S/T"

    def compute(self, data: Any, out: Any, *, approximation_mode: str = "erf", **_: Any) -> Any:
        return (elementwise.gelu_by_tanh if approximation_mode == "tanh" else elementwise.gelu)(data, out)


class SoftSign(Unary):
    inputs = "data:S/T=floats -> S/T"

    def run(self, data: Any, **_: Any) -> Any:
        return data / (1 + np.abs(data))


class Swish(Operator):
    inputs = "data:S/T=floats beta?:[]/T -> S/T"

    def run(self, data: Any, beta: Any = None, *, out: Any = None, **_: Any) -> Any:
        return elementwise.swish(data, 1.0 if beta is None else float(np.asarray(beta).reshape(-1)[0]), out)

    def run_over(self, place: int, data: Any, beta: Any = None, **_: Any) -> Any:
        return self.run(data, beta, out=data) if place == 0 and data.flags.c_contiguous else None


class Selu(Operator):
    inputs = "data:S/T=floats alpha:[]|[_]/T lambda:[]|[_]/T -> S/T"

    def run(self, data: Any, alpha: Any, scale: Any, **_: Any) -> Any:
        if alpha.size == scale.size == 1 and data.dtype.kind == "f":
            return elementwise.elu(data, alpha.item(), scale.item())
        return scale * np.where(data > 0, data, alpha * np.expm1(np.minimum(data, 0)))


class HardSigmoid(Operator):
    inputs = "data:S/T alpha:[]/T beta:[]/T -> S/T"

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
        """Return whether OpenVINO's CPU plug-in accepts the slope (2026.4.1), from last dimensions and, if lengths are unknown, ranks."""
        if len(slope) == 1 and len(data) > 1 and dims.compatible(slope[0], data[1]):
            return True
        return (len(slope) <= len(data) or dims.is_known(data)) and dims.broadcastable(data[-1], slope[-1])

    def run(self, data: Any, slope: Any, **_: Any) -> Any:
        if slope.ndim == 1 and data.ndim > 1 and slope.size == data.shape[1]:
            slope = slope.reshape((-1,) + (1,) * (data.ndim - 2))
        result = np.where(data < 0, data * slope, data)
        if result.shape != data.shape:
            raise ValueError(f"slope {slope.shape} does not broadcast to data {data.shape}")
        return result


class Activation(Operator):
    """An activation function by name."""

    inputs = "data:S/T -> S/T"

    def run(self, data: Any, *, act_type: str, **_: Any) -> Any:
        if act_type == "relu":
            return np.maximum(data, 0)
        if act_type == "sigmoid":
            return elementwise.sigmoid(data)
        if act_type == "tanh":
            return np.tanh(data)
        if act_type == "softrelu":
            return elementwise.softplus(data)
        if act_type == "log_sigmoid":
            return -elementwise.softplus(-data)
        if act_type == "mish":
            return elementwise.mish(data)
        return data / (1 + np.abs(data))


class LeakyRelu(Operator):
    """Below zero: a slope, a learned one per channel, or an exponential."""

    inputs = "data gamma?"

    def shape(
        self, data: Tensor, gamma: Tensor | None = None, *, act_type: str = "leaky", axis: int = 1, **_: Any
    ) -> Tensor | list[Tensor]:
        slopes = gamma.shape if gamma is not None and act_type == "prelu" else None
        if slopes is not None and data.shape is not None and len(slopes) == 1:
            channels = data.shape[axis] if -len(data.shape) <= axis < len(data.shape) else data.shape[0]
            if not (dims.can_be(slopes[0], 1) or dims.compatible(slopes[0], channels)):
                message = f"expected one number, or one per channel of `data` {show(data.shape)}, for `gamma`, got {show(slopes)}"
                # mxnet 1.9.1 takes one per row, too
                outputs = [data] if dims.compatible(slopes[0], data.shape[0]) else None
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1], outputs)
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
            return elementwise.elu(data, slope)
        if act_type == "selu":
            return elementwise.elu(data, 1.6732632423543772, 1.0507009873554804)
        if act_type == "gelu":
            return elementwise.gelu(data)
        if act_type == "rrelu":
            # mxnet 1.9.1 draws the slope in training only; otherwise it is the middle, -0.2295 for -1
            mask = np.where(data > 0, kind(1), kind((lower_bound + upper_bound) / 2))
            return [data * mask, mask]
        return np.where(data > 0, data, data * kind(slope))
