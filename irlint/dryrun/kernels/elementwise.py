"""Elementwise functions computed block by block: every pass over a block finds its numbers in the cache of a core."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from irlint.dryrun.kernels import special
from irlint.dryrun.kernels.products import blocks
from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import LEAST_HALF, from_halves, narrowed, to_halves, widened

BLOCK = 1 << 15  # elements; of 32 bits, four such blocks are what a core has close at hand
_LEAST = 1 << 15  # elements of 16 bits, for which a look at a sample costs little
_SAMPLE = 1 << 9
Step = Callable[..., None]  # (numbers, output, rooms...); the output may be the numbers, and is written last

# A rational approximation of erf(x) / x in x * x on [-4, 4], the lowest power first; fitted to an error of 2.1e-8. In 32 bits it
# is off by 4e-7 at most, and exactly 1 at the end of the interval, so that numbers beyond it need no treatment of their own.
_ERF_LIMIT = 4.0
_ERF_ABOVE = (
    1.1283789763836471, 0.19624968854899558, 0.053467575683873045, 0.0040036785235293935, 0.00028804253762453085,
    1.974828683213779e-06,
)  # fmt: skip
_ERF_BELOW = (
    1.0, 0.5072529165317992, 0.11647672419834605, 0.015444485225894186, 0.0012163686436622372, 3.748090835030505e-05,
)  # fmt: skip


def by_blocks(step: Step, data: Any, rooms: int = 0, out: Any = None) -> Any:
    """Return what `step` makes of data, computed in 32 bits or more; `out` may be the data itself. `rooms`: arrays that a step needs."""
    data = data if data.dtype.kind == "f" else data.astype(np.float64)
    half = data.dtype == np.float16
    if out is None:
        out = np.empty(data.shape, data.dtype)  # in C order, which the numbers need not have
    source, goal = np.ascontiguousarray(data).reshape(-1), out.reshape(-1)
    size = min(BLOCK, source.size)
    spare = np.empty((rooms + half, size), np.float32 if half else data.dtype)
    narrow = np.empty((3, size), np.float32) if half else None
    for start in range(0, source.size, BLOCK):
        part, place = source[start : start + BLOCK], goal[start : start + BLOCK]
        room = list(spare[:, : part.size])
        if half:
            wide = room.pop()
            from_halves(part, wide)
            step(wide, wide, *room)
            to_halves(wide, place, narrow)
        else:
            step(part, place, *room)
    return out


def of_two(function: Any, a: Any, b: Any, out: Any = None) -> Any:
    """Return a product or a quotient of two arrays, in `out` if it is given. NumPy takes up to 60 ns for a result that is small in 16
    bits; if there are many, they are computed in 32 bits and rounded once, to the same bits."""
    if any(getattr(each, "dtype", None) != np.float16 for each in (a, b)) or not _many_small(function, a, b):
        return function(a, b, out=out)
    found = np.empty(np.broadcast_shapes(a.shape, b.shape), np.float16) if out is None else out
    for place, _, left, right in blocks(found, found, a, b):
        place[...] = narrowed(function(widened(left), widened(right)))
    return found


def _many_small(function: Any, a: Any, b: Any) -> bool:
    """Return whether one in 32 of a sample of results is small in 16 bits, but not 0."""
    size = max(a.size, b.size)
    if size < _LEAST:
        return False
    step = round((size / _SAMPLE) ** (1 / sum(n > 1 for n in np.broadcast_shapes(a.shape, b.shape))))
    few = [widened(each[tuple([slice(None, None, step if n > 1 else None) for n in each.shape])]) for each in (a, b)]
    found = np.abs(function(*few))
    return bool(np.count_nonzero((found < LEAST_HALF) & (found > 0)) * 32 > found.size)


def _horner(coefficients: tuple[float, ...], x: Any, out: Any) -> None:
    """Evaluate a polynomial whose lowest coefficient comes first."""
    np.multiply(x, coefficients[-1], out=out)
    for coefficient in coefficients[-2:0:-1]:
        out += coefficient
        out *= x
    out += coefficients[0]


def _erf(x: Any, out: Any, ratio: Any, square: Any, power: Any) -> None:
    np.clip(x, -_ERF_LIMIT, _ERF_LIMIT, out=ratio)
    np.multiply(ratio, ratio, out=square)
    _horner(_ERF_ABOVE, square, power)
    ratio *= power
    _horner(_ERF_BELOW, square, power)
    np.divide(ratio, power, out=out)


_GELU_LIMIT = _ERF_LIMIT * math.sqrt(2)
_GELU_ABOVE = tuple(math.sqrt(0.5) / 2 * c * 0.5**k for k, c in enumerate(_ERF_ABOVE))
_GELU_BELOW = tuple(c * 0.5**k for k, c in enumerate(_ERF_BELOW))


def _gelu(x: Any, out: Any, ratio: Any, square: Any, power: Any) -> None:
    """x times half of (1 + erf(x / sqrt(2))): the factors are in the coefficients."""
    np.clip(x, -_GELU_LIMIT, _GELU_LIMIT, out=ratio)
    np.multiply(ratio, ratio, out=square)
    _horner(_GELU_ABOVE, square, power)
    ratio *= power
    _horner(_GELU_BELOW, square, power)
    ratio /= power
    ratio += 0.5
    np.multiply(x, ratio, out=out)


def _gelu_by_tanh(x: Any, out: Any, room: Any) -> None:
    """x times half of (1 + tanh(u)), which is x / (1 + exp(-2u))."""
    np.multiply(x, x, out=room)
    room *= -2 * math.sqrt(2 / math.pi) * 0.044715
    room -= 2 * math.sqrt(2 / math.pi)
    room *= x
    _over_one_plus_exp(x, out, room)


def _over_one_plus_exp(x: Any, out: Any, room: Any) -> None:
    np.exp(room, out=room)
    room += 1
    np.divide(x, room, out=out)


def _sigmoid(x: Any, out: Any) -> None:
    np.negative(x, out=out)
    np.exp(out, out=out)
    out += 1
    np.reciprocal(out, out=out)


def _swish(beta: float) -> Step:
    def step(x: Any, out: Any, room: Any) -> None:
        np.multiply(x, -beta, out=room)
        _over_one_plus_exp(x, out, room)

    return step


# 2 atanh(s) / s in s * s on [0, 1/9], fitted to an error of 4e-9: log(1 + e) is 2 atanh(s) with s = e / (2 + e).
_ATANH = (2.000000007897583, 0.6666631564753834, 0.4002486464518585, 0.27961268510136983, 0.28175335618023595)


def _softplus(x: Any, out: Any, room: Any, square: Any, power: Any) -> None:
    """The logarithm of 1 + exp(x), which is max(x, 0) + log(1 + exp(-|x|)): nothing overflows, and small results are exact, too."""
    np.abs(x, out=room)
    np.negative(room, out=room)
    np.exp(room, out=room)
    np.add(room, 2, out=square)
    room /= square
    np.multiply(room, room, out=square)
    _horner(_ATANH, square, power)
    room *= power
    np.maximum(x, 0, out=out)
    out += room


def _mish(x: Any, out: Any, room: Any, power: Any) -> None:
    """x times tanh(log(1 + e)) with e = exp(x), which is x (e e + 2 e) / (e e + 2 e + 2)."""
    np.minimum(x, 20, out=power)  # beyond, the quotient is 1, and the square would overflow
    np.exp(power, out=power)
    np.add(power, 2, out=room)
    power *= room
    np.add(power, 2, out=room)
    power /= room
    np.multiply(x, power, out=out)


def _elu(alpha: float, scale: float) -> Step:
    """exp(x) - 1 is 2 t / (1 - t) with t = tanh(x / 2), which is as exact for small numbers and much faster."""

    def step(x: Any, out: Any, room: Any, power: Any) -> None:
        np.minimum(x, 0, out=room)
        room *= 0.5
        np.tanh(room, out=room)
        np.subtract(1, room, out=power)
        room *= 2 * alpha * scale
        room /= power
        np.maximum(x, 0, out=out)
        if scale != 1:
            out *= scale
        out += room

    return step


def _hard_swish(x: Any, out: Any, room: Any) -> None:
    np.add(x, 3, out=room)
    np.clip(room, 0, 6, out=room)
    room *= 1 / 6
    np.multiply(x, room, out=out)


def _hard_sigmoid(alpha: float, beta: float) -> Step:
    def step(x: Any, out: Any) -> None:
        np.multiply(x, alpha, out=out)
        if beta:
            out += beta
        np.clip(out, 0, 1, out=out)

    return step


def erf(data: Any, out: Any = None) -> Any:
    return special.erf(data) if data.dtype.itemsize > 4 else by_blocks(_erf, data, 3, out)


def gelu(data: Any, out: Any = None) -> Any:
    if data.dtype.itemsize > 4:
        return 0.5 * data * (1 + special.erf(data * math.sqrt(0.5)))
    return by_blocks(_gelu, data, 3, out)


def gelu_by_tanh(data: Any, out: Any = None) -> Any:
    return by_blocks(_gelu_by_tanh, data, 1, out)


def sigmoid(data: Any, out: Any = None) -> Any:
    return by_blocks(_sigmoid, data, 0, out)


def swish(data: Any, beta: float = 1.0, out: Any = None) -> Any:
    return by_blocks(_swish(beta), data, 1, out)


def softplus(data: Any, out: Any = None) -> Any:
    return np.logaddexp(data, 0) if data.dtype.itemsize > 4 else by_blocks(_softplus, data, 3, out)


def mish(data: Any, out: Any = None) -> Any:
    return by_blocks(_mish, data, 2, out)


def elu(data: Any, alpha: float = 1.0, scale: float = 1.0, out: Any = None) -> Any:
    return by_blocks(_elu(alpha, scale), data, 2, out)


def hard_swish(data: Any, out: Any = None) -> Any:
    return by_blocks(_hard_swish, data, 1, out)


def hard_sigmoid(data: Any, alpha: float = 1 / 6, beta: float = 0.5, out: Any = None) -> Any:
    return by_blocks(_hard_sigmoid(alpha, beta), data, 0, out)


def clipped(data: Any, low: Any, high: Any, out: Any = None) -> Any:
    """Return what `np.clip` does. Numbers of 16 bits between positive ones are compared by their bits, which is 40 times as fast."""
    if data.dtype != np.float16 or not (low >= 0 and high > 0):
        return np.clip(data, low, high, out=out)
    bits = data.view(np.int16)
    infinite = 0x7C00
    if data.size and (bits.max() > infinite or data.view(np.uint16).max() > infinite | 0x8000):  # NaN
        return np.clip(data, low, high, out=out)
    least, most = (int(np.float16(limit).view(np.int16)) for limit in (low, high))
    return np.clip(bits, least, most, out=None if out is None else out.view(np.int16)).view(np.float16)


def quantized(x: Any, low: Any, high: Any, out_low: Any, out_high: Any, steps: int) -> Any:
    """Clip to a range, round to so many steps, stretch to another range; limits broadcast to x. OpenVINO 2026.4.1 (CPU) multiplies
    and adds in this order, too."""
    out = np.empty(x.shape, np.float32)
    axis = 1 if x.shape[0] == 1 and x.ndim > 1 else 0
    size = max(1, BLOCK * x.shape[axis] // x.size)
    factor = np.float32(steps) / (high - low)
    limits = low, high, factor, -low * factor, (out_high - out_low) / np.float32(steps), out_low
    wide = [limit.reshape((1,) * (x.ndim - limit.ndim) + limit.shape) for limit in limits]
    for start in range(0, x.shape[axis], size):
        place: Any = (*(slice(None),) * axis, slice(start, start + size))
        least, most, scale, shift, stretch, base = (limit[place] if limit.shape[axis] > 1 else limit for limit in wide)
        part = np.clip(x[place], least, most, out=out[place])
        part *= scale
        part += shift
        np.rint(part, out=part)
        part *= stretch
        part += base
    return out
