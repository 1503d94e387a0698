"""Globs mean what git takes them for, and cost no more than they must."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irlint.files.globs import Globs, gitignore


@pytest.mark.parametrize(
    ("glob", "named", "not_named"),
    [
        ("*.json", ["a.json", "x/y/a.json"], ["a.jsonl", "json"]),
        ("/a.json", ["a.json"], ["x/a.json"]),
        ("x/a.json", ["x/a.json"], ["y/x/a.json", "a.json"]),
        ("**/a", ["a", "x/a", "x/y/a"], ["b"]),
        ("x/**", ["x/a", "x/y/a"], ["x", "y/x/a"]),
        ("x/**/a", ["x/a", "x/y/z/a"], ["a", "x/a/b"]),
        ("[ab]?.xml", ["a1.xml", "q/b2.xml"], ["c1.xml", "a.xml"]),
        ("[!a]", ["b"], ["a"]),
        ("[^a]", ["b"], ["a"]),
        (r"\*", ["*"], ["a"]),
        (r"\!a", ["!a"], ["a"]),
        ("a b", ["a b"], ["a", "b"]),
    ],
)
def test_what_a_glob_names(glob: str, named: list[str], not_named: list[str]) -> None:
    globs = Globs([glob])
    assert [p for p in named if not globs.verdict(p.split("/"), False)] == []
    assert [p for p in not_named if globs.verdict(p.split("/"), False)] == []


def test_a_folder_glob_names_folders_only_and_covers_what_is_in_them() -> None:
    globs = Globs(["build/"])
    assert globs.verdict(["build"], True)
    assert not globs.verdict(["build"], False)
    assert globs.covers(["x", "build", "a.json"])


def test_the_last_glob_that_fits_decides() -> None:
    globs = gitignore("# no glob\n*.json\n!keep.json  \n\n")
    assert globs.verdict(["a.json"], False) is True
    assert globs.verdict(["keep.json"], False) is False
    assert globs.verdict(["a.xml"], False) is None


def test_many_patterns_cost_little_more_than_one() -> None:
    """They are one expression."""
    lines = [
        "*.pyc",
        "a/",
        "b/",
        "c/",
        "*.egg-info/",
        ".venv/",
        "/data/*.bin",
        "node_modules/",
        "**/cache/**",
        "*.log",
        "!keep.log",
        "docs/_build",
    ]
    many, one = Globs(lines), re.compile("|".join(re.escape(line) for line in lines))
    paths = [["src", f"p{k % 50}", f"m{k % 7}", f"file{k}.json"] for k in range(5_000)]
    times = []
    for look in (lambda parts: one.search("/".join(parts)), lambda parts: many.verdict(parts, False)):
        start = time.process_time()
        for parts in paths:
            look(parts)
        times.append(time.process_time() - start)
    assert times[1] < 14 * times[0], "pattern by pattern it is 28"


def test_a_star_takes_at_least_one_character_of_a_part() -> None:
    assert Globs(["a/*"]).verdict(["a"], True) is None


def test_many_stars_cost_no_more_than_a_few() -> None:
    globs, name = Globs(["*a" * 60 + "b", "**/a/" * 60 + "b"]), "a" * 255
    start = time.process_time()
    assert globs.verdict([name] * 200, False) is None
    assert globs.verdict(["a"] * 2000, False) is None
    assert time.process_time() - start < 2


# Of `a**` git's documentation says that it means `a*`, and git does something else.
_PART = st.sampled_from(
    [
        *("**", "***", "*", "?", "a", "b", "ab", "a*", "*b", "a?", "a b", r"\a", r"\*", "a*b*", "é*", "."),
        *(
            "[ab]",
            "[!a]",
            "[^b]",
            "[]a]",
            "[a-]",
            "[!a-z]",
            r"[\]a]",
            "[b-a]",
            "[[:alpha:]]",
            "[^[:punct:]a]",
            "[[:x:]]",
        ),
    ]
)
_GLOB = st.lists(_PART, min_size=1, max_size=3).map("/".join)
_LINE = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/", "//", "\ufeff"]),
    _GLOB,
    st.sampled_from(["", "/", " ", "\t", "\r", "\\ ", "\\"]),
)
_NAME = st.text("ab*.é]", min_size=1, max_size=3).filter(lambda name: name.strip(".") != "")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_LINE, min_size=1, max_size=3), st.lists(_NAME, min_size=1, max_size=3))
def test_git_agrees(repository: Path, lines: list[str], parts: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    (repository / ".gitignore").write_text(text)
    command = ["git", "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"]
    path = "/".join(parts)
    git = subprocess.run(command, cwd=repository, input=path, capture_output=True, text=True, check=False)
    pattern = git.stdout.split("\0")[2]
    assert _is_ignored(gitignore(text), parts) == (pattern != "" and not pattern.startswith("!"))


def _is_ignored(globs: Globs, parts: list[str]) -> bool:
    """As a walk has it: what is in an ignored folder is never looked at."""
    folders = (globs.verdict(parts[:size], True) for size in range(1, len(parts)))
    return any(folders) or bool(globs.verdict(parts, False))
