"""The last net: what an exception in the check of a file becomes, wherever it is raised and whoever asks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from cli.helpers import MISSPELT
from rule_cases.texts import SYMBOL

import irlint
from irlint import Settings, engine
from irlint.cli import main
from irlint.config.find import Configurations
from irlint.config.source import ConfigError
from irlint.formats.base import by_name


class Bug(Exception):
    """What nobody foresaw."""


def _fail(*_: Any, **__: Any) -> NoReturn:
    raise Bug("a\nb \x1b[31m")


@pytest.fixture(autouse=True)
def _caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IRLINT_RAISE")


@pytest.fixture(
    params=["recognize", "open", "open_bytes", "dialect_of", "read", "checks", "dryrun", "late_checks", "suppressions"]
)
def _broken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(type(by_name("nnvm")), request.param, _fail)
    return iter(())


@pytest.mark.usefixtures("_broken")
@pytest.mark.parametrize(
    "settings", [Settings(), Settings(ignore=("ALL",)), Settings(select=("R",)), Settings(never=("I",))]
)
def test_every_step_of_a_check(settings: Settings) -> None:
    found = irlint.lint(SYMBOL.encode(), settings=settings)
    if not found:  # a step that these settings leave out
        assert settings != Settings()
        result = engine.lint(SYMBOL, "a-symbol.json", settings)
        assert result.model is None
        found = result.findings  # type: ignore[assignment]
    assert [(f.code, str(f.severity), f.fix) for f in found] == [("I001", "error", None)]
    assert found[0].message.startswith("internal error in irlint: Bug: a b ")
    assert f"(irlint {irlint.__version__}); please" in found[0].message or ".py:" in found[0].message


def test_the_search_for_causes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(by_name("nnvm")), "causes", _fail)
    assert [f.code for f in irlint.lint(SYMBOL.replace('"null"', '"nul"', 1))] == ["I001"]


@pytest.mark.parametrize("error", [MemoryError, RecursionError, OSError, AssertionError])
def test_every_kind_of_exception(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(type(by_name("nnvm")), "read", fail)
    assert [f.code for f in irlint.lint(SYMBOL)] == ["I001"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_who_wants_to_end_it_ends_it(error: type[BaseException]) -> None:
    def checkpoint() -> NoReturn:
        raise error

    with pytest.raises(error):
        engine.linted(SYMBOL, engine.Request(checkpoint=checkpoint))


def test_the_search_for_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    text = SYMBOL.replace('"inputs": [[3, 0, 0]]', '"inputs": [[9, 0, 0]]')
    before = [f.code for f in irlint.lint(text)]
    monkeypatch.setattr(type(by_name("nnvm")), "candidates", _fail)
    found = irlint.lint(text)
    assert [f.code for f in found] == ["I001", *before]
    assert all(f.fix is None for f in found)


def test_commands_over_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("irlint.cli.commands.check.WORTH_CACHING", 0)
    Path("a.json").write_text(SYMBOL)
    Path("b.json").write_text(MISSPELT)
    monkeypatch.setattr(type(by_name("nnvm")), "checks", _fail)
    for _ in range(2):  # the second time from what is cached: nothing
        assert main([".", "--ignore", "I", "--output-format", "concise"]) == 1
        assert capsys.readouterr().out.count("I001") == 1
    assert main([".", "--fix", "--ignore", "I001", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.count("I001") == 1
    assert main([".", "--baseline", "known.json", "--write-baseline"]) in (0, 1)
    assert "I001" not in Path("known.json").read_text()


@pytest.mark.parametrize("command", ["graph", "run", "flatten", "summary", "ngrams", "weights", "diff", "compare"])
def test_other_commands(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a-symbol.json"
    path.write_text(SYMBOL)
    monkeypatch.setattr(type(by_name("nnvm")), "read", _fail)
    status = 2 if command == "diff" else 1  # nothing was compared
    assert main([command, *[str(path)] * (1 + (command in ("diff", "compare")))]) == status
    said = capsys.readouterr().err
    assert "internal error" in said
    assert said.count("\n") == 1


def test_a_command_that_fails_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a-symbol.json"
    path.write_text(SYMBOL)
    monkeypatch.setattr("irlint.cli.commands.summary.run", _fail)
    assert main(["summary", str(path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("irlint: internal error: Bug: a b ")
    assert "issues" in said


@pytest.mark.parametrize("step", ["irlint.config.read_yaml.read_yaml", "irlint.config.build.build"])
def test_a_configuration(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "irlint.yaml").write_text("select: [R]\n")
    monkeypatch.setattr(step, _fail)
    with pytest.raises(ConfigError, match=r"irlint\.yaml: internal error in irlint: Bug"):
        Configurations().of_folder(str(tmp_path))


def test_tests_see_every_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRLINT_RAISE", "1")
    monkeypatch.setattr(type(by_name("nnvm")), "read", _fail)
    with pytest.raises(Bug):
        irlint.lint(SYMBOL)
