"""No text of a file, a name, a configuration or a command line reaches a terminal or a CI as anything but visible text."""

from __future__ import annotations

import io
import json
import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from irlint.cli._commands import commands
from irlint.cli._dispatch import parser_of
from irlint.formats.onnx.binary import whole
from irlint.formats.onnx.messages import MODEL
from irlint.formats.samples import Sample, samples
from irlint.report import FORMATS

from .helpers import Done, Irlint

CONTROLS = "\x1b[31m\x1b]0;t\x07\b\r\x7f\x9b2J\u202e\u2066\u2028\u200b\U000e0041"
LINES = "\n::error::e\n  ::stop-commands::x\n##[error]e\n##vso[task.complete]e\n"
HOSTILE = CONTROLS + LINES
OF_FILES = HOSTILE.replace("/", "")
STYLE = re.compile("\x1b\\[(?:0|1|3[0-7]|1;3[0-7])m")
INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def wrong(text: str, is_github: bool = False) -> list[str]:
    """What a terminal or a CI would obey."""
    lines = text.replace("\r\n", "\n").split("\n")
    found = [repr(char) for line in lines for char in line if char != "\t" and unicodedata.category(char) in INVISIBLE]
    own = r"(?!(?:error|warning|notice) title=irlint [A-Z]\d{3} [\w-]+,file=)" if is_github else ""
    found += [line for line in lines if re.match(rf"\s*::{own}", line) or re.search(r"##[\w-]*\[", line)]
    return found


# -- Hostile models ----------------------------------------------------------------------------------------------------


def spelled(name: str, quoted: bool = True) -> str:
    """The hostile text as a string of a file of this kind can hold it, as raw as possible."""
    if name.endswith((".json", ".jsonl")):
        return json.dumps(HOSTILE + "\0", ensure_ascii=False)[1:-1]
    if name.endswith(".xml"):
        return CONTROLS + "&#27;[31m&#10;::error::e&#10;##[error]e"
    if name.endswith(".textproto"):
        return CONTROLS.replace("\r", "") + r"\033[31m\000\n::error::e\n##[error]e"
    return re.sub(r"[\s\u2028]", "", CONTROLS) + "::error::e##[error]e"


def renamed(sample: Sample) -> bytes:
    """The sample with hostile names, still sound where its format allows them."""
    if sample.dialect == "binary":
        from irlint.formats.onnx.samples import TREE

        return whole(MODEL, _appended(TREE, frozenset(sample.names)))
    names = "|".join(map(re.escape, sorted(sample.names, key=len, reverse=True)))
    text = sample.data.decode()
    return re.sub(rf"(?<![\w.])(?:{names})(?![\w.])", lambda m: m[0] + spelled(sample.name), text).encode()


def _appended(value: Any, names: frozenset[str] | None) -> Any:
    if isinstance(value, list):
        return [_appended(item, names) for item in value]
    if isinstance(value, dict):
        return {key: _appended(item, names) for key, item in value.items()}
    return value + HOSTILE + "\0" if isinstance(value, str) and (names is None or value in names) else value


_STRING = re.compile(r'"([^"\n]*)"')


def broken(sample: Sample) -> Iterator[bytes]:
    """The sample with hostile text in every string, in every fourth one, in every key, in lines of its own, and in every word."""
    text, hostile = sample.data.decode("utf-8", "surrogateescape"), spelled(sample.name)
    if sample.dialect == "binary":
        from irlint.formats.onnx.samples import TREE

        yield whole(MODEL, _appended(TREE, None))
        for name in ("Relu", "Softmax", "axis"):
            yield whole(MODEL, _appended(TREE, frozenset([name])))
        return
    yield _STRING.sub(lambda m: f'"{m[1]}{hostile}"', text).encode()
    for first in range(4):
        count = iter(range(len(text)))
        yield _STRING.sub(lambda m: m[0] if (next(count) + first) % 4 else f'"{m[1]}{hostile}"', text).encode()
    lines = text.split("\n")
    yield (HOSTILE + "\0\n").join(f"{line}\n" for line in lines).encode()
    yield "\n".join(f"// {CONTROLS}\n# {CONTROLS}\n<!-- {CONTROLS} -->\n{line}" for line in lines).encode()
    for first in range(2):
        count = iter(range(len(text)))
        yield re.sub(r"\w+", lambda m: m[0] if (next(count) + first) % 3 else m[0] + hostile, text).encode()


class Model(NamedTuple):
    path: str
    other: str  # broken
    sample: Sample


@pytest.fixture(params=samples())
def model(request: pytest.FixtureRequest, here: Path) -> Model:
    sample = samples()[request.param]
    folder = Path("in" + OF_FILES)
    folder.mkdir()
    path = folder / f"a{OF_FILES}{sample.name}"
    path.write_bytes(renamed(sample))
    for name, data in sample.side_files.items():
        (folder / f"a{OF_FILES}{name}").write_bytes(data)
    other = folder / f"b{OF_FILES}{sample.name}"
    other.write_bytes(next(broken(sample)))
    return Model(str(path), str(other), sample)


# -- Every command -----------------------------------------------------------------------------------------------------

NOT_HERE = {"server": "speaks the language server protocol"}


def invocations(model: Model) -> dict[str, list[list[str]]]:
    """How each command is called; {format} is each of its output formats."""
    a, b, formats = model.path, model.other, ["--output-format", "{format}"]
    outputs = [[*formats, *more, path] for path in (a, b) for more in ([], ["--select", "ALL", "--pedantic"])]
    return {
        "check": [
            *outputs,
            ["-v", "--show-all", a, b, "gone" + HOSTILE],
            ["--statistics", a, b],
            ["--diff", "--unsafe-fixes", a, b],
            ["--show-files", a, b, os.path.dirname(a)],
            ["--config", "irlint.yaml" + OF_FILES, a],
            ["--baseline", "base" + OF_FILES, "--write-baseline", b],
            ["--baseline", "base" + OF_FILES, a],
            ["--baseline", a, b],
            [f"--{HOSTILE}", a],
            ["--target", f"x{HOSTILE}=1", a],
            ["--select", HOSTILE, a],
            ["--as", HOSTILE, a],
            ["--output-file", "gone/" + OF_FILES, a],
            ["--add-ignore=R" + HOSTILE, b],
            ["--add-ignore", b],
            ["--fix", "--unsafe-fixes", b],
        ],
        "compare": [[*formats, a, b], [*formats, a, a]],
        "completion": [["bash"], [HOSTILE]],
        "diff": [[*formats, a, a], [*formats, a, b], [*formats, a, "plain"], [*formats, "plain", a]],
        "flatten": [[*formats, a], [*formats, b], [*formats, "--canonical", a]],
        "formats": [[*formats, a], [*formats, b], [*formats, "gone" + HOSTILE]],
        "graph": [["-o", "-", a], ["-o", "-", b], ["-o", f"g{OF_FILES}.svg", a], ["-o", "-", a, b], ["-o", HOSTILE, a]],
        "init": [["--baseline", os.path.dirname(a)], [os.path.dirname(a)], ["gone" + HOSTILE]],
        "merge": [[*formats, b], [*formats, "report.jsonl"]],
        "ngrams": [[*formats, a], [*formats, "--along", "edges", a, b]],
        "rule": [[*formats, "R001"], [*formats, HOSTILE]],
        "rules": [[*formats], [*formats, HOSTILE]],
        "run": [
            [*formats, a],
            [*formats, b],
            [*formats, "--shapes-only", a],
            [*formats, "--input", f"x{HOSTILE}=1,4", a],
            [*formats, "--output", "o.npz", "--events", "e.jsonl", a],
            [*formats, "--compare", "o.npz", a],
            [*formats, "--compare", "names.npz", a],
            [*formats, "--input", "names.npz", a],
        ],
        "schema": [["irlint-config"], [HOSTILE]],
        "show": [[a], [b], ["gone" + HOSTILE]],
        "summary": [[*formats, a], [*formats, b], [*formats, "--input", f"x{HOSTILE}=1", a]],
        "weights": [[*formats, a], [*formats, b], [*formats, "--name", HOSTILE, a]],
        "zoo": [[*formats, "--no-cache", os.path.dirname(a)], ["gone" + HOSTILE]],
    }


def output_formats(command: str) -> tuple[str, ...]:
    action = parser_of(command)._option_string_actions.get("--output-format")
    return () if action is None else tuple(action.choices or FORMATS)


def test_every_command_is_called() -> None:
    sample = Model("a", "b", next(iter(samples().values())))
    assert {*invocations(sample)} | {*NOT_HERE} == {*commands()}
    for command, calls in invocations(sample).items():
        assert any("{format}" in call for call in calls) == bool(output_formats(command)), command


def _calls(model: Model) -> Iterator[tuple[list[str], str]]:
    for command, calls in invocations(model).items():
        for call in calls:
            for format_ in output_formats(command) if "{format}" in call else [""]:
                yield [command, *(format_ if word == "{format}" else word for word in call)], format_


def _surroundings(model: Model) -> None:
    """What the calls name beside the model."""
    import numpy as np

    Path("plain").write_bytes(model.sample.data)
    np.savez("names.npz", **{f"w{OF_FILES}": np.zeros(3, "f4"), f"v{OF_FILES}": np.zeros(0, "f4")})
    rule = {"name": "mine", "message": HOSTILE, "deny": "*", "severity": "warning"}
    config = {"extend-select": [HOSTILE], "rules": [rule], HOSTILE: HOSTILE, "targets": {HOSTILE: HOSTILE}}
    Path("irlint.yaml" + OF_FILES).write_text(json.dumps(config), encoding="utf-8")


def _verify(done: Done, call: list[str], format_: str) -> None:
    assert "internal error" not in done.err, call
    assert done.status in (0, 1, 2, 4), call
    assert wrong(done.out, format_ == "github") == [], call
    assert wrong(done.err) == [], call


def test_commands(model: Model, irlint: Irlint) -> None:
    _surroundings(model)
    for call, format_ in _calls(model):
        _verify(irlint(*call), call, format_)
