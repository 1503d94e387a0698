"""Diffs from edits: `patch` makes the new text of the old one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from edits import texts_and_edits
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irlint.files.unified import unified
from irlint.text.base import Edit, Span, apply


def test_what_it_looks_like() -> None:
    text = "".join(f"line {n}\n" for n in range(1, 21))
    at = text.index("line 5")
    edits = [Edit(Span(at, at + 6), "LINE 5"), Edit(Span(len(text), len(text)), "more")]
    assert unified(text, edits, "a.json") == (
        "--- a.json\n+++ a.json\n"
        "@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+LINE 5\n line 6\n line 7\n line 8\n"
        "@@ -18,3 +18,4 @@\n line 18\n line 19\n line 20\n+more\n\\ No newline at end of file\n"
    )


def test_nothing_changed_is_no_diff() -> None:
    assert unified("a\n", [], "a") == ""
    assert unified("a\n", [Edit(Span(0, 1), "a")], "a") == ""


def test_odd_names_are_quoted_as_git_does() -> None:
    diff = unified("a\n", [Edit(Span(0, 1), "b")], 'a\n"ü\udcff')
    assert diff.startswith('--- "a\\012\\042\\303\\274\\377"\n')


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts_and_edits("ab\n\r"))
def test_patch_agrees(tmp_path: Path, case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    if not shutil.which("patch"):
        pytest.skip("patch is not installed")
    diff = unified(text, edits, "a.json")
    assert bool(diff) == (apply(text, edits) != text)
    if not diff:
        return
    (tmp_path / "a.json").write_bytes(text.encode())
    command = ["patch", "-p0", "--binary", "-s", "--posix"]
    subprocess.run(command, cwd=tmp_path, input=diff.encode(), check=True, capture_output=True)
    path = tmp_path / "a.json"
    assert (path.read_bytes() if path.exists() else b"") == apply(text, edits).encode()


@given(st.integers(0, 3))
def test_lines_far_apart_stand_in_hunks_of_their_own(seed: int) -> None:
    text = "x\n" * 100
    diff = unified(text, [Edit(Span(2 * seed, 2 * seed + 1), "y"), Edit(Span(150, 151), "z")], "a")
    assert diff.count("@@ -") == 2
