"""Values of other kinds in files about models are findings or nothing, and never an error of irlint."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from odd_values import mutated
from ruamel.yaml import YAML

from companions import TABLES
from companions.planted import write
from irlint import engine
from irlint.settings import Settings

_ENDINGS = (".json", ".yaml", ".yml")
_EACH = 30


def _trees(name: str) -> list[tuple[str, dict[str, str | bytes], Any]]:
    """Return the files about models that are JSON or YAML, each with its folder and its value."""
    rows = {(one.at, id(one.files)): one for one in TABLES[name].PLANTED if one.at.endswith(_ENDINGS)}
    return [(one.at, one.files, _plain(one.files[one.at])) for one in rows.values()]


def _plain(text: str | bytes) -> Any:
    """Return a value with texts as keys, as JSON has them."""
    return json.loads(json.dumps(YAML(typ="safe").load(text), default=str))


@pytest.mark.parametrize("name", TABLES)
def test_odd_values_are_no_errors_of_irlint(name: str, tmp_path: Path) -> None:
    chance, known = Random(name), _trees(name)
    others = [tree for _, _, tree in known]
    for k, (at, files, tree) in enumerate(known):
        write(files, tmp_path / str(k))
        path = tmp_path / str(k) / at
        for _ in range(_EACH):
            text = json.dumps(mutated(tree, chance, others), default=str)
            result = engine.lint(text, str(path), Settings(), path=path)
            assert not result.failed, text
