"""Products of 8-bit integers with a scale: floats are quantized, multiplied as integers, and scaled back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.sample.common import activated, by_channel


def to_int8(data: Any, scale: Any) -> Any:
    """Return floats times a scale, rounded half away from zero, from -127 to 127."""
    scaled = data * scale
    rounded = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))
    return np.clip(rounded, -127, 127).astype(np.int8)


def multiplied(
    product: Callable[[Any, Any], Any],
    data: Any,
    weight: Any,
    bias: Any,
    scales: Sequence[Any],
    activation: Any,
    stays: bool = False,
) -> Any:
    """Return a product of quantized data and weights. `scales`: of the weights (one per output channel), of the data, and, where
    the result `stays` quantized, of the result.
    """
    of_weight, of_data, *of_result = scales
    of_weight = np.repeat(of_weight, weight.shape[0] // of_weight.size)  # one per group, or one for all
    if data.dtype != np.int8:
        data = to_int8(data, of_data[0])
    if weight.dtype != np.int8:
        weight = to_int8(weight, by_channel(of_weight, weight))
    total = product(data.astype(np.float64), weight.astype(np.float64))  # exact: integers below 2 ** 53
    factor = np.where(of_weight == 0, 0, 1 / (of_data[0] * np.where(of_weight == 0, 1, of_weight)))
    found = (total * by_channel(factor.reshape(-1), total)).astype(np.float32)
    if bias is not None:
        found = found + by_channel(bias, found)
    found = activated(found, activation)
    return to_int8(found, of_result[0][0]) if stays and of_result else found
