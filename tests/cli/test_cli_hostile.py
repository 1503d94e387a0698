"""No text of a file, a name, a configuration or a command line reaches a terminal or a CI as anything but visible text."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from irlint.cli.dispatch import commands, parser_of
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole
from irlint.formats.samples import Sample, samples
from irlint.report import FORMATS
from irlint.text import safe

from .helpers import COMMA, Done, Irlint

CONTROLS = "\x1b[31m\x1b]0;t\x07\b\r\x7f\x9b2J\u202e\u2066\u2028\u200b\U000e0041"
LINES = "\n::error::e\n  ::stop-commands::x\n##[error]e\n##vso[task.complete]e\n"
HOSTILE = CONTROLS + LINES
OF_FILES = HOSTILE.replace("/", "")
STYLE = re.compile("\x1b\\[(?:0|1|2|3[0-7]|1;3[0-7])m")
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


def some(pattern: str, change: str, text: str, each: int = 1) -> bytes:
    """Change one of `each` matches."""
    count = iter(range(len(text)))
    return re.sub(pattern, lambda m: m[0] if next(count) % each else m.expand(change), text).encode()


def broken(sample: Sample) -> Iterator[bytes]:
    """The sample with hostile text in every string, in some, in lines of its own, in comments, and in words."""
    if sample.dialect == "binary":
        from irlint.formats.onnx.samples import TREE

        for names in (None, frozenset(["Relu", "axis"])):
            yield whole(MODEL, _appended(TREE, names))
        return
    text, hostile = sample.data.decode(), spelled(sample.name).replace("\\", r"\\")
    yield some(r'"([^"\n]*)"', rf'"\1{hostile}"', text)
    yield some(r'"([^"\n]*)"', rf'"\1{hostile}"', text, 5)
    yield some(r"\w+", rf"\g<0>{hostile}", text, 7)
    yield some("\n", rf"{HOSTILE}\0\n", text, 3)
    yield some("\n", rf"// {CONTROLS}\n# {CONTROLS}\n<!-- {CONTROLS} -->\n", text, 3)


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
    return {
        "check": [
            [*formats, a],
            [*formats, "--config", "rules" + OF_FILES, a, b],
            ["--select", "ALL", "--pedantic", "--target", "openvino=2022.1", a, b],
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
        "breaking": [[*formats, a, a], [*formats, a, b], ["--against", HOSTILE, a]],
        "compare": [[*formats, a, b], [*formats, a, a]],
        "completion": [["bash"], [HOSTILE]],
        "diff": [[*formats, a, a], [*formats, a, b], [*formats, a, "plain"], [*formats, "plain", a]],
        "flatten": [[*formats, a], [*formats, b], [*formats, "--canonical", a]],
        "formats": [[*formats, a], [*formats, b], [*formats, "gone" + HOSTILE]],
        "graph": [["-o", "-", a], ["-o", "-", b], ["-o", f"g{OF_FILES}.svg", a], ["-o", "-", a, b], ["-o", HOSTILE, a]],
        "init": [["--baseline", os.path.dirname(a)], [os.path.dirname(a)], ["gone" + HOSTILE]],
        "merge": [[*formats, b], [*formats, "report.jsonl"]],
        "ngrams": [[*formats, a], [*formats, "--along", "edges", a, b]],
        "prove": [[*formats, a, a], [*formats, a, b], [*formats, "--input", f"x{HOSTILE}=1,4", a, a]],
        "targets": [[a], [b], ["--json", a], ["--html", f"t{OF_FILES}.html", a], ["--name", HOSTILE, a]],
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
        "show": [[a, "--output-format", "{format}"], [b], ["gone" + HOSTILE]],
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
    Path("rules" + OF_FILES).write_text(json.dumps({"rules": [rule]}), encoding="utf-8")


NOTES = ("irlint: ", "Wrote ", "Traceback", " ")  # how lines on stderr begin


def _verify(done: Done, call: list[str], format_: str) -> None:
    assert "internal error" not in done.err, call
    assert done.status in (0, 1, 2, 4), call
    assert wrong(done.out, format_ == "github") == [], call
    assert wrong(done.err) == [], call
    lines = done.err.splitlines()
    assert [line for line in lines if not line.startswith(NOTES) or re.match(r"irlint:\s*(?:::|##|e$)", line)] == [], (
        call
    )


def test_commands(model: Model, irlint: Irlint) -> None:
    _surroundings(model)
    for call, format_ in _calls(model):
        _verify(irlint(*call), call, format_)


@pytest.mark.parametrize("form", samples())
def test_broken_models(form: str, here: Path, irlint: Irlint) -> None:
    sample = samples()[form]
    name = "m" + OF_FILES + sample.name
    for data in broken(sample):
        Path(name).write_bytes(data)
        for call in (["check", "--pedantic"], ["check", "--diff", "--unsafe-fixes"], ["show"], ["run"]):
            _verify(irlint(*call, "--as", form, name), [*call, name], "")


def test_on_terminals(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    """With colors and a width, there is nothing but text and our own colors."""
    monkeypatch.setenv("COLUMNS", "50")
    for form, sample in samples().items():
        name = "m" + OF_FILES + sample.name
        for data in (renamed(sample), next(broken(sample))):
            Path(name).write_bytes(data)
            for call in (["check"], ["show"]):
                done = irlint(*call, "--color", "always", "--as", form, name)
                assert wrong(STYLE.sub("", done.out)) == [], (form, call)


def test_tracebacks(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*arguments: object) -> None:
        raise KeyError(Path(HOSTILE))

    monkeypatch.setenv("IRLINT_DEBUG", "1")
    Path("a.json").write_bytes(samples()["nnvm:mxnet"].data)
    for command, where, status in (
        ("check", "irlint.engine.linted_bytes", 3),
        ("rules", "irlint.cli.commands.rules.run", 1),
    ):
        monkeypatch.setattr(where, faulty)
        done = irlint(command, *(["a.json"] if command == "check" else []))
        assert (done.status, wrong(done.err)) == (status, [])
        assert "Traceback" in done.err


# -- The doors ---------------------------------------------------------------------------------------------------------

HELPERS = "irlint/text/safe.py"
ROOT = Path(__file__).resolve().parent.parent.parent


def test_there_is_no_other_way_out() -> None:
    """Nothing is printed, or written to a stream of text, but by the functions of `text/safe.py`."""
    found = []
    for path in sorted((ROOT / "irlint").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if re.search(r"print|\.write", text) and path != ROOT / HELPERS else ():
            if isinstance(node, ast.Call):
                words = ast.unparse(node.func)
                is_print = (words == "print" and path.name != "__init__.py") or words.startswith("traceback.print_")
                is_write = re.search(r"(?:stream|out|std(?:out|err))\.write(?:lines)?$", words)
                if is_print or is_write or (words.endswith(".buffer.write") and path.name != "output.py"):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno} {words}")
    assert found == []  # what is written into files is called `file`


def test_harmless_text_stays_as_it_is() -> None:
    for text in ("\ufeff{\r\n\t\u3000a\u00a0b: c::d\r\n}", "+++ a\n@@ -1,2 +1,2 @@\n \tx ## y\n", "卷积 é \n\n"):
        assert safe.lines(text) == text
    assert safe.lines("a\rb\n\t ::c::\n\x1b[1md", color=True) == "a\\rb\n\t \\x3a:c::\n\x1b[1md"
    assert safe.lines("\x1b[1m\x1b[8m") == "\\x1b[1m\\x1b[8m"
    assert safe.lines("\x1b[1m::a\x1b[8m", color=True) == "\x1b[1m\\x3a:a\\x1b[8m"


@pytest.mark.parametrize("text", ["##", "###vso[a]", "####[a]", "a##b\\\\##c"])
def test_json_says_the_same(text: str) -> None:
    stream = io.StringIO()
    safe.put_json(stream, json.dumps([text]))
    assert json.loads(stream.getvalue()) == [text]
    assert "##" not in stream.getvalue()


def test_a_diff_can_be_applied_or_says_that_it_cannot(here: Path, irlint: Irlint) -> None:
    text = COMMA.replace(",\n]}", ", // \u00a0\u3000{}\n]}").replace("\n", "\r\n")
    for hostile in ("", "\x1b[2J", "\u202e"):
        Path("a.json").write_text(text.replace("{}", hostile), newline="", encoding="utf-8")
        done = irlint("--diff", "--unsafe-fixes", "a.json")
        assert done.out
        assert ("\r\n" in done.out, "--output-file" in done.err) == (True, bool(hostile))
        irlint("--diff", "--unsafe-fixes", "--output-file", "a.diff", "a.json")
        assert (Path("a.diff").read_bytes().decode() == done.out) == (not hostile)
        assert hostile in Path("a.diff").read_bytes().decode()
