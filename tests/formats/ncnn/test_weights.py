"""The .bin next to a model: what is said of one that is too short, too long, of another model, or whose sizes are wrong."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from irlint import engine
from irlint.findings import Finding
from irlint.formats.ncnn.weights import weights_of
from irlint.settings import Settings

TAGS = {"fp32": (0, 4), "fp16": (0x01306B47, 2), "bf16": (0x01348B83, 2), "int8": (0x000D4B38, 1), "table": (1, 1)}
MODEL = """7767517
5 5
Input          data  0 1 data 0=8 1=8 2=3
Convolution    conv1 1 1 data conv1 0=4 1=3 5=1 6=108
BatchNorm      norm  1 1 conv1 norm 0=4
Convolution    conv2 1 1 norm conv2 0=5 1=3 5=1 6=180
InnerProduct   fc    1 1 conv2 out 0=10 1=1 2=320
"""


def weights(model: str = MODEL, storage: str = "fp32") -> bytes:
    """A .bin of a model. No number is 0, so that no other four bytes look like a tag."""
    tag, width = TAGS[storage]
    parts = []
    for line in model.splitlines()[3:]:
        op, _, nin, nout, *rest = line.split()
        for weight in weights_of(op, " ".join(rest[int(nin) + int(nout) :])) or ():
            if weight.storage == "flag":
                body = b"\x7b" * (weight.size * width) if width < 4 else struct.pack("<f", 0.5) * weight.size
                table = struct.pack("<256f", *[0.25] * 256) if storage == "table" else b""
                parts.append(tag.to_bytes(4, "little") + table + body + bytes(-len(body) % 4))
            else:
                parts.append(struct.pack("<f", 1.5) * weight.size)
    return b"".join(parts)


def lint(folder: Path, model: str, data: bytes | None, target: str = "") -> list[Finding]:
    path = folder / "model.param"
    path.write_text(model, encoding="utf-8")
    if data is not None:
        path.with_suffix(".bin").write_bytes(data)
    settings = Settings(targets=(("ncnn", target),) if target else (), pedantic=True)
    result = engine.lint_bytes(model.encode(), str(path), settings, "ncnn", path)
    return [f for f in result.findings if f.code[0] == "W"]


def told(findings: list[Finding], model: str = MODEL) -> list[tuple[str, str, str]]:
    return [(f.code, str(f.severity), model[f.span.start : f.span.end]) for f in findings]


@pytest.mark.parametrize("storage", sorted({*TAGS} - {"int8"}))
def test_weights_that_fit(storage: str, tmp_path: Path) -> None:
    assert not lint(tmp_path, MODEL, weights(storage=storage))


def test_bytes_without_scales(tmp_path: Path) -> None:
    """The runtime takes them for floats, and crashes."""
    found = told(lint(tmp_path, MODEL, weights(storage="int8")))
    assert found == [("W005", "error", "Convolution")] * 2 + [("W005", "error", "InnerProduct")]


def test_bfloat16_is_known_to_the_newest_release_only(tmp_path: Path) -> None:
    assert told(lint(tmp_path, MODEL, weights(storage="bf16"), "20240410")) == [("W005", "error", "Convolution")]


def test_too_short(tmp_path: Path) -> None:
    assert told(lint(tmp_path, MODEL, weights()[:-4])) == [("W002", "error", "InnerProduct")]
    assert told(lint(tmp_path, MODEL, weights()[:700])) == [("W002", "error", "Convolution")]


def test_too_long(tmp_path: Path) -> None:
    assert told(lint(tmp_path, MODEL, weights() + bytes(8))) == [("W004", "info", "5")]


def test_weights_of_a_layer_that_was_removed(tmp_path: Path) -> None:
    """What follows is read from the wrong place, and no size explains it."""
    lines = MODEL.splitlines(keepends=True)
    model = "".join([lines[0], "4 4\n", *lines[2:4], *lines[5:]]).replace("norm conv2", "conv1 conv2")
    [finding] = lint(tmp_path, model, weights())
    assert finding.code == "W005"
    assert model[finding.span.start : finding.span.end] == "Convolution"
    assert "got 0x3FC00000" in finding.message


@pytest.mark.parametrize(
    ("right", "wrong", "token"),
    [
        ("conv1 0=4 1=3 5=1 6=108", "conv1 0=4 1=3 5=1 6=144", "144"),
        ("conv1 0=4 1=3 5=1 6=108", "conv1 0=4 1=3 5=1 6=36", "36"),
        ("conv1 0=4 1=3 5=1 6=108", "conv1 0=4 1=3 5=0 6=108", "0"),
        ("norm 0=4", "norm 0=3", "3"),
        ("0=5 1=3 5=1 6=180", "0=5 1=3 5=1 6=135", "135"),
    ],
)
@pytest.mark.parametrize("storage", ["fp32", "fp16"])
def test_the_one_parameter_that_does_not_fit_the_file(
    storage: str, right: str, wrong: str, token: str, tmp_path: Path
) -> None:
    model = MODEL.replace(right, wrong)
    [finding] = lint(tmp_path, model, weights(storage=storage))
    assert (finding.code, model[finding.span.start : finding.span.end]) == ("W005", token)
    assert finding.fix is not None
    assert finding.fix.safety != "safe"
    start, end = finding.fix.edits[0].span
    assert model[:start] + finding.fix.edits[0].text + model[end:] == MODEL


def test_a_missing_parameter_that_the_file_has_weights_for(tmp_path: Path) -> None:
    model = MODEL.replace("1=3 5=1 6=108", "1=3 6=108")
    [finding] = lint(tmp_path, model, weights())
    assert told([finding], model) == [("W005", "error", "Convolution")]
    assert "expected 1 for `5` (bias_term)" in finding.message
    assert finding.fix is not None
    assert finding.fix.title == "Add `5=1`"


def test_missing_weights(tmp_path: Path) -> None:
    assert told(lint(tmp_path, MODEL, None)) == [("W001", "pedantic", "Convolution")]
    assert not lint(tmp_path, MODEL.splitlines()[0] + "\n2 2\nInput a 0 1 a\nReLU r 1 1 a y\n", None)


def test_other_files_than_weights(tmp_path: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
    assert told(lint(tmp_path, MODEL, pointer)) == [("W003", "error", "Convolution")]
    assert told(lint(tmp_path, MODEL, b"<html><body>Not found")) == [("W003", "error", "Convolution")]


def test_a_layer_that_is_not_known_ends_what_can_be_checked(tmp_path: Path) -> None:
    model = MODEL.replace("BatchNorm ", "Mystery   ")
    assert not lint(tmp_path, model, weights())
