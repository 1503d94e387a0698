"""Every format brings a sound sample of each of its dialects: tests and fuzzers leave no format out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint import engine
from irlint.formats.base import all_formats
from irlint.formats.samples import samples


def test_every_dialect_has_a_sample() -> None:
    assert {*samples()} == {f"{name}:{d.name}" for name, format_ in all_formats().items() for d in format_.dialects}


@pytest.mark.parametrize("form", samples())
def test_a_sample_is_sound_and_recognized(form: str, tmp_path: Path) -> None:
    sample = samples()[form]
    for name, data in {sample.name: sample.data, **sample.side_files}.items():
        (tmp_path / name).write_bytes(data)
    result = engine.lint_bytes(sample.data, sample.name, path=tmp_path / sample.name)
    assert (f"{result.format}:{result.dialect}", result.certain) == (form, True)
    assert tuple(finding.code for finding in result.findings) == sample.codes
    assert [name for name in sample.names if name.encode() not in sample.data] == []
