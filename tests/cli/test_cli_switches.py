"""Switches of `irlint check` that change what is shown, written and returned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Irlint
from .helpers import MISSPELT

ROOT = Path(__file__).resolve().parents[2]
BOOL = '{"ops": [{"name": "a", "optype": "create", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "t"}], "params": []}]}'


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.json"
    path.write_text(MISSPELT)
    return path


def test_color(model: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" in irlint("--color", "always", "a.json").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in irlint("--color=auto", "a.json").out
    assert "\x1b[" not in irlint("--color", "never", "a.json").out
    page = irlint("rule", "A001", "--color", "always").out
    assert "\x1b[2mhttps:" in page
    assert "x1b" not in page  # as text


def test_quiet(model: Path, irlint: Irlint) -> None:
    plain, quiet = irlint("a.json"), irlint("-q", "a.json")
    assert "Found 1 error" in plain.out
    assert quiet.out == plain.out.partition("Found")[0]
    assert (quiet.status, quiet.err) == (1, "")
    assert irlint("--quiet", "missing.json").err  # an error is not a note


def test_verbose(model: Path, irlint: Irlint) -> None:
    (model.parent / "irlint.yaml").write_text("ignore: [A001]\n")
    (model.parent / "other.json").write_text("{}")
    said = irlint("-v", ".").err
    assert "configuration: " in said
    assert "a.json: lightnet (source), 1 finding, " in said
    assert irlint("-q", "-v", ".").status == 2


def test_show_files(model: Path, irlint: Irlint) -> None:
    (model.parent / "package.json").write_text('{"name": "x"}')
    assert irlint("--show-files", ".").out == "a.json\n"
    assert irlint("--show-files", "package.json", "a.json").out == "a.json\npackage.json\n"


def test_exit_non_zero_on_fix(tmp_path: Path, irlint: Irlint) -> None:
    text = (ROOT / "examples/lightnet/commas.json").read_text()
    for options, status in (((), 0), (("--exit-non-zero-on-fix",), 1)):
        (tmp_path / "a.json").write_text(text)
        assert irlint("--fix", *options, str(tmp_path / "a.json")).status == status
    assert irlint("--fix", "--exit-non-zero-on-fix", str(tmp_path / "a.json")).status == 0


def test_several_reports(model: Path, irlint: Irlint) -> None:
    done = irlint(
        "--output-format", "github", "--output-format", "sarif:r.sarif", "--output-format=json:r.json", "a.json"
    )
    assert (done.status, done.out[:7]) == (1, "::error")
    assert json.loads(Path("r.sarif").read_text())["version"] == "2.1.0"
    assert [found["code"] for found in json.loads(Path("r.json").read_text())] == ["R001"]
    for words, why in (
        ("--output-format json --output-format sarif a.json", "both be written to stdout"),
        ("--output-format json:x --output-file y a.json", "has no report"),
        ("--output-format json:x --output-format sarif:./x a.json", "two reports"),
        ("--output-format json:a.json a.json", "would overwrite a.json"),
        ("--output-format json: a.json", "expected a file"),
        ("--output-format jsn a.json", "unknown output format `jsn`"),
    ):
        done = irlint(*words.split())
        assert (done.status, why in done.err) == (2, True), done.err


def test_hints_for_unknown_words(model: Path, irlint: Irlint) -> None:
    assert "did you mean `--select`?" in irlint("--selct", "A", ".").err
    assert "did you mean `irlint check`?" in irlint("chek", ".").err
    assert irlint("explain", "A001").out == irlint("rule", "A001").out


def test_report_for_agents(tmp_path: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "examples/nnvm/mistakes-symbol.json").read_text()
    for number in range(12):
        (tmp_path / f"{number:02}-symbol.json").write_text(text)
    monkeypatch.chdir(tmp_path)
    out = irlint("--output-format", "agent", ".").out
    assert "00-symbol.json:39:9: error A001 unknown-attribute: unknown attribute `kernal` for Pooling 'pool1'" in out
    assert '  safe fix: Rename to `kernel`\n  -         "kernal": "(2, 2)",\n  +         "kernel": "(2, 2)",\n' in out
    assert out.count("error A001") == 10
    assert "and 2 more of A001 unknown-attribute (to list them: --select A001 --show-all)\n" in out
    assert out.splitlines()[-1].startswith("Found 72 errors")
    assert irlint("--output-format", "agent", "--show-all", ".").out.count("error A001") == 12


@pytest.mark.parametrize("path", ["lightnet/misspelt.json", "nnvm/mistakes-symbol.json", "openvino/mistakes.xml"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_add_ignore(path: str, newline: str, tmp_path: Path, irlint: Irlint) -> None:
    source = ROOT / "examples" / path
    for side in source.parent.glob(f"{source.stem}.*"):
        (tmp_path / side.name).write_bytes(side.read_bytes())
    model = tmp_path / source.name
    text = source.read_text()
    if path.startswith("glacier"):  # without its syntax error, and with the line ends that a listing has
        text, newline = text.replace("block_0/project/bias", "'block_0/project/bias'"), "\n"
    model.write_bytes(text.replace("\n", newline).encode())
    done = irlint("--add-ignore=known to work", str(model))
    assert (done.status, "suppressed" in done.err) == (0, True), done.err
    assert "]: known to work" in model.read_text()
    assert irlint(str(model)).out == "All checks passed: 1 file.\n"
    once = model.read_bytes()
    assert irlint("--add-ignore", str(model)).status == 0
    assert model.read_bytes() == once


def test_add_ignore_extends_a_suppression(tmp_path: Path, irlint: Irlint) -> None:
    text = (ROOT / "examples/lightnet/misspelt.json").read_text()
    line = next(line for line in text.splitlines() if "softmx" in line)
    model = tmp_path / "a.json"
    model.write_text(text.replace(line, f"{line}  // irlint: ignore[A001]: why"))
    irlint("--add-ignore", "--select", "O001", str(model))
    assert "// irlint: ignore[A001, O001]: why\n" in model.read_text()


def test_formats_without_suppressions(irlint: Irlint, tmp_path: Path) -> None:
    model = tmp_path / "race.json"
    model.write_bytes((ROOT / "examples/nnvm/race.json").read_bytes())
    done = irlint("--add-ignore", str(model))
    assert (done.status, "has no suppressions (tvm); use a baseline" in done.err) == (1, True)
    assert irlint("--add-ignore=a -- b", str(model)).status == 2
    assert irlint("--add-ignore", "--fix", str(model)).status == 2


REFUSED = {
    '{"nodes": [{"op": "null", "name": "x", "inputs": [:}], "arg_nodes": [0], "heads": [[0, 0, 0]]}': "has syntax errors",
    '{"nodes": [{"op": "null", "name": "x", "inputs": []}, 5], "arg_nodes": [0], "heads": [[0, 0, 0]],'
    ' "attrs": {"mxnet_version": ["int", 10901]}}': "cannot suppress",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_suppressed_is_left_and_named(text: str, irlint: Irlint, tmp_path: Path) -> None:
    model = tmp_path / "a-symbol.json"
    model.write_text(text)
    done = irlint("-q", "--add-ignore", str(model))
    assert (done.status, REFUSED[text] in done.err) == (1, True), done
    assert model.read_text() == text


def test_suppressions_of_the_whole_file_are_not_widened(irlint: Irlint, tmp_path: Path) -> None:
    for name in ("mistakes.xml", "mistakes.bin"):
        (tmp_path / name).write_bytes((ROOT / "examples/openvino" / name).read_bytes())
    model = tmp_path / "mistakes.xml"
    model.write_text(model.read_text().replace("<net", "<!-- irlint: ignore[A001] -->\n<net"))
    irlint("--add-ignore", str(model))
    text = model.read_text()
    assert "<!-- irlint: ignore[A001] -->\n<net" in text
    assert "<!-- irlint: ignore[O006] -->" in text


def test_known_findings_are_not_suppressed(irlint: Irlint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "examples/lightnet/misspelt.json").read_text()
    model = tmp_path / "a.json"
    model.write_text(text.replace("softmx", "softmax"))
    irlint("--baseline", "known.json", "--write-baseline", "a.json")
    model.write_text(text)
    done = irlint("--baseline", "known.json", "--add-ignore", "a.json")
    assert "suppressed 1 finding in 1 file" in done.err
    assert model.read_text().count("irlint: ignore") == 1


def test_reports_that_would_not_be_written(irlint: Irlint, model: Path) -> None:
    for option in ("--diff", "--add-ignore", "--show-files"):
        assert "writes no report" in irlint(option, "--output-format", "json:r.json", "a.json").err
    assert irlint("--show-files", "--fix", "a.json").status == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("completion", "tcsh"), "argument shell: unknown value `tcsh`; expected one of bash, zsh, fish"),
        (("check", "--color", "red"), "argument --color: unknown value `red`; expected one of auto, always, never"),
        (("check", "--jobs", "0"), "argument --jobs: expected a number of processes, got `0`"),
    ],
)
def test_values_of_arguments_that_are_refused(words: tuple[str, ...], said: str, irlint: Irlint) -> None:
    done = irlint(*words)
    assert (done.status, said in done.err) == (2, True), done
