"""Long runs: the bar on a terminal, the times of rules, and runs that wait for changes."""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path

import pytest

from irlint.cli.dispatch import parser_of
from irlint.cli.progress import ERASE, with_bar
from irlint.cli.watch import watch

from .helpers import CLEAN, MISSPELT, Irlint


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_statistics_say_how_long_rules_took(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(MISSPELT)
    done = irlint("a.json", "--statistics")
    assert done.out == "1  R001  error     [*]  undefined-reference\n"
    assert "ms in rules" in done.err
    assert "ms  reading" in done.err
    assert irlint("a.json", "--statistics", "--jobs", "2").out == done.out
    done = irlint("a.json", "--statistics", "--output-format", "json")
    assert done.err == ""
    assert json.loads(done.out)[0]["count"] == 1


def test_the_bar_stands_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irlint.cli.progress.PAUSE", 0)
    monkeypatch.delenv("TERM", raising=False)
    terminal, file = Terminal(), io.StringIO()
    assert list(with_bar(iter(range(30)), 30, terminal)) == list(range(30))
    text = terminal.getvalue()
    assert "[###############               ] 15 of 30 files" in text
    assert text.endswith(ERASE), "it is gone in the end"
    assert list(with_bar(iter(range(30)), 30, file)) == list(range(30))
    assert file.getvalue() == ""
    few = Terminal()
    assert list(with_bar(iter(range(3)), 3, few)) == [0, 1, 2]
    assert few.getvalue() == ""


def test_what_is_printed_begins_where_no_bar_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irlint.cli.progress.PAUSE", 0)
    monkeypatch.delenv("TERM", raising=False)
    terminal = Terminal()
    for _ in with_bar(iter(range(25)), 25, terminal):
        assert terminal.getvalue() == "" or terminal.getvalue().endswith(ERASE)


def arguments(*words: str) -> argparse.Namespace:
    return parser_of("check").parse_args([*words, "--watch"])


def test_a_change_leads_to_another_run(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a.json").write_text(CLEAN)
    changes = iter(
        [
            lambda: (here / "a.json").write_text(MISSPELT),
            lambda: (here / "irlint.yaml").write_text("ignore: [R001]"),
            lambda: (here / "irlint.yaml").write_text("ignroe: ["),
            lambda: (here / "b.json").write_text(CLEAN),
            lambda: (here / "b.bin").write_bytes(b"x"),
        ]
    )
    monkeypatch.setattr("irlint.cli.watch.sleep", lambda seconds: next(changes)())
    runs: list[int] = []

    def check() -> int:
        runs.append(len(runs))
        return 0

    assert watch(arguments("."), check, rounds=4) == 0
    assert runs == [0, 1, 2, 3]


def test_without_a_change_there_is_none(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a.json").write_text(CLEAN)
    looks: list[float] = []

    def look(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr("irlint.cli.watch.sleep", look)
    runs: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        watch(arguments("a.json"), lambda: runs.append(1) or 0)
    assert (len(runs), len(looks)) == (1, 5)


def test_what_cannot_be_watched(here: Path, irlint: Irlint) -> None:
    assert irlint("-", "--watch").status == 2
    assert irlint("--watch", "--baseline", "x", "--write-baseline").status == 2
