"""Functions of one number with parameters, by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.kernels import elementwise
from irlint.dryrun.lazy import np


def _elu(x: Any, alpha: float = 1.0) -> Any:
    return elementwise.elu(x, alpha)


def _exponential(x: Any, base: float = -1.0, scale: float = 1.0, shift: float = 0.0) -> Any:
    """Base -1 stands for e, as in Caffe."""
    return np.exp(shift + x * scale) if base == -1 else np.power(x.dtype.type(base), shift + x * scale)


def _logarithm(x: Any, base: float = -1.0, scale: float = 1.0, shift: float = 0.0) -> Any:
    return np.log(shift + x * scale) / (1 if base == -1 else np.log(base))


def _clip(x: Any, low: float, high: float) -> Any:
    """The upper bound wins where the two contradict each other."""
    return np.minimum(np.maximum(x, x.dtype.type(low)), x.dtype.type(high))


FORMULAS: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "bfloat16": lambda x: ((np.ascontiguousarray(x, np.float32).view(np.uint32) + 0x8000) & 0xFFFF0000).view(
        np.float32
    ),
    "celu": lambda x, alpha=1.0: np.where(x < 0, np.expm1(np.minimum(x, 0) / alpha) * alpha, x),
    "clip": _clip,
    "elu": _elu,
    "erf": elementwise.erf,
    "exponential": _exponential,
    "gelu": elementwise.gelu,
    "gelu_tanh": elementwise.gelu_by_tanh,
    "float16": lambda x: x.astype(np.float16).astype(x.dtype),
    "hard_sigmoid": lambda x, alpha, beta: np.clip(x * alpha + beta, 0, 1),
    "hard_swish": lambda x, alpha, beta: x * np.clip(x * alpha + beta, 0, 1),
    "identity": lambda x: x,
    "logarithm": _logarithm,
    "mish": elementwise.mish,
    "negative": np.negative,
    "power": lambda x, power, scale, shift: np.power(shift + x * scale, x.dtype.type(power)),
    "reciprocal": lambda x: 1 / x,
    "relu": lambda x, slope=0.0: np.where(x < 0, x * x.dtype.type(slope), x),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "scaled": lambda x, scale: x * scale,
    "selu": lambda x, alpha, scale: elementwise.elu(x, alpha, scale),
    "shrink": lambda x, bias, threshold: np.where(x < -threshold, x + bias, np.where(x > threshold, x - bias, 0)),
    "sigmoid": elementwise.sigmoid,
    "softplus": elementwise.softplus,
    "square": np.square,
    "swish": elementwise.swish,
    "threshold": lambda x, threshold: np.where(x > threshold, 1, 0),
}


def formula(data: Any, function: str, parameters: tuple[float, ...] = ()) -> Any:
    """Return a function of all elements; what is not in FORMULAS is NumPy's."""
    if data.dtype == np.int8 and function not in ("identity", "relu", "scaled"):
        raise ValueError(f"expected floats, got {data.dtype}")
    found = FORMULAS.get(function) or getattr(np, function)
    return found(data, *parameters)


def density(sample: Any, first: Any, second: Any = None, *, kind: str, logarithm: bool = False, **_: Any) -> Any:
    if kind in ("negative_binomial", "generalized_negative_binomial", "dirichlet"):
        raise NoKernel
    from irlint.dryrun.special import gammaln

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
            found = a * np.log(b) + (a - 1) * np.log(x) - b * x - gammaln(a)
        elif kind == "exponential":
            found = np.log(a) - a * x
        else:
            found = x * np.log(a) - gammaln(x + 1) - a
    return (found if logarithm else np.exp(found)).astype(sample.dtype)
