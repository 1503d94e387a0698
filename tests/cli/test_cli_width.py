"""What people see fits their terminal; what programs read is not wrapped."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rule_cases.texts import onnx

from irlint.cli.dispatch import commands
from irlint.rules.registry import all_rules
from irlint.text.safe import width
from irlint.text.wrap import table, wrap

from .helpers import MISSPELT, ROOT, Irlint, command, environment

DIGITS = str(ROOT / "examples/openvino/digits.xml")
LONG = "model/expanded_conv_depthwise/depthwise/FusedBatchNorm/variance"


def symbol(count: int, name: str = LONG) -> str:
    """A chain of unknown operators."""
    nodes = ['{"op": "null", "name": "data", "inputs": []}']
    nodes += [f'{{"op": "Frobnicate", "name": "{name}{k}", "inputs": [[{k}, 0, 0]]}}' for k in range(count)]
    return f'{{"nodes": [\n{",".join(nodes)}\n], "arg_nodes": [0], "heads": [[{count}, 0, 0]]}}\n'


def widest(text: str) -> int:
    return max(map(width, text.split("\n")))


@pytest.mark.parametrize("columns", ["80", "100"])
@pytest.mark.parametrize("words", [["--help"], ["rules"], ["formats"], *([name, "--help"] for name in commands())])
def test_tables_and_help_fit(words: list[str], columns: str, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    done = irlint(*words)
    assert done.status == 0
    assert widest(done.out) <= int(columns)


def test_paragraphs_of_help_are_wrapped_as_one(irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    paragraph = irlint("diff", "--help").out.partition("Between two formats")[2].partition("\n\n")[0]
    *full, _ = paragraph.split("\n")
    assert all(len(line) > 60 for line in full[1:])


def test_a_command_to_copy_is_on_one_line(irlint: Irlint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    inputs = ", ".join(f"float[n,3,h,w] image{k}" for k in range(6))
    text = f'<ir_version: 8, opset_import: ["" : 17]>\nnet ({inputs}) => (float[n,3,h,w] y) {{ y = Add (image0, image1) }}\n'
    (tmp_path / "net.onnxtxt").write_text(text)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    options = " ".join(f"--input image{k}=1,3,224,224" for k in range(6))
    for done in (irlint("run", "net.onnxtxt"), irlint("summary", "net.onnxtxt")):
        rows = (done.out + done.err).split("\n")
        assert f"    {options}" in rows
        assert widest("\n".join(row for row in rows if options not in row)) <= 80


def test_no_code_or_name_of_a_rule_is_cut(irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    words = irlint("rules").out.split()
    for rule in all_rules().values():
        assert rule.code in words
        assert rule.name in words
    monkeypatch.delenv("COLUMNS")
    lines = irlint("rules").out.splitlines()
    assert len(lines) == 1 + len(all_rules()), "one line each, for grep"


def test_pages_of_rules_fit(irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for line in irlint("rule", "--all").out.splitlines():
        assert width(line) <= 80 or " " not in line.strip(), "but for an address that cannot be broken"


@pytest.mark.parametrize("words", [["run", "--shapes-only"], ["summary"], ["ngrams", "-n", "7"]])
def test_tables_on_models_fit(words: list[str], here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(DIGITS).read_text(encoding="utf-8").replace('name="conv/relu"', f'name="{LONG}"')
    (here / "digits.xml").write_text(text, encoding="utf-8")
    (here / "digits.bin").write_bytes(Path(DIGITS).with_suffix(".bin").read_bytes())
    free = irlint(*words, "digits.xml").out
    monkeypatch.setenv("COLUMNS", "80")
    done = irlint(*words, "digits.xml")
    assert done.status == 0
    assert widest(done.out) <= 80
    assert done.out.split() == free.split() or words[0] == "ngrams", "nothing is left out"


def test_only_a_cell_of_the_last_column_that_does_not_fit_goes_below_its_row() -> None:
    rows = [("bytes", "shape", "name"), ("1.0 KiB", "[1, 2]", "short"), ("128.0 KiB", "[1024, 128]", "a" * 25)]
    assert table(rows, 40) == [
        "bytes      shape        name",
        "1.0 KiB    [1, 2]       short",
        "128.0 KiB  [1024, 128]",
        f"    {'a' * 25}",
    ]


def test_a_run_and_a_comparison_fit(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert widest(irlint("run", DIGITS, "--output", "a.npz", "--events", "a.jsonl").out.replace(DIGITS, "")) <= 80
    assert widest(irlint("run", DIGITS, "--seed", "1", "--compare", "a.npz").out.replace(DIGITS, "")) <= 80
    irlint("run", DIGITS, "--seed", "1", "--events", "b.jsonl")
    assert widest(irlint("compare", "a.jsonl", "b.jsonl").out) <= 80


@pytest.mark.parametrize("format_", ["full", "concise"])
def test_columns_says_how_wide_a_report_is(
    format_: str, here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a-symbol.json").write_text(symbol(3).replace("Frobnicate", "Activation"), encoding="utf-8")
    words = ("--isolated", "--output-format", format_, "a-symbol.json")
    free = irlint(*words).out
    assert widest(free) > 80, "a message on one line, for grep"
    monkeypatch.setenv("COLUMNS", "80")
    done = irlint(*words)
    assert done.status == 1
    assert widest(done.out) <= 80
    assert LONG in done.out
    irlint(*words, "--output-file", "report.txt")
    assert Path("report.txt").read_text(encoding="utf-8") == free


def test_a_name_longer_than_a_line_is_cut_in_its_middle(
    here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merged models have such names. What a fix changes at the end of one is shown."""
    name = f"{'a_stage_of_a_pipeline/' * 6}conv"
    renamed = onnx(("[conv]", f'["{name}"]'), ("[relu]", f'["{name}"]'))
    Path("a.onnxtxt").write_text(renamed, encoding="utf-8")
    words = ("--isolated", "a.onnxtxt")
    assert f"duplicate node name '{name}'" in irlint(*words).out
    monkeypatch.setenv("COLUMNS", "80")
    done = irlint(*words).out
    assert widest(done) <= 80
    assert "duplicate node name" in done
    assert f"'{name[:10]}...{name[-27:]}'" in done
    assert 'pipeline/conv_2"]' in done


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize("columns", [80, 100])
def test_a_terminal_says_how_wide_it_is(columns: int, here: Path) -> None:
    import fcntl
    import pty
    import termios

    Path("a-symbol.json").write_text(symbol(3), encoding="utf-8")
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    shown: list[bytes] = []

    def read() -> None:
        try:
            while data := os.read(ours, 65536):
                shown.append(data)
        except OSError:
            pass

    reader = threading.Thread(target=read)
    reader.start()
    words = command("check", "--isolated", "a-symbol.json")
    done = subprocess.run(words, stdout=theirs, env=environment(NO_COLOR="1"), timeout=60, check=False)
    os.close(theirs)
    reader.join(timeout=60)
    os.close(ours)
    text = b"".join(shown).decode().replace("\r\n", "\n")
    assert done.returncode == 1
    assert 60 < widest(text) <= columns
    assert "O001" in text


def test_the_marked_token_is_always_in_view(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a-symbol.json").write_text(symbol(30).replace("\n", ""), encoding="utf-8")
    for columns in (80, 100):
        monkeypatch.setenv("COLUMNS", f"{columns}")
        lines = irlint("--isolated", "--select", "O001", "--show-all", "a-symbol.json").out.splitlines()
        carets = [at for at, line in enumerate(lines) if line.strip("|^ ") == "" and "^" in line]
        assert len(carets) == 30
        for at in carets:
            start, end = lines[at].index("^"), lines[at].rindex("^") + 1
            assert lines[at - 1][start:end] == '"Frobnicate"'
            assert width(lines[at - 1]) <= columns


def test_alike_findings_are_folded_unless_all_are_asked_for(here: Path, irlint: Irlint) -> None:
    Path("a-symbol.json").write_text(symbol(30).replace("},{", "},\n{"), encoding="utf-8")
    Path("b.json").write_text(MISSPELT, encoding="utf-8")
    words = ("--isolated", "--select", "O,R", ".", "--output-format")
    folded, unfolded = irlint(*words, "concise"), irlint(*words, "concise", "--show-all")
    assert folded.status == unfolded.status == 1
    assert folded.out.splitlines()[1] == (
        "    and 29 more like this: lines 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, ... (--show-all lists them)"
    )
    assert unfolded.out.count("O001[") == 30
    assert folded.out.splitlines()[-1] == unfolded.out.splitlines()[-1], "each is counted all the same"
    assert "Found 31 errors in 2 files" in folded.out
    assert len(irlint(*words, "json").findings) == 31


@pytest.mark.parametrize("name", ["a.json", "a.xml", "a-symbol.json", "a.txt", "a"])
@pytest.mark.parametrize(
    ("data", "why"), [(b"", "the file is empty"), (b" \n\t\r\n" * 50_000, "the file contains only whitespace")]
)
def test_an_empty_file_is_called_one(name: str, data: bytes, why: str, here: Path, irlint: Irlint) -> None:
    Path(name).write_bytes(data)
    done = irlint("--isolated", "--output-format", "json", name)
    assert (done.status, done.codes) == (1, ["S011"])
    assert done.findings[0]["message"] == why
    assert irlint("--isolated", name, "--ignore", "S011").status == 0
    assert irlint("--isolated", name, "--skip-unrecognized").status == 0
    assert irlint("--isolated", ".").status == 0, "met in a folder, it is nobody's"


@pytest.mark.parametrize("format_", ["nnvm", "openvino", "lightnet", "glacier"])
@pytest.mark.parametrize("data", [b"", b"\n"])
def test_an_empty_file_is_one_in_every_format(format_: str, data: bytes, here: Path, irlint: Irlint) -> None:
    Path("a").write_bytes(data)
    assert irlint("--isolated", "--output-format", "json", "--as", format_, "a").codes == ["S011"]


@pytest.mark.parametrize("words", [[], ["--as", "nnvm"], ["--as", "openvino"]])
@pytest.mark.parametrize("data", [bytes(5000), bytes((k * k * 31 + k * 7) % 251 for k in range(5000))])
def test_binary_garbage_is_not_shown(words: list[str], data: bytes, here: Path, irlint: Irlint) -> None:
    Path("a.json").write_bytes(data)
    out = irlint("--isolated", "a.json", *words).out
    assert " --> a.json:1:1\n" in out
    assert " | " not in out


def test_words_are_never_broken() -> None:
    assert wrap("a bb  ccc dddd", None) == ["a bb  ccc dddd"]
    assert wrap("a bb  ccc dddd", 5) == ["a bb", "ccc", "dddd"]
    assert wrap("aaaaaaaaaa b", 4, indent="  ") == ["aaaaaaaaaa", "  b"]
    assert wrap("卷积 卷积", 6, taken=1) == ["卷积", "卷积"]
    assert wrap("has `a b` [5, 3] x", 10) == ["has `a b`", "[5, 3] x"], "short code and lists stay whole"
    assert wrap(f"[{', '.join('1234567')}] `{'a ' * 20}`", 12)[0] == "[1, 2, 3, 4, 5, 6, 7]"
    assert max(map(len, wrap(f"`{'a ' * 20}` [ b c {'d ' * 20}", 12))) <= 12
    assert wrap("no ::error here", 6) == ["no ::error", "here"], "GitHub obeys lines that begin so"
    assert wrap("long", 6, taken=5, indent="  ") == ["", "  long"]


def test_what_a_column_has_no_room_for_goes_on_below() -> None:
    rows = [("1", "operator", LONG, "x y"), ("22", "op", "n", "z")]
    size = len(LONG)
    assert table(rows, right=(0,)) == [f" 1  operator  {LONG}  x y", f"22  op        n{' ' * size} z"]
    assert table(rows, 60) == [
        "1   operator",
        f"    {LONG}",
        f"{' ' * 57}x y",
        f"22  op        n{' ' * 42}z",
    ]
    prose = [("code", "Some words that say what it is."), ("b", "More.")]
    assert table(prose, 30, has_prose=True) == ["code  Some words that say what", "      it is.", "b     More."]


def test_a_mark_is_followed_by_the_name_that_it_marks() -> None:
    name = "a" * 30
    assert wrap(f"~ {name} (Relu)", 20, indent="    ") == [f"~ {name}", "    (Relu)"]


def test_a_cell_that_is_wider_than_the_terminal_goes_on_below() -> None:
    types = ", ".join(["float32 [?, 4]"] * 4)
    rows = table([["If", types, "name"], ["Relu", "float32 [2]", "other"]], 40)
    assert max(map(len, rows)) <= 40
    assert " ".join(" ".join(rows).split()) == f"If {types} name Relu float32 [2] other"
