"""--fix and --diff: what is written, and what never is."""

from __future__ import annotations

import os
import random
import re
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irlint.findings import PROVEN

from .helpers import CLEAN, COMMA, GUESSED, MISSPELT, Irlint, command, environment, running, spawn


def test_fix_repairs_and_says_so(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(COMMA)
    done = irlint("a.json", "--fix")
    assert (done.status, done.out) == (0, "Fixed 1 finding.\nAll checks passed: 1 file.\n")
    assert (here / "a.json").read_text() == CLEAN
    assert sorted(os.listdir(here)) == ["a.json"]


def test_what_is_left_is_reported(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(GUESSED.replace("]}\n}", "]},\n}"))
    done = irlint("a.json", "--fix", "--output-format", "json")
    assert (done.status, len(done.codes)) == (1, 1)
    assert (here / "a.json").read_text() == GUESSED


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    ("name", "text", "repaired"),
    [
        ("a.json", COMMA, CLEAN),
        ("a.txt", "0 zeros []\n1 nn.relu [00]\n", "0 zeros []\n1 nn.relu [0]\n"),
    ],
)
def test_what_is_not_utf8_stays_in_its_encoding(
    encoding: str, name: str, text: str, repaired: str, here: Path, irlint: Irlint
) -> None:
    """The mark at its beginning says which it is: without it, the text would be lost."""
    (here / name).write_bytes(f"\ufeff{text}".encode(encoding))
    form = ("--as", "lightnet" if name == "a.json" else "glacier:listing")
    done = irlint(name, "--fix", *form, "--output-format", "json")
    assert (done.status, done.codes) == (1, ["S017"])
    assert (here / name).read_bytes() == f"\ufeff{repaired}".encode(encoding)


def test_unsafe_fixes_only_if_asked_for(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(GUESSED)
    assert irlint("a.json").out.endswith("Found 1 error in 1 file (1 fixable with --unsafe-fixes).\n")
    assert irlint("a.json", "--fix").status == 1
    assert (here / "a.json").read_text() == GUESSED
    assert irlint("a.json", "--fix", "--unsafe-fixes").status == 0
    assert (here / "a.json").read_text() != GUESSED


def test_proven_fixes_need_no_flag(here: Path, irlint: Irlint) -> None:
    """The report and the diff say why."""
    (here / "a.json").write_text(MISSPELT)
    done = irlint("a.json")
    assert f"help: Replace with 'image' (proven: {PROVEN})" in done.out
    assert done.out.endswith("Found 1 error in 1 file (1 fixable with --fix, proven).\n")
    assert irlint("a.json", "--diff").out.startswith(f"irlint: proven: Replace with 'image' ({PROVEN})\n--- a.json\n")
    assert irlint("a.json", "--fix").status == 0
    assert (here / "a.json").read_text() == CLEAN


def test_a_clean_file_is_not_touched(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(CLEAN)
    before = (here / "a.json").stat()
    irlint("a.json", "--fix")
    after = (here / "a.json").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize(
    "dress",
    [
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace('"msg", "value": ""', '"msg", "value": "\u2028ü\U0001f600"').encode(),
        lambda text: (
            text.replace('"msg", "value": ""', '"msg", "value": "MARK"').encode().replace(b"MARK", b"\xff\xc3")
        ),
    ],
    ids=["CRLF", "CR", "byte order mark", "beyond ASCII", "no UTF-8"],
)
def test_every_byte_outside_the_edits_stays(here: Path, irlint: Irlint, dress) -> None:  # type: ignore[no-untyped-def]
    (here / "a.json").write_bytes(dress(COMMA))
    irlint("a.json", "--fix", "--select", "S001")
    assert (here / "a.json").read_bytes() == dress(CLEAN)


def test_mode_and_link_stay(here: Path, irlint: Irlint) -> None:
    (here / "x").mkdir()
    (here / "x/real.json").write_text(COMMA)
    (here / "x/real.json").chmod(0o604)
    (here / "link.json").symlink_to("x/real.json")
    assert irlint("link.json", "--fix").status == 0
    assert (here / "link.json").is_symlink()
    assert (here / "x/real.json").read_text() == CLEAN
    assert stat.S_IMODE((here / "x/real.json").stat().st_mode) == 0o604


def test_what_stays_unreadable_is_left_alone(here: Path, irlint: Irlint) -> None:
    text = COMMA.replace('"tensors_out": []', '"tensors_out" []')[:-4]
    (here / "a.json").write_text(text)
    done = irlint("a.json", "--fix")
    assert done.status == 1
    assert (here / "a.json").read_text() == text or "All checks passed" in done.out


def test_diff_writes_nothing_and_patch_takes_it(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(COMMA)
    (here / "b.json").write_text(MISSPELT)
    done = irlint("--diff", ".")
    assert done.status == 1, "the file on disk is still wrong"
    assert done.err == "irlint: would fix 2 findings in 2 files\n"
    assert (here / "a.json").read_text() == COMMA
    subprocess.run(["patch", "-p0", "-s"], input=done.out.encode(), check=True)
    assert (here / "a.json").read_text() == (here / "b.json").read_text() == CLEAN
    assert irlint("--diff", "--fix", "a.json").out == ""
    (here / "b.json").write_text(GUESSED)
    done = irlint("--diff", "b.json")
    assert (done.out, done.err) == ("", "irlint: no safe or proven fixes; --unsafe-fixes would fix 1 finding\n")
    assert irlint("--diff", "--unsafe-fixes", "b.json").out.count("\n-") == 1
    (here / "b.json").write_text("")
    assert irlint("--diff", "b.json").err == "irlint: no fixes for 1 finding; without --diff, irlint shows it\n"


def test_standard_input_is_repaired_to_standard_output(here: Path) -> None:
    done = spawn("--fix", "-", input=COMMA.encode())
    assert (done.status, done.out) == (0, CLEAN)
    assert "Fixed 1 finding." in done.err
    done = spawn("--fix", "-", "--stdin-filename", "x.json", input=GUESSED.encode())
    assert (done.status, done.out) == (1, GUESSED), "what cannot be repaired comes out as it went in"
    done = spawn("--fix", "-", input=b"no model \xff")
    assert (done.status, done.out) == (1, "no model \udcff")
    done = spawn("--diff", "-", input=COMMA.encode())
    assert done.out.startswith("--- <stdin>\n+++ <stdin>\n@@ ")


def test_a_file_that_cannot_be_written_is_said_and_still_reported(
    here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (here / "a.json").write_text(COMMA)
    monkeypatch.setattr(os, "fsync", full)
    done = irlint("a.json", "--fix", "--output-format", "json")
    assert (done.status, done.codes) == (2, ["S001"])
    assert done.err == "irlint: a.json: cannot write fixes: no space left on device\n"
    assert (here / "a.json").read_text() == COMMA
    assert sorted(os.listdir(here)) == ["a.json"]


def test_many_files_are_repaired_in_many_processes(here: Path, irlint: Irlint) -> None:
    for number in range(40):
        (here / f"{number}.json").write_text(COMMA)
    done = irlint(".", "--fix", "--jobs", "2")
    first, second = done.out.splitlines()
    assert first.startswith("Fixed 40 findings in 40 files: ")
    assert first.endswith(".json, and 20 more.")
    assert (done.status, second) == (0, "All checks passed: 40 files.")
    assert {path.read_text() for path in here.glob("*.json")} == {CLEAN}


def test_killed_in_the_middle(here: Path) -> None:
    """The file is the old one or the new one, whole, whenever the process is killed."""
    path = here / "a.json"
    clean = CLEAN.replace('"data", "value": [1, 2]', f'"data", "value": [{", ".join(["1"] * 20_000)}]')
    broken = clean.replace("\n]}\n", ",\n]}\n")
    started = time.perf_counter()
    path.write_text(broken)
    subprocess.run(command("--fix", "--isolated", "a.json"), env=environment(), capture_output=True, check=False)
    duration = time.perf_counter() - started
    assert path.read_text() == clean
    moments = random.Random(1)
    for _ in range(12):
        path.write_text(broken)
        with running(command("--fix", "a.json"), env=environment(), stdout=subprocess.DEVNULL) as process:
            time.sleep(duration * moments.uniform(0.5, 1.0))
            process.send_signal(signal.SIGKILL)
        assert path.read_text() in (broken, clean)


_MISTAKES = [
    "TL_FLOAT",
    '"value"',
    "[2]",
    "[1, 2]",
    "false",
    '"image"',
    '"dst"',
    '"src"',
    "\n",
    "print",
    "]",
    "}",
    ",",
    ":",
]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.booleans())
def test_fixing_twice_changes_nothing_more(here: Path, irlint: Irlint, data: st.DataObject, unsafe: bool) -> None:
    """Mutants of a model: after --fix, --fix has nothing to do, nothing is worse, and what could be read still can."""
    text = CLEAN
    for _ in range(data.draw(st.integers(1, 3))):
        old, new = (
            data.draw(st.sampled_from(_MISTAKES)),
            data.draw(st.sampled_from([*_MISTAKES, "", "False", '"x"', "01"])),
        )
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + text[at:].replace(old, new, 1)
    path = here / "a.json"
    path.write_text(text)
    options = ("a.json", "--output-format", "json", *(["--unsafe-fixes"] if unsafe else []))
    before = irlint(*options).findings
    after = irlint(*options, "--fix").findings
    once = path.read_text()
    again = irlint(*options, "--fix").findings
    assert path.read_text() == once
    assert again == after
    syntax = [f for f in after if f["code"].startswith("S0")]
    assert len(syntax) <= len([f for f in before if f["code"].startswith("S0")])


def test_a_fix_that_would_do_harm_is_not_offered_and_fix_says_why(here: Path, irlint: Irlint) -> None:
    """Without its strides the pool is refused; with them the first convolution's missing strides come to light."""
    example = Path(__file__).parents[2] / "examples" / "openvino" / "digits"
    text = example.with_suffix(".xml").read_text()
    (here / "digits.bin").write_bytes(example.with_suffix(".bin").read_bytes())
    (here / "digits.xml").write_text(re.sub(' strides="[^"]*"', "", text))
    fixes = [
        found["fix"] and found["fix"]["safety"] for found in irlint("digits.xml", "--output-format", "json").findings
    ]
    assert "safe" not in fixes
    assert "[*]" not in irlint("digits.xml").out
    done = irlint("digits.xml", "--fix")
    assert "is not fixed: the fix (Insert `strides=" in done.err
    assert "causes A002" in done.err
    assert (here / "digits.xml").read_text() == re.sub(' strides="[^"]*"', "", text)
    irlint("digits.xml", "--fix", "--unsafe-fixes")
    assert len(re.findall('strides="2,2"', (here / "digits.xml").read_text())) == 2  # as the declared shapes say
