"""Convolution through strided windows and matrix products."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import NoKernel


def convolve(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def convolve_back(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel
