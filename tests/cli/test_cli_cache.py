"""The cache: never another result than without it, whatever happens to files, settings and the cache itself."""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from rule_cases.texts import OPENVINO, SYMBOL

from irlint import engine, report
from irlint.cache import TICK
from irlint.cache.records import from_record, to_record
from irlint.cli.commands import check

from .helpers import CLEAN, COMMA, FOREIGN, MISSPELT, ROOT, Irlint, environment, spawn

CACHE = ".irlint_cache"


@pytest.fixture(autouse=True)
def every_file_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "WORTH_CACHING", 0)


FORMATS = ("full", "json", "sarif", "gitlab")


@pytest.fixture
def models(here: Path) -> Path:
    """Models of every format, some with mistakes, and a foreign file."""
    shutil.copytree(ROOT / "examples", here / "examples", ignore=shutil.ignore_patterns("plugin"))
    texts = {"clean.json": CLEAN, "comma.json": COMMA, "misspelt.json": MISSPELT, "tsconfig.json": FOREIGN}
    texts |= {"net-symbol.json": SYMBOL, "model.xml": OPENVINO}
    for name, text in texts.items():
        (here / name).write_text(text)
    (here / "model.bin").write_bytes(bytes(12))
    sleep(2 * TICK)  # else the cache cannot know whether weights changed while their model was linted
    return here


@pytest.fixture
def lints(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that were really linted."""
    names: list[str] = []
    real = engine.linted_bytes

    def linted_bytes(data: bytes, request: engine.Request) -> engine.Result:
        names.append(request.name)
        return real(data, request)

    monkeypatch.setattr(engine, "linted_bytes", linted_bytes)
    return names


def entries(folder: Path) -> list[Path]:
    return [path for path in (folder / CACHE).glob("*/*") if not path.name.startswith(".")]


@pytest.mark.parametrize("output", FORMATS)
def test_the_second_run_says_the_same_and_lints_nothing(
    models: Path, irlint: Irlint, lints: list[str], output: str
) -> None:
    arguments = (".", "--output-format", output)
    plain = irlint(*arguments, "--no-cache")
    assert not (models / CACHE).exists()
    assert irlint(*arguments) == plain
    lints.clear()
    assert irlint(*arguments) == plain
    assert [name for name in lints if name != "tsconfig.json"] == []


def test_it_hides_itself_from_git(models: Path, irlint: Irlint) -> None:
    irlint(".")
    assert (models / CACHE / ".gitignore").read_text().split("\n")[1] == "*"
    assert irlint(".", "--output-format", "json", "--no-cache").findings


def test_a_changed_file_is_linted(models: Path, irlint: Irlint) -> None:
    assert irlint("clean.json").status == 0
    (models / "clean.json").write_text(MISSPELT)
    assert irlint("clean.json", "--output-format", "json").codes == ["R001"]
    (models / "clean.json").write_text(CLEAN)
    assert irlint("clean.json").status == 0
    assert len(entries(models)) == 1, "an entry takes the place of the one before"


def test_changed_weights_have_their_model_linted(models: Path, irlint: Irlint, lints: list[str]) -> None:
    def codes() -> list[str]:
        return irlint("model.xml", "--output-format", "json").codes

    before = codes()
    assert "W002" not in before
    stamp = (models / "model.bin").stat().st_mtime_ns
    (models / "model.bin").write_bytes(bytes(8))
    os.utime(models / "model.bin", ns=(stamp, stamp))
    assert "W002" in codes()
    (models / "model.bin").unlink()
    assert "W001" in codes()
    (models / "model.bin").write_bytes(bytes(12))
    assert codes() == before


def test_weights_that_were_only_touched_are_the_same(models: Path, irlint: Irlint, lints: list[str]) -> None:
    from irlint.cache.side import SideFileState

    witness = SideFileState("model.bin", str(models / "model.bin"))
    record = witness.record()
    assert record is not None
    os.utime(models / "model.bin", ns=(1, 1))
    assert witness.agrees(record)
    (models / "model.bin").write_bytes(bytes(11) + b"x")
    assert not witness.agrees(record)
    (models / "model.bin").unlink()
    assert not witness.agrees(record)


def test_settings_have_entries_of_their_own(models: Path, irlint: Irlint, lints: list[str]) -> None:
    assert irlint("misspelt.json", "--output-format", "json").codes == ["R001"]
    assert irlint("misspelt.json", "--ignore", "R001").status == 0
    (models / "irlint.yaml").write_text("severity: {R001: warning}\n")
    assert irlint("misspelt.json").status == 0
    assert irlint("misspelt.json", "--fail-on", "warning").status == 1
    (models / "irlint.yaml").write_text("severity: {R001: error}\n")
    assert irlint("misspelt.json").status == 1
    lints.clear()
    assert irlint("misspelt.json", "--fail-on", "info").status == 1
    assert lints == [], "what fails a run is no part of what is found"


def test_what_can_be_repaired_is_repaired(models: Path, irlint: Irlint, lints: list[str]) -> None:
    irlint(".")
    lints.clear()
    assert irlint("--fix", "comma.json", "clean.json").status == 0
    assert (models / "comma.json").read_text() == CLEAN
    assert "clean.json" not in lints
    irlint("comma.json")
    lints.clear()
    assert irlint("comma.json").status == 0
    assert lints == []


@pytest.mark.parametrize("harm", ["empty", "cut", "flipped", "nonsense", "other", "folder"])
def test_a_spoilt_entry_is_made_anew(models: Path, irlint: Irlint, lints: list[str], harm: str) -> None:
    plain = irlint(".", "--output-format", "json")
    found = entries(models)
    for path in found:
        data = path.read_bytes()
        middle = len(data) // 2
        if harm == "folder":
            path.unlink()
            path.mkdir()
            continue
        path.write_bytes(
            {
                "empty": b"",
                "cut": data[:-1],
                "flipped": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
                "nonsense": b"\x80\x04N.",
                "other": found[0].read_bytes(),
            }[harm]
        )
    assert irlint(".", "--output-format", "json") == plain
    if harm != "folder":
        lints.clear()
        assert irlint(".", "--output-format", "json") == plain
        assert [name for name in lints if name != "tsconfig.json"] == []


def test_without_a_place_to_write_it_works_all_the_same(models: Path, irlint: Irlint) -> None:
    (models / "file").write_text("")
    assert irlint("clean.json", "--cache-dir", "file").status == 0
    assert irlint("clean.json", "--cache-dir", "file/inside").status == 0


def test_it_is_made_where_the_project_is(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "project/.git").mkdir(parents=True)
    (here / "project/deep/below").mkdir(parents=True)
    (here / "project/deep/below/a.json").write_text(CLEAN)
    monkeypatch.chdir(here / "project/deep/below")
    assert irlint("a.json").status == 0
    assert (here / "project" / CACHE).is_dir()
    (here / "project/deep/irlint.yaml").write_text("")
    assert irlint("a.json").status == 0
    assert (here / "project/deep" / CACHE).is_dir()
    assert irlint("a.json", "--cache-dir", "elsewhere").status == 0
    assert Path("elsewhere").is_dir()


def test_old_versions_are_forgotten(models: Path, irlint: Irlint) -> None:
    old, new = models / CACHE / "0.0.1-x", models / CACHE / "0.0.2-y"
    for folder in (old, new):
        folder.mkdir(parents=True)
    os.utime(old, (1, 1))
    irlint("clean.json")
    assert not old.exists()
    assert new.exists()


def test_output_does_not_depend_on_jobs_seeds_or_the_cache(models: Path) -> None:
    texts = set()
    for seed, jobs in ((0, 1), (1, 2), (2, 8), (3, 1), (4, 2)):
        env = environment(PYTHONHASHSEED=str(seed))
        for cache in (["--no-cache"], ["--cache-dir", f"cache{seed}"], ["--cache-dir", f"cache{seed}"]):
            done = spawn(".", "--jobs", str(jobs), "--output-format", "json", *cache, env=env)
            assert done.status == 1, done.err
            texts.add(done.out)
    assert len(texts) == 1


def test_one_small_file_is_sooner_checked_than_remembered(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(CLEAN)
    assert spawn("a.json").status == 0
    assert os.listdir(here) == ["a.json"]


def test_a_forged_entry_breaks_no_report() -> None:
    """Whoever can write an entry can also write its checksum."""
    text = SYMBOL.replace('"inputs": [[', '"inputs": [[9, 9], [', 1).replace('"attrs"', '"attrs": {}, "attrs"')
    found = report.locate(engine.lint(text, "a.json"))
    assert any(entry.related for entry in found.entries)
    assert any(entry.edits for entry in found.entries)
    sound = json.loads(json.dumps(to_record(found)))
    assert from_record(sound, "a.json") == found
    taken = 0
    for path in [*places(sound)]:
        for value in (None, True, -1, 5, 2**70, "", "x", [], {}, [0], [[]], {"a": 1}):
            forged = json.loads(json.dumps(sound))
            holder = forged
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = value
            try:
                read = from_record(forged, "a.json")
            except (ValueError, LookupError, TypeError, AttributeError):
                continue
            taken += 1
            for form in report.FORMATS:
                report.write([read], form, io.StringIO())
    assert taken


def places(value: Any) -> Iterator[list[Any]]:
    """The ways to all that a value of JSON holds."""
    for step in range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ():
        yield [step]
        yield from ([step, *rest] for rest in places(value[step]))
