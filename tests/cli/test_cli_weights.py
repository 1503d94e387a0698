"""Weights that are not in the repository: on the command line, in the cache, while watching, and in `irlint init`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from time import sleep

import pytest
from rule_cases.texts import OPENVINO

from irlint.cache import TICK
from irlint.cli import watch
from irlint.cli.commands import check
from irlint.cli.dispatch import parser_of
from irlint.config.find import load

from .helpers import MISSPELT, Irlint

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"


@pytest.fixture(autouse=True)
def plain_git(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def git(*words: str) -> None:
    given = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *given, *words], check=True, capture_output=True)


def model(name: str, weights: bytes | None = None) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(OPENVINO)
    if weights is not None:
        path.with_suffix(".bin").write_bytes(weights)


def severities(irlint: Irlint, *arguments: str) -> list[str]:
    return [finding["severity"] for finding in irlint(*arguments, "--output-format", "json").findings]


def test_an_error_names_the_setting_once(here: Path, irlint: Irlint) -> None:
    model("a.xml")
    done = irlint("a.xml")
    assert done.status == 1
    assert done.out.count("-->") == 1
    assert "note:" not in done.out
    assert done.out.count("weights: optional") == 1
    for format_ in ("concise", "github"):
        assert (
            "; set `weights: optional` in irlint.yaml if it is kept elsewhere"
            in irlint("a.xml", "--output-format", format_).out
        )


@pytest.mark.parametrize(("word", "found"), [("auto", ["warning"]), ("required", ["error"]), ("optional", [])])
def test_the_setting_and_the_option(here: Path, irlint: Irlint, word: str, found: list[str]) -> None:
    git("init", "-q")
    model("a.xml")
    assert severities(irlint, "a.xml", "--weights", word) == found
    (here / "irlint.yaml").write_text(f"weights: {word}\n")
    assert severities(irlint, "a.xml") == found
    assert severities(irlint, "a.xml", "--weights", "required") == ["error"]
    assert severities(irlint, "a.xml", "--isolated") == ["warning"]


def test_an_option_that_is_none(here: Path, irlint: Irlint) -> None:
    model("a.xml")
    assert irlint("a.xml", "--weights", "a.bin").status == 2


def test_by_pattern(here: Path, irlint: Irlint) -> None:
    model("third_party/a.xml")
    model("b.xml")
    (here / "irlint.yaml").write_text('weights: {"third_party/**": optional, "*": required}\n')
    assert [f["file"] for f in irlint(".", "--output-format", "json").findings] == ["b.xml"]


def test_other_commands_take_the_model(here: Path, irlint: Irlint) -> None:
    git("init", "-q")
    model("a.xml")
    for arguments in (("summary", "a.xml"), ("run", "a.xml"), ("flatten", "a.xml")):
        assert irlint(*arguments).status == 0, arguments
    (here / "a.bin").write_bytes(POINTER)
    assert "git lfs pull" in irlint("run", "a.xml").err


# The cache


def test_the_cache_knows_what_git_tracks(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "WORTH_CACHING", 0)
    model("a.xml")

    def found() -> list[str]:
        sleep(2 * TICK)  # else the cache cannot know whether the index changed during the lint
        return severities(irlint, "a.xml")

    assert found() == found() == ["error"], "no repository"
    git("init", "-q")
    assert found() == found() == ["warning"]
    (here / "a.bin").write_bytes(bytes(12))
    assert found() == []
    git("add", "a.bin")
    (here / "a.bin").unlink()
    assert found() == found() == ["error"]
    git("rm", "-q", "--cached", "a.bin")
    assert found() == found() == ["warning"]
    (here / "a.bin").write_bytes(POINTER)
    assert found() == found() == ["warning"]
    assert severities(irlint, "a.xml", "--weights", "required") == ["error"]


def test_another_index_keeps_what_is_cached(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    from irlint import engine

    monkeypatch.setattr(check, "WORTH_CACHING", 0)
    git("init", "-q")
    model("a.xml")
    assert severities(irlint, "a.xml") == ["warning"]
    git("add", "a.xml")
    monkeypatch.setattr(engine, "linted_bytes", None)
    assert severities(irlint, "a.xml") == ["warning"]


# Watching


def test_an_index_is_watched(here: Path) -> None:
    git("init", "-q")
    model("a.xml")
    states = [watch._state(parser_of("check").parse_args(["."]))]
    (here / "other").write_text("")
    git("add", "other")
    states.append(watch._state(parser_of("check").parse_args(["."])))
    assert states[0] != states[1] == watch._state(parser_of("check").parse_args(["."]))


# irlint init


def setting(here: Path) -> object:
    source = load(str(here / "irlint.yaml"))
    assert source is not None
    return source.values.get("weights", "auto")


def why(here: Path) -> str:
    lines = [line for line in (here / "irlint.yaml").read_text().splitlines() if line.startswith("# Optional here")]
    return lines[0] if lines else ""


def test_init_requires_weights_where_all_are_there(here: Path, irlint: Irlint) -> None:
    git("init", "-q")
    model("a.xml", bytes(12))
    model("constant-free.xml")
    (here / "constant-free.xml").write_text(
        '<?xml version="1.0"?>\n<net name="n" version="11"><layers/><edges/></net>\n'
    )
    irlint("init")
    assert setting(here) == "required"
    os.unlink("a.bin")
    done = irlint("check", "--output-format", "concise")
    assert (done.status, "W001[missing-weights] weights file 'a.bin' not found" in done.out) == (1, True)


def test_init_leaves_auto_where_no_weights_are_needed(here: Path, irlint: Irlint) -> None:
    (here / "a.xml").write_text('<?xml version="1.0"?>\n<net name="n" version="11"><layers/><edges/></net>\n')
    irlint("init")
    assert setting(here) == "auto"
    assert "\n# weights: auto\n" in (here / "irlint.yaml").read_text()


@pytest.mark.parametrize(
    ("state", "words"),
    [("missing", "is missing"), ("ignored", "is ignored by git"), ("pointer", "is a Git LFS pointer")],
)
def test_init_writes_optional(here: Path, irlint: Irlint, state: str, words: str) -> None:
    git("init", "-q")
    model("a.xml", {"missing": None, "ignored": bytes(12), "pointer": POINTER}[state])
    if state == "ignored":
        (here / ".gitignore").write_text("*.bin\n")
    done = irlint("init")
    assert done.status == 0
    assert setting(here) == "optional"
    assert why(here) == f"# Optional here: the only weights file {words}."
    assert "Found" not in done.out
    assert irlint(".").out == "All checks passed: 1 file.\n"


def test_init_writes_patterns_where_folders_lack_weights(here: Path, irlint: Irlint) -> None:
    git("init", "-q")
    model("models/a.xml", bytes(12))
    model("third [party]/deep/b.xml")
    model("third [party]/deep/er/c.xml", POINTER)
    model("build/d.xml", bytes(12))
    (here / ".gitignore").write_text("build/*.bin\n")
    irlint("init")
    assert setting(here) == {"build/**": "optional", "third \\[party\\]/deep/**": "optional"}
    assert why(here) == (
        "# Optional here: of 4 weights files, 1 is missing, 1 is ignored by git and 1 is a Git LFS pointer."
    )
    assert irlint(".").out == "All checks passed: 4 files.\n"
    (here / "models/a.bin").unlink()
    assert severities(irlint, ".") == ["warning"]


def test_init_names_single_models_in_folders_that_hold_weights(here: Path, irlint: Irlint) -> None:
    git("init", "-q")
    model("a.xml", bytes(12))
    model("b#.xml")
    model("below/a.xml", bytes(12))
    irlint("init")
    assert setting(here) == {"/b\\#.xml": "optional"}
    assert irlint(".").out == "All checks passed: 3 files.\n"
    (here / "below/a.bin").unlink()
    assert severities(irlint, ".") == ["warning"]


@pytest.mark.parametrize(("there", "lacking", "expected"), [(1, 6, "optional"), (7, 6, 6), (1, 5, 5)])
def test_init_writes_one_value_where_most_are_lacking(
    here: Path, irlint: Irlint, there: int, lacking: int, expected: object
) -> None:
    git("init", "-q")
    for number in range(there):
        model(f"a{number}.xml", bytes(12))
    for number in range(lacking):
        model(f"b{number}.xml")
    irlint("init")
    found = setting(here)
    assert (len(found) if isinstance(found, dict) else found) == expected


@pytest.mark.parametrize("many", [1, 2])
def test_init_hides_no_tracked_file_that_is_missing(here: Path, irlint: Irlint, many: int) -> None:
    git("init", "-q")
    model("never-added.xml")
    for number in range(many):
        model(f"a{number}.xml", bytes(12))
        git("add", f"a{number}.bin")
        (here / f"a{number}.bin").unlink()
    irlint("init")
    text = (here / "irlint.yaml").read_text()
    assert "\nweights: auto\n" in text
    what = "a missing weights file; restore it" if many == 1 else "2 missing weights files; restore them"
    assert f"# Not optional: git tracks {what} with `git restore`.\n" in text
    assert severities(irlint, ".") == ["error"] * many + ["warning"]


def test_init_offers_a_baseline(here: Path, irlint: Irlint) -> None:
    git("init", "-q")
    (here / "a.json").write_text(MISSPELT)
    (here / "b.json").write_text(MISSPELT)
    out = irlint("init").out
    what = "to record them, so that only new findings are reported"
    assert f"Found 2 findings in 2 files; run `irlint init --baseline` {what}.\n" in out
    assert irlint(".").status == 1
    before = (here / "irlint.yaml").read_text()
    assert "`irlint init --baseline` writes it.\n# baseline: irlint-baseline.json\n" in before
    done = irlint("init", "--baseline")
    assert (done.status, done.out) == (0, "Added it to irlint.yaml.\n")
    assert done.err == "irlint: irlint-baseline.json: 2 known findings written\n"
    assert irlint(".").status == 0
    after = (here / "irlint.yaml").read_text()
    assert after.splitlines()[:-2] == before.splitlines()[:-2]
    assert after.endswith("`irlint --write-baseline` updates it.\nbaseline: irlint-baseline.json\n")
    (here / "c.json").write_text(MISSPELT)
    assert irlint("init", "--baseline").err == "irlint: irlint-baseline.json: 3 known findings written\n"
    assert (here / "irlint.yaml").read_text() == after


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("irlint.yaml", "select: [ALL]\n", "baseline: irlint-baseline.json"),
        (".irlint.yml", "", "baseline: irlint-baseline.json"),
        ("pyproject.toml", "[tool.irlint]\n", 'baseline = "irlint-baseline.json"'),
    ],
)
@pytest.mark.parametrize("folder", [".", "below"])
def test_init_writes_a_baseline_beside_a_configuration(
    here: Path, irlint: Irlint, folder: str, name: str, text: str, line: str
) -> None:
    (here / folder).mkdir(exist_ok=True)
    (here / folder / "a.json").write_text(MISSPELT)
    path = here / folder / name
    path.write_text(text)
    done = irlint("init", "--baseline", folder)
    assert done.status == 0
    assert done.out.startswith(f"Add `{line}` to ")
    assert path.read_text() == text
    path.write_text(f"{text}{line}\n")
    assert irlint(folder).status == 0


@pytest.mark.parametrize("folder", [".", "below"])
def test_init_writes_a_baseline(here: Path, irlint: Irlint, folder: str) -> None:
    (here / folder).mkdir(exist_ok=True)
    (here / folder / "a.json").write_text(MISSPELT)
    done = irlint("init", "--baseline", folder)
    assert done.status == 0
    assert done.err.endswith("irlint-baseline.json: 1 known finding written\n")
    assert irlint(folder).out == "All checks passed: 1 file.\nNot reported: 1 known finding in the baseline.\n"
    (here / folder / "new.json").write_text(MISSPELT)
    assert irlint(folder).status == 1


# The baseline of a configuration


def test_a_configuration_names_a_baseline(here: Path, irlint: Irlint) -> None:
    (here / "irlint.yaml").write_text("baseline: known/list.json\n")
    (here / "known").mkdir()
    (here / "a.json").write_text(MISSPELT)
    done = irlint("a.json")
    name = os.path.join("known", "list.json")
    assert (done.status, done.err) == (2, f"irlint: {name}: no such file; create it with --write-baseline\n")
    assert irlint(".", "--write-baseline").err == f"irlint: {name}: 1 known finding written\n"
    assert irlint("a.json").status == 0
    assert irlint("a.json", "--isolated").status == 1
    assert irlint("a.json", "--config", "irlint.yaml").status == 0
    (here / "other.json").write_text('{"version": 1, "findings": {}}')
    assert irlint("a.json", "--baseline", "other.json").status == 1, "the command line decides"
    (here / "a.json").unlink()
    assert f"{name}: 1 entry no longer found" in irlint("known", "other.json").err


def test_a_baseline_for_each_configuration(here: Path, irlint: Irlint) -> None:
    for folder in ("one", "two", "none"):
        (here / folder).mkdir()
        (here / folder / "a.json").write_text(MISSPELT)
    for folder in ("one", "two"):
        (here / folder / "irlint.yaml").write_text("baseline: list.json\n")
    done = irlint(".", "--write-baseline")
    assert done.status == 1
    assert sorted(done.err.splitlines()) == [
        "irlint: not written: 1 finding in files without a baseline",
        f"irlint: {os.path.join('one', 'list.json')}: 1 known finding written",
        f"irlint: {os.path.join('two', 'list.json')}: 1 known finding written",
    ]
    assert [f["file"] for f in irlint(".", "--output-format", "json").findings] == [os.path.join("none", "a.json")]


def test_a_file_that_is_there_must_still_be_right(here: Path, irlint: Irlint) -> None:
    model("a.xml", bytes(8))
    assert irlint("a.xml", "--weights", "optional").status == 1


def test_a_named_file_of_weights_is_said_to_stand_for_its_model(here: Path, irlint: Irlint) -> None:
    model("a.xml", bytes(12))
    assert irlint("a.bin", "--no-cache").err == "irlint: note: a.bin holds weights of a.xml, checked in its place\n"
    for words in (("a.xml", "a.bin"), ("a.bin", "-q"), (".",)):
        assert "note" not in irlint(*words, "--no-cache").err.replace(
            "note: a.bin holds", "" if "a.xml" in words else "note"
        )
