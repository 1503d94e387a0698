"""Special functions that NumPy does not have."""

from __future__ import annotations

import math
from typing import Any

from irlint.dryrun.lazy import np

# Coefficients of W. J. Cody's rational approximations of the error function (1969), exact to double precision.
_ERF_SMALL = (
    3.16112374387056560e0,
    1.13864154151050156e2,
    3.77485237685302021e2,
    3.20937758913846947e3,
    1.85777706184603153e-1,
)
_ERF_SMALL_BELOW = (2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3)
_ERFC_MIDDLE = (
    5.64188496988670089e-1, 8.88314979438837594e0, 6.61191906371416295e1, 2.98635138197400131e2, 8.81952221241769090e2,
    1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3, 2.15311535474403846e-8,
)  # fmt: skip
_ERFC_MIDDLE_BELOW = (
    1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3, 3.29079923573345963e3,
    4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3,
)  # fmt: skip
_ERFC_FAR = (
    3.05326634961232344e-1,
    3.60344899949804439e-1,
    1.25781726111229246e-1,
    1.60837851487422766e-2,
    6.58749161529837803e-4,
    1.63153871373020978e-2,
)
_ERFC_FAR_BELOW = (
    2.56852019228982242e0,
    1.87295284992346047e0,
    5.27905102951428412e-1,
    6.05183413124413191e-2,
    2.33520497626869185e-3,
)


def _ratio(x: Any, above: tuple[float, ...], below: tuple[float, ...]) -> Any:
    """Evaluate a rational function in the form of Cody's tables: the last numerator coefficient leads."""
    top = above[-1] * x
    bottom = x
    for a, b in zip(above[:-2], below[:-1], strict=True):
        top, bottom = (top + a) * x, (bottom + b) * x
    return (top + above[-2]) / (bottom + below[-1])


def erf(x: Any) -> Any:
    """Return the error function."""
    wide = np.asarray(x, np.float64)
    size = np.abs(wide)
    result = np.empty_like(wide)
    small = size <= 0.46875
    middle = ~small & (size <= 4)
    far = size > 4
    if small.any():
        v = wide[small]
        result[small] = v * _ratio(v * v, _ERF_SMALL, _ERF_SMALL_BELOW)
    if middle.any():
        y = size[middle]
        result[middle] = np.copysign(1 - np.exp(-y * y) * _ratio(y, _ERFC_MIDDLE, _ERFC_MIDDLE_BELOW), wide[middle])
    if far.any():
        y = np.minimum(size[far], 30)
        z = 1 / (y * y)
        tail = np.exp(-y * y) / y * (1 / math.sqrt(math.pi) - z * _ratio(z, _ERFC_FAR, _ERFC_FAR_BELOW))
        result[far] = np.copysign(1 - tail, wide[far])
    result[np.isnan(wide)] = np.nan
    return result.astype(x.dtype, copy=False)


def erfinv(x: Any) -> Any:
    """Return the inverse of the error function: an approximation refined with Newton's method."""
    wide = np.asarray(x, np.float64)
    with np.errstate(all="ignore"):
        log = np.log1p(-wide * wide)
        half = 2 / (math.pi * 0.147) + log / 2
        guess = np.copysign(np.sqrt(np.sqrt(half * half - log / 0.147) - half), wide)
        for _ in range(3):
            guess = guess - (erf(guess) - wide) / (2 / math.sqrt(math.pi) * np.exp(-guess * guess))
        guess = np.where(np.abs(wide) == 1, np.copysign(np.inf, wide), guess)
        guess = np.where(np.abs(wide) > 1, np.nan, np.where(wide == 0, 0, guess))
    return guess.astype(np.result_type(x.dtype, np.float16), copy=False)


_LANCZOS = (
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
)  # fmt: skip


def gammaln(x: Any) -> Any:
    """Return the logarithm of the absolute value of the gamma function."""
    wide = np.asarray(x, np.float64)
    with np.errstate(all="ignore"):
        mirrored = np.log(np.pi / np.abs(np.sin(np.pi * wide))) - _gammaln_right(1 - wide)
        found = np.where(wide < 0.5, mirrored, _gammaln_right(wide))
        return np.where((wide <= 0) & (wide == np.floor(wide)), np.inf, found)


def _gammaln_right(x: Any) -> Any:
    y = x - 1
    total = _LANCZOS[0] + sum(c / (y + k) for k, c in enumerate(_LANCZOS[1:], 1))
    t = y + 7.5
    return 0.5 * math.log(2 * math.pi) + (y + 0.5) * np.log(t) - t + np.log(total)


def gamma(x: Any) -> Any:
    wide = np.asarray(x, np.float64)
    sign = np.where((wide < 0) & (np.floor(wide) % 2 != 0), -1.0, 1.0)
    return sign * np.exp(gammaln(wide))


def digamma(x: Any) -> Any:
    """Return the derivative of gammaln."""
    wide = np.array(x, np.float64)
    with np.errstate(all="ignore"):
        mirror = np.where(wide < 0.5, -np.pi / np.tan(np.pi * wide), 0.0)
        y = np.where(wide < 0.5, 1 - wide, wide)
        shift = np.zeros_like(y)
        for _ in range(8):
            low = y < 8
            shift = shift - np.where(low, 1 / y, 0)
            y = np.where(low, y + 1, y)
        z = 1 / (y * y)
        series = z * (1 / 12 - z * (1 / 120 - z * (1 / 252 - z * (1 / 240 - z / 132))))
        return np.log(y) - 0.5 / y - series + shift + mirror


def sigmoid(x: Any) -> Any:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))
