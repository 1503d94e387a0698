"""irlint: finds what is wrong in a neural-network model file, says where and why, and repairs what can be repaired."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from irlint.api import flatten, lint, load

__all__ = ["__version__", "flatten", "lint", "load"]


def __getattr__(name: str) -> Any:
    """The API is imported on first use, so that `irlint --version` stays as quick as Python itself."""
    if name in __all__:
        from irlint import api

        return getattr(api, name)
    raise AttributeError(f"module 'irlint' has no attribute {name!r}")
