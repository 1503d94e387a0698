"""Windows folded into numbers."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import NoKernel


def adaptive_average(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def adaptive_max(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def pool_average(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def pool_max(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def pool_max_indices(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel
