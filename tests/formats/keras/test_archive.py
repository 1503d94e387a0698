"""Archives of Keras: what is one, what is shown of it, and what an edit changes."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from irlint import engine
from irlint.cli import main
from irlint.formats.keras.archive import opened
from irlint.formats.keras.samples import KERAS_3


def archive(config: str, other: str = "model.weights.h5", method: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as made:
        made.writestr("metadata.json", '{"keras_version": "3.9.0"}')
        made.writestr("config.json", config)
        made.writestr(other, bytes(range(256)))
    return stream.getvalue()


LINE = json.dumps(json.loads(KERAS_3))


def test_a_configuration_is_shown_with_a_line_for_each_value() -> None:
    document = opened(archive(LINE), "model.keras")
    assert document is not None
    assert document.is_binary
    assert json.loads(document.text) == json.loads(KERAS_3)
    assert document.text.count("\n") > 20


def test_an_edit_keeps_the_other_members_and_the_line() -> None:
    data = archive(LINE)
    document = opened(data, "model.keras")
    assert document is not None
    assert document.encoded(document.text) == data
    changed = document.encoded(document.text.replace('"units": 4', '"units": 5'))
    with zipfile.ZipFile(io.BytesIO(changed)) as made:
        assert made.read("config.json").decode() == LINE.replace('"units": 4', '"units": 5')
        assert made.read("model.weights.h5") == bytes(range(256))


def test_a_misspelled_layer_is_found_in_the_text_of_an_archive() -> None:
    result = engine.lint_bytes(archive(LINE.replace("Dense", "Dence", 1)), "model.keras")
    assert [finding.code for finding in result.findings] == ["O001"]
    assert result.document is not None
    assert result.document.text[slice(*result.findings[0].span)] == '"Dence"'


def test_other_archives_are_not_of_keras() -> None:
    assert opened(archive(LINE, "other.txt").replace(b"metadata.json", b"metadatb.json"), "model.zip") is None
    assert opened(b"PK\x03\x04" + bytes(100), "model.keras") is None


def test_a_configuration_that_is_compressed_beyond_reason_is_not_read() -> None:
    assert opened(archive(" " * 5_000_000, method=zipfile.ZIP_DEFLATED), "model.keras") is None


def test_weights_that_are_not_read_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.keras").write_bytes(archive(LINE))
    assert main(["weights", str(tmp_path / "model.keras")]) == 0
    assert "weights: model.weights.h5, 256 B, not read" in capsys.readouterr().err
