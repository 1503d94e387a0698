"""Activations that are computed block by block: as exact as 32 bits allow, over operands of every type and layout."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from irlint.dryrun.kernels import elementwise

_erf: Any = np.vectorize(math.erf)
EXACT: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "erf": (elementwise.erf, _erf),
    "gelu": (elementwise.gelu, lambda x: x * (1 + _erf(x / math.sqrt(2))) / 2),
    "gelu by tanh": (
        elementwise.gelu_by_tanh,
        lambda x: x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2,
    ),
    "sigmoid": (elementwise.sigmoid, lambda x: 1 / (1 + np.exp(-x))),
    "swish": (elementwise.swish, lambda x: x / (1 + np.exp(-x))),
    "softplus": (elementwise.softplus, lambda x: np.logaddexp(x, 0)),
    "mish": (elementwise.mish, lambda x: x * np.tanh(np.logaddexp(x, 0))),
    "elu": (elementwise.elu, lambda x: np.where(x > 0, x, np.expm1(x))),
    "hard swish": (elementwise.hard_swish, lambda x: x * np.clip(x + 3, 0, 6) / 6),
    "hard sigmoid": (elementwise.hard_sigmoid, lambda x: np.clip(x / 6 + 0.5, 0, 1)),
}


@pytest.mark.parametrize("name", EXACT)
def test_results_are_exact(name: str) -> None:
    fast, exact = EXACT[name]
    x = np.concatenate([np.linspace(-12, 12, 50001), [0, 1e-6, -1e-6, 80, -80, 1e4, -1e4]])
    for dtype, error in ((np.float64, 2e-8), (np.float32, 1e-6), (np.float16, 2e-3)):
        numbers = x.astype(dtype)
        with np.errstate(all="ignore"):
            wanted, found = exact(numbers.astype(np.float64)), fast(numbers)
        assert found.dtype == dtype
        assert np.max(np.abs(found - wanted) / np.maximum(1, np.abs(wanted))) <= error


@pytest.mark.parametrize("name", EXACT)
def test_the_output_may_be_the_operand(name: str) -> None:
    fast, _ = EXACT[name]
    for dtype in (np.float32, np.float16):
        x = np.random.default_rng(0).normal(0, 3, (3, 2, 7001)).astype(dtype)
        with np.errstate(over="ignore"):
            wanted = fast(x)
            assert np.array_equal(fast(x.transpose(2, 0, 1)), wanted.transpose(2, 0, 1))
            assert fast(x, out=x) is x
        assert np.array_equal(x, wanted)


def test_far_from_zero_results_are_the_limits() -> None:
    far = np.array([-1e30, -100, -6, 6, 100, 1e30], np.float32)
    assert elementwise.erf(far).tolist() == [-1, -1, -1, 1, 1, 1]
    assert elementwise.gelu(far).tolist() == [0, 0, 0, *far[3:].tolist()]
    assert np.isnan(elementwise.gelu(np.array([np.nan], np.float32)))


def test_small_results_of_softplus_keep_their_digits() -> None:
    x = np.linspace(-60, -10, 101).astype(np.float32)
    assert np.allclose(elementwise.softplus(x), np.log1p(np.exp(x.astype(np.float64))), rtol=1e-5, atol=0)


@pytest.mark.parametrize("function", [np.multiply, np.true_divide])
@pytest.mark.parametrize("scale", [1, 1e-4])
def test_products_of_halves_have_numpys_bits(function: Any, scale: float) -> None:
    """Most results are small in 16 bits at the second scale, and are computed in 32."""
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal((1, 12, 64, 64)) * scale).astype(np.float16), rng.random((12, 1, 64), np.float32)
    for other in (np.ones(a.shape, np.float16) / 3, (b + 0.5).astype(np.float16)):
        expected = function(a, other)
        assert elementwise.of_two(function, a, other).view(np.uint16).tolist() == expected.view(np.uint16).tolist()
        written = a.copy()
        assert elementwise.of_two(function, written, other, out=written) is written
        assert np.array_equal(written, expected)
