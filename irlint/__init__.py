"""irlint: a linter for neural-network model files."""

from __future__ import annotations

TYPE_CHECKING = False  # typing itself is not imported: `irlint --version` is to be as quick as Python

if TYPE_CHECKING:
    from irlint.api import (
        Finding,
        Model,
        ModelError,
        RelatedPlace,
        Runner,
        check_model,
        fix,
        flatten,
        infer,
        lint,
        load,
        run,
        settings_for,
    )
    from irlint.findings import Fix, Severity
    from irlint.graph import Graph, Node, Type
    from irlint.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "Finding",
    "Fix",
    "Graph",
    "Model",
    "ModelError",
    "Node",
    "RelatedPlace",
    "Runner",
    "Settings",
    "Severity",
    "Type",
    "__version__",
    "check_model",
    "fix",
    "flatten",
    "infer",
    "lint",
    "load",
    "run",
    "settings_for",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    """The API is imported on first use."""
    if name in __all__:
        from irlint import api

        return getattr(api, name)
    raise AttributeError(f"module 'irlint' has no attribute {name!r}")
