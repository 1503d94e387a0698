"""The program that runs models of a format, where it is installed: `irlint prove --runtime` takes outputs from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from irlint.records import NamedTuple


class NamedArray(NamedTuple):
    """An input or output: all its names, and its elements."""

    names: tuple[str, ...]
    array: Any


class RuntimeMissing(Exception):
    """What to install."""


class RuntimeFailed(Exception):
    """Why a runtime does not run a model."""


class Runtime(ABC):
    """A runtime; a format has a subclass in its module `runtime`, as `RUNTIME`."""

    package: str  # as Python imports it, and pip installs it

    def title(self) -> str:
        """Return the name and the version; raise RuntimeMissing."""
        return f"{self.package} {self.module().__version__.partition('-')[0]}"

    def module(self) -> Any:
        try:
            return import_module(self.package)
        except ImportError as error:
            raise RuntimeMissing(f"{self.package} cannot be imported ({error}): pip install {self.package}") from error

    @abstractmethod
    def outputs(self, path: str, inputs: Sequence[NamedArray]) -> list[NamedArray]:
        """Run the model of a file on the CPU; exceptions are the runtime's own."""


def by_names(known: Sequence[str], inputs: Sequence[NamedArray]) -> dict[str, Any]:
    """Return the inputs by the names that a runtime knows; those that it does not know are left out."""
    return {name: one.array for one in inputs for name in one.names if name in known}
