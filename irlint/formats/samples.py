"""Small valid models of every dialect, for tests and fuzzers: the module `samples` of each format, discovered automatically."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from irlint.formats.base import all_formats
from irlint.records import NamedTuple


class Sample(NamedTuple):
    """A valid model."""

    dialect: str
    name: str  # of its file
    data: bytes
    names: tuple[str, ...] = ()  # that the model's author chose, each of them once or more in the data
    side_files: Mapping[str, bytes] = {}  # next to it
    codes: tuple[str, ...] = ()  # of the findings that every model of this dialect has


@cache
def samples() -> dict[str, Sample]:
    """Return the samples of all formats by "format:dialect"."""
    found: dict[str, Sample] = {}
    for name, format_ in all_formats().items():
        module = import_module(f"{type(format_).__module__.partition(f'.{name}')[0]}.{name}.samples")
        found.update({f"{name}:{sample.dialect}": sample for sample in module.SAMPLES})
    return found


def file_name(form: str) -> str:
    """Return the file name of the first sample of a format or dialect; of none, that of any JSON file."""
    names = [sample.name for known, sample in samples().items() if f"{known}:".startswith(f"{form}:")]
    return names[0] if form and names else "model.json"
