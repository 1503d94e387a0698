"""Functions of one number with parameters, by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.kernels import elementwise, special
from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import truncated


def _elu(x: Any, alpha: float = 1.0) -> Any:
    return elementwise.elu(x, alpha)


def _exponential(x: Any, base: float = -1.0, scale: float = 1.0, shift: float = 0.0) -> Any:
    """Base -1 stands for e, as in Caffe."""
    return np.exp(shift + x * scale) if base == -1 else np.power(x.dtype.type(base), shift + x * scale)


def _logarithm(x: Any, base: float = -1.0, scale: float = 1.0, shift: float = 0.0) -> Any:
    return np.log(shift + x * scale) / (1 if base == -1 else np.log(base))


def _smooth_l1(x: Any, scalar: float = 1.0) -> Any:
    """A parabola near zero, linear elsewhere."""
    number = scalar if x.dtype.kind == "f" else math.trunc(scalar)  # mxnet 1.9.1
    square = number * number
    limit = 1 / square if square else math.inf
    return np.where(np.abs(x) < limit, 0.5 * square * x * x, np.abs(x) - 0.5 * limit).astype(x.dtype, copy=False)


def _relu(x: Any, slope: float = 0.0) -> Any:
    return np.where(x < 0, x * x.dtype.type(slope), x) if slope else np.maximum(x, 0)


def _clip(x: Any, low: float, high: float) -> Any:
    """The upper bound wins where the two contradict each other."""
    return np.minimum(np.maximum(x, x.dtype.type(low)), x.dtype.type(high))


FORMULAS: dict[str, Callable[..., Any]] = {
    "above": lambda x, alpha=1.0: np.where(x > alpha, x, 0),
    "abs": np.abs,
    "bfloat16": lambda x: ((np.ascontiguousarray(x, np.float32).view(np.uint32) + 0x8000) & 0xFFFF0000).view(
        np.float32
    ),
    "by_root_of_width": lambda x: x / math.sqrt(x.shape[-1]),
    "celu": lambda x, alpha=1.0: np.where(x < 0, np.expm1(np.minimum(x, 0) / alpha) * alpha, x),
    "clip": _clip,
    "elu": _elu,
    "erf": elementwise.erf,
    "exponential": _exponential,
    "gelu": elementwise.gelu,
    "gelu_tanh": elementwise.gelu_by_tanh,
    "float16": lambda x: x.astype(np.float16).astype(x.dtype),
    "hard_sigmoid": lambda x, alpha=0.2, beta=0.5: np.clip(x * alpha + beta, 0, 1),
    "hard_swish": lambda x, alpha, beta: x * np.clip(x * alpha + beta, 0, 1),
    "identity": lambda x: x,
    "log_sigmoid": lambda x: -elementwise.softplus(-x),
    "logarithm": _logarithm,
    "mish": elementwise.mish,
    "negative": np.negative,
    "power": lambda x, power, scale, shift: np.power(shift + x * scale, x.dtype.type(power)),
    "reciprocal": lambda x: 1 / x,
    "rcbrt": lambda x: 1 / np.cbrt(x),
    "relu": _relu,
    "round_away": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),  # mxnet 1.9.1: round(-0.5) is -1
    "round_down": lambda x: np.ceil(x - 0.5),  # mxnet 1.9.1: rint(1.5) is 1, rint(-1.5) is -2
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "scaled": lambda x, scale: x * scale,
    "selu": lambda x, alpha, scale: elementwise.elu(x, alpha, scale),
    "shrink": lambda x, bias=0.0, threshold=0.5: np.where(
        x < -threshold, x + bias, np.where(x > threshold, x - bias, 0)
    ),
    "sigmoid": elementwise.sigmoid,
    "smooth_l1": _smooth_l1,
    "softplus": elementwise.softplus,
    "softsign": lambda x: x / (1 + np.abs(x)),
    "square": np.square,
    "swish": elementwise.swish,
    "threshold": lambda x, threshold: np.where(x > threshold, 1, 0),
}


def formula(data: Any, function: str, *listed: float, **named: Any) -> Any:
    """Return a function of all elements, by its parameters; what is not in FORMULAS is of `special`, or NumPy's."""
    found = FORMULAS.get(function) or getattr(special, function, None) or getattr(np, function)
    return found(data, *listed, **named)


def formula_in_type(data: Any, function: str, **named: Any) -> Any:
    """Return the same in the type of the data; fractions of integers are computed with 64 bits, as in mxnet 1.9.1, and cut."""
    found = formula(data, function, **named)
    if data.dtype.kind in "iu" and found.dtype.kind == "f":
        found = truncated(formula(data.astype(np.float64), function, **named), str(data.dtype))
    return found.astype(data.dtype, copy=False)


def density(sample: Any, first: Any, second: Any = None, *, kind: str, logarithm: bool = False, **_: Any) -> Any:
    if kind in ("negative_binomial", "generalized_negative_binomial", "dirichlet"):
        raise NoKernel
    wide = first.shape + (1,) * (sample.ndim - first.ndim)
    a = first.reshape(wide).astype(np.float64)
    b = None if second is None else second.reshape(wide).astype(np.float64)
    x = sample.astype(np.float64)
    with np.errstate(all="ignore"):
        if kind == "uniform":
            found = -np.log(b - a) + np.where((x < a) | (x > b), -np.inf, 0)
        elif kind == "normal":
            found = -np.square((x - a) / b) / 2 - np.log(b) - math.log(2 * math.pi) / 2
        elif kind == "gamma":
            found = a * np.log(b) + (a - 1) * np.log(x) - b * x - special.gammaln(a)
        elif kind == "exponential":
            found = np.log(a) - a * x
        else:
            found = x * np.log(a) - special.gammaln(x + 1) - a
    return (found if logarithm else np.exp(found)).astype(sample.dtype)
