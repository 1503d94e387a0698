"""`weights` and `baseline` in a configuration."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irlint.config import Config, Overrides
from irlint.config.find import Configurations
from irlint.config.source import ConfigError


def config(folder: Path, text: str, name: str = "irlint.yaml") -> Config:
    (folder / name).write_text(text)
    return Configurations().of_folder(str(folder))


def weights(made: Config, name: str, over: Overrides = Overrides()) -> str:
    return made.settings(os.path.join(made.base, name), over).missing_weights


@pytest.mark.parametrize("word", ["auto", "required", "optional"])
def test_one_value_for_all_models(tmp_path: Path, word: str) -> None:
    assert weights(config(tmp_path, f"weights: {word}\n"), "a/b.xml") == word


def test_auto_by_default(tmp_path: Path) -> None:
    assert weights(config(tmp_path, "select: [W]\n"), "a.xml") == "auto"
    assert weights(Config(str(tmp_path)), "a.xml") == "auto"


MAPPINGS = {
    "irlint.yaml": 'weights:\n  "third_party/tiny.xml": required\n  "third_party/": optional\n  "!models/**": required\n',
    "pyproject.toml": '[tool.irlint.weights]\n"third_party/tiny.xml" = "required"\n"third_party/" = "optional"\n"!models/**" = "required"\n',
}


@pytest.mark.parametrize("name", MAPPINGS)
def test_the_first_pattern_that_fits_decides(tmp_path: Path, name: str) -> None:
    made = config(tmp_path, MAPPINGS[name], name)
    assert weights(made, "third_party/tiny.xml") == "required"
    assert weights(made, "third_party/deep/a.xml") == "optional"
    assert weights(made, "a.xml") == "required"
    assert weights(made, "models/a.xml") == "auto"


def test_the_command_line_decides(tmp_path: Path) -> None:
    made = config(tmp_path, "weights: {'*.xml': required}\n")
    assert weights(made, "a.xml", Overrides(missing_weights="optional")) == "optional"
    assert weights(made, "a.xml") == "required"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weights: maybe\n", ":1:1: expected one of `auto`, `required`, `optional` for `weights`, got `'maybe'`"),
        ("weights: true\n", ":1:1: expected a string or a mapping for `weights`, got `true`"),
        ("weights:\n  a.xml: auto\n  b.xml: maybe\n", ":3:3: expected one of `auto`, `required`, `optional` for `weights.b.xml`, got `'maybe'`"),
        ("baseline: [a]\n", ":1:1: expected a string for `baseline`, got a list"),
    ],
)  # fmt: skip
def test_mistakes(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config(tmp_path, text)
    assert str(caught.value) == f"{tmp_path / 'irlint.yaml'}{message}"


def test_a_baseline_is_named_relative_to_its_configuration(tmp_path: Path) -> None:
    made = config(tmp_path, "baseline: known/list.json\n")
    assert made.baseline == str(tmp_path / "known" / "list.json")
    (only,) = [Configurations.of_file(str(tmp_path / "irlint.yaml")).of_folder("/")]
    assert only.baseline == made.baseline
    assert Config(str(tmp_path)).baseline is None
