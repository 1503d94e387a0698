"""What is fuzzed. `seeds()` are inputs to begin with, `check(data)` raises if an invariant does not hold.

Of each format there are two harnesses, one that reads and one that fixes; a module here of that name knows more of its format.
The other modules are about what is next to a model, configurations, and the language server.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol

from fuzz.invariants import forms, linted, one_of, repaired
from fuzz.seeds import examples
from irlint.formats.base import all_formats
from irlint.formats.samples import samples


class Harness(Protocol):
    def seeds(self) -> list[bytes]: ...

    def check(self, data: bytes) -> None: ...


class Reading:
    """The reader of a format and all rules about its files."""

    def __init__(self, format_name: str) -> None:
        self.format, self.forms = format_name, forms(format_name)
        self.samples = [sample for form, sample in samples().items() if form.startswith(f"{format_name}:")]

    def seeds(self) -> list[bytes]:
        return [*examples(self.format), *(sample.data for sample in self.samples)]

    def name(self, data: bytes) -> str:
        return one_of([sample.name for sample in self.samples], data)

    def check(self, data: bytes) -> None:
        linted(data, self.name(data), self.forms)


class Fixing(Reading):
    """The fixes of a format."""

    def check(self, data: bytes) -> None:
        repaired(data, self.name(data), self.forms)


_KINDS: dict[str, type[Reading]] = {"read": Reading, "fix": Fixing}


def names() -> list[str]:
    found = {module.name for module in iter_modules(__path__)}
    return sorted(found | {f"{kind}_{name}" for kind in _KINDS for name in all_formats()})


@cache
def harness(name: str) -> Harness:
    if name in {module.name for module in iter_modules(__path__)}:
        module: Harness = import_module(f"{__name__}.{name}")  # type: ignore[assignment]
        return module
    kind, _, format_name = name.partition("_")
    return _KINDS[kind](format_name)
