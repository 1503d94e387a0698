"""Configuration files: what they may say, where their mistakes are, and which one holds."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from irlint.config import Config, Overrides
from irlint.config.find import Configurations
from irlint.config.read_yaml import read_yaml
from irlint.config.source import ConfigError
from irlint.findings import Severity

FULL = """\
select: [R, used-before-defined]
extend-select: [S002]
ignore: [R003]
per-file-ignores:
  "old/**": [R]
  "*.xml": [S002]
severity:
  R: warning
  R001: error
  duplicate-key: info
fail-on: warning
exclude: [build/]
extend-exclude: ["*.bak.json"]
targets:
  openvino: 2024.10
dry-run-shapes: false
formats:
  lightnet: {}
"""

TOML = """\
[project]
name = "x"

[tool.irlint]
select = ["R", "used-before-defined"]
extend-select = ["S002"]
ignore = ["R003"]
fail-on = "warning"
exclude = ["build/"]
extend-exclude = ["*.bak.json"]
targets.openvino = 2024.10
dry-run-shapes = false
formats = { lightnet = {} }

[tool.irlint.per-file-ignores]
"old/**" = ["R"]
"*.xml" = ["S002"]

[tool.irlint.severity]
R = "warning"
R001 = "error"
duplicate-key = "info"
"""


def config(folder: Path, text: str, name: str = "irlint.yaml") -> Config:
    (folder / name).write_text(text)
    return Configurations().of_folder(str(folder))


def mistakes(folder: Path, text: str, name: str = "irlint.yaml") -> list[str]:
    with pytest.raises(ConfigError) as caught:
        config(folder, text, name)
    return [line.removeprefix(str(folder / name)) for line in str(caught.value).split("\n")]


@pytest.mark.parametrize(("name", "text"), [("irlint.yaml", FULL), (".irlint.yaml", FULL), ("pyproject.toml", TOML)])
def test_every_key(tmp_path: Path, name: str, text: str) -> None:
    made = config(tmp_path, text, name)
    settings = made.settings(str(tmp_path / "a.json"))
    assert made.fail_on is Severity.WARNING
    assert settings.targets == (("openvino", "2024.10"),)
    assert settings.shapes is False
    assert settings.options == {"lightnet": {}}
    assert settings.wants("R001", "undefined-reference")
    assert settings.wants("S002", "duplicate-key")
    assert not settings.wants("R003", "self-reference")
    assert not settings.wants("S001", "syntax-error")
    assert settings.severity_of("R001", "x", Severity.INFO) is Severity.ERROR
    assert settings.severity_of("R002", "x", Severity.INFO) is Severity.WARNING
    assert settings.severity_of("S002", "x", Severity.ERROR) is Severity.INFO
    assert made.exclude.covers(["build", "a.json"])
    assert made.exclude.covers(["x", "a.bak.json"])
    assert not made.exclude.covers(["node_modules", "a.json"])


def test_per_file_ignores_win_over_every_selection(tmp_path: Path) -> None:
    made = config(tmp_path, FULL)
    over = Overrides(select=("R002",))
    assert made.settings(str(tmp_path / "a.json"), over).wants("R002", "x")
    assert not made.settings(str(tmp_path / "old/deep/a.json"), over).wants("R002", "x")
    assert not made.settings(str(tmp_path / "x/y.xml")).wants("S002", "duplicate-key")


def test_the_command_line_goes_before_the_file(tmp_path: Path) -> None:
    made = config(tmp_path, FULL)
    path = str(tmp_path / "a.json")
    selected = made.settings(path, Overrides(select=("R003",)))
    assert selected.wants("R003", "x"), "--select replaces the file's selection, and what it ignores with it"
    assert not selected.wants("R001", "x")
    assert not made.settings(path, Overrides(ignore=("R001",))).wants("R001", "x")
    assert made.settings(path, Overrides(extend_select=("O",))).wants("O001", "x")
    assert made.settings(path, Overrides(targets=(("nnvm", "1"),))).targets == (("openvino", "2024.10"), ("nnvm", "1"))
    assert made.settings(path, Overrides(shapes=True)).shapes


def test_without_a_file_everything_is_checked(tmp_path: Path) -> None:
    settings = Configurations.isolated().of_folder(str(tmp_path)).settings(str(tmp_path / "a"))
    assert settings.wants("R001", "x")
    assert settings.shapes


def test_an_empty_file_is_the_default(tmp_path: Path) -> None:
    assert config(tmp_path, "# nothing\n").settings("/a").wants("R001", "x")


def test_the_nearest_file_holds(tmp_path: Path) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "irlint.yaml").write_text("fail-on: info")
    (tmp_path / "a/pyproject.toml").write_text("[tool.other]\nirlint = 1\n")
    (tmp_path / "a/b/pyproject.toml").write_text("[tool.irlint]\nfail-on = 'warning'\n")
    found = Configurations()
    assert found.of_folder(str(tmp_path / "a")).fail_on is Severity.INFO
    assert found.of_folder(str(tmp_path / "a/b/c")).fail_on is Severity.WARNING
    assert found.of_folder(str(tmp_path / "a/b")) is found.of_folder(str(tmp_path / "a/b/c"))


def test_a_file_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "irlint.yaml").write_text("fail-on: info")
    found = Configurations()
    first = found.of_folder(str(tmp_path))
    (tmp_path / "irlint.yaml").write_text("fail-on: error")
    (tmp_path / "x").mkdir()
    assert found.of_folder(str(tmp_path)) is found.of_folder(str(tmp_path / "x")) is first


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("selct: [R]", [":1:1: unknown key `selct`; did you mean `select`?"]),
        ("\nselect: [R, X999]", [":2:13: unknown rule `X999`; "]),
        ("ignore:\n  - duplicate-kye", [":2:5: unknown rule `duplicate-kye`; did you mean `duplicate-key`?"]),
        ("select: R", [":1:1: expected a list for `select`, got `'R'`"]),
        ("select: [1]", [":1:10: expected a string for an item of `select`, got `1`"]),
        ("select: ['']", [":1:10: expected a non-empty value for an item of `select`"]),
        ("fail-on: never", [":1:1: expected one of `error`, `warning`, `info` for `fail-on`, got `'never'`"]),
        ("dry-run-shapes: 1", [":1:1: expected a boolean for `dry-run-shapes`, got `1`"]),
        (
            "severity: {R: bad}",
            [":1:12: expected one of `error`, `warning`, `info`, `pedantic` for `severity.R`, got `'bad'`"],
        ),
        ("severity: {Q: error}", [":1:12: unknown rule `Q`;"]),
        ("formats: {lightnett: {}}", [":1:11: unknown format `lightnett`; did you mean `lightnet`?"]),
        ("targets: {open_vino: 1}", [":1:11: unknown target `open_vino`; did you mean `openvino`?"]),
        (
            "targets: {openvino: latest}",
            [":1:11: expected an OpenVINO release from 2018.1 on (such as 2024.6), got `latest`"],
        ),
        (
            "targets: {openvino: 3}",
            [":1:11: expected an OpenVINO release from 2018.1 on (such as 2024.6), got `3`"],
        ),
        (
            "selct: [ALL]\ntargets: {openvino: 2099}\nfail-on: x\nignore: [R9]\n",
            [
                ":1:1: unknown key `selct`; did you mean `select`?",
                ":2:11: the newest OpenVINO release that irlint knows is 2026.4, got `2099`",
                ":3:1: expected one of `error`, `warning`, `info` for `fail-on`, got `'x'`",
                ":4:10: unknown rule `R9`; run `irlint rules` for a list",
            ],
        ),
        ("fail-on: error\ntargets:\n  mxnet: 7", [":3:3: expected a release of MXNet from 1.0 to 1.9, got '7'"]),
        ("targets: {nnvm: 1}", [":1:11: nnvm has no releases; use mxnet= or tvm="]),
        ("per-file-ignores: {a: [QQ]}", [":1:24: unknown rule `QQ`;"]),
        ("- a", [":1:1: expected a mapping, such as"]),
        ("a", [":1:1: expected a mapping, such as"]),
        ("select: [", [":1:10: not valid YAML: "]),
        ("select: [R]\nselect: [O]", [":2:1: duplicate key `select`; first defined on line 1"]),
        ("select: !!python/object:os.system [R]", [":1:9: unsupported tag `python/object:os.system`"]),
        ("select: [!!python/name:os.system R]", [":1:10: expected a string, a number, `true` or `false`, got `R`"]),
        ("fail-on: !!binary aGk=", [":1:10: expected a string, a number, `true` or `false`, got `aGk=`"]),
        ("? [a]\n: b", [":1:3: expected a plain word as a key"]),
        ("select: *gone", [":1:9: not valid YAML: found undefined alias"]),
        ("selct: [R]\nfail-on: no\n", [":1:1: unknown key", ":2:1: expected one of `error`"]),
        ("fail-on: .inf", [":1:1: "]),
    ],
)
def test_mistakes_are_told_where_they_stand(tmp_path: Path, text: str, expected: list[str]) -> None:
    found = mistakes(tmp_path, text)
    assert len(found) == len(expected)
    assert [(line, start) for line, start in zip(found, expected, strict=True) if not line.startswith(start)] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tool.irlint]\nselct = ['R']", ":2:1: unknown key `selct`; did you mean `select`?"),
        ("[tool]\nirlint = 3", ": expected a table for `tool.irlint`"),
        ("[tool.irlint]\nselect = ['QQ']", ":2:1: unknown rule `QQ`;"),
        ("[tool.irlint.severity]\nR = 'bad'", ":2:1: expected one of `error`"),
        ("[tool]\n[tool.irlint]\n severity.R = 'bad'", ":3:2: expected one of `error`"),
        ("[tool.irlint\n", ": not valid TOML: "),
        (
            "[tool.irlint]\nfail-on = 2020-01-01\n",
            ":2:1: expected one of `error`, `warning`, `info` for `fail-on`, got `2020-01-01`",
        ),
        ("[tool.irlint]\nfail-on = " + "9" * 5000, ": number with thousands of digits"),
        ("[tool]\nx = " + "9" * 5000 + " # irlint", ": number with thousands of digits"),
    ],
)
def test_mistakes_in_toml(tmp_path: Path, text: str, expected: str) -> None:
    assert mistakes(tmp_path, text, "pyproject.toml")[0].startswith(expected)


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(20)),
        "a: &a [*a]",
        "a: " + "[" * 5000,
        "a: " + "{a: " * 5000,
        "a: " + "[" * 90_000,
        "x" * (2 << 20),
    ],
    ids=["billion laughs", "itself", "brackets", "braces", "many brackets", "huge"],
)
def test_bombs_do_not_go_off(tmp_path: Path, text: str) -> None:
    assert mistakes(tmp_path, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[tool.irlint]\n" + "".join(f"k{k} = 1\n" for k in range(20_000))),
        ("pyproject.toml", f"[tool.irlint]\nselect = {[f'Q{k}x' for k in range(20_000)]}\n"),
        ("irlint.yaml", f"select: [{', '.join(f'Q{k}x' for k in range(9000))}]\n"),
        ("irlint.yaml", "x: 1\n" * 9000),
    ],
)
def test_of_many_mistakes_a_hundred_are_told(tmp_path: Path, name: str, text: str) -> None:
    began = time.process_time()
    found = mistakes(tmp_path, text, name)
    assert len(found) == 101
    assert found[-1] == ": and more errors"
    assert time.process_time() - began < 10


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a: \x00", "a: b".encode("utf-16"), b"\xef\xbb\xbfselect: [QQ]"])
def test_bytes_that_are_no_yaml(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "irlint.yaml").write_bytes(data)
    with pytest.raises(ConfigError):
        Configurations().of_folder(str(tmp_path))


def test_a_configuration_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        Configurations.of_file(str(tmp_path / "gone.yaml"))
    os.mkfifo(tmp_path / "fifo.yaml")
    with pytest.raises(ConfigError, match="FIFO"):
        Configurations.of_file(str(tmp_path / "fifo.yaml"))
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(ConfigError, match="missing table"):
        Configurations.of_file(str(tmp_path / "pyproject.toml"))


def test_globs_of_a_named_file_are_relative_to_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/irlint.yaml").write_text("exclude: [/models/old/]")
    monkeypatch.chdir(tmp_path)
    made = Configurations.of_file("shared/irlint.yaml").of_folder("/anywhere")
    assert made.base == str(tmp_path)
    assert made.exclude.covers(["models", "old", "a.json"])


@pytest.mark.parametrize("text", ['a: "\\U00110000"', 'a: "\\UFFFFFFFF"', "%YAML 1.3\n---\na: b", "a:\n%YAML 999.1\n"])
def test_yaml_that_the_parser_does_not_foresee(text: str) -> None:
    with pytest.raises(ConfigError, match="not valid YAML"):
        read_yaml("irlint.yaml", text.encode())


def test_the_parser_does_not_write_of_anchors(recwarn: pytest.WarningsRecorder) -> None:
    """Its warnings would show lines of the file as they are."""
    read_yaml("irlint.yaml", b"a: &x R\nb: &x R\n")
    assert not recwarn.list
