"""A layer is renamed with all that refers to it, in both eras."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irlint import engine
from irlint.formats.base import by_name
from irlint.formats.keras.samples import KERAS_2, KERAS_3
from irlint.text.base import apply


def renamed(text: str, old: str, at: str, new: str) -> str:
    """Return a text in which the name at the end of some text was renamed."""
    result = engine.lint(text, "config.json")
    assert result.model is not None
    format_ = by_name("keras")
    assert format_ is not None
    navigation = format_.navigation()
    target = navigation.referent(result.model, text.index(f'{at}"{old}"') + len(at) + 2)
    assert target is not None
    return apply(text, navigation.rename(result.model, target, new).edits)


@pytest.mark.parametrize("text", [KERAS_2, KERAS_3])
@pytest.mark.parametrize("name", ["image", "hidden", "scores"])
@pytest.mark.parametrize("at", ['"name": ', "["])
def test_a_layer_is_renamed_everywhere(text: str, name: str, at: str) -> None:
    assert renamed(text, name, at, "other") == text.replace(f'"{name}"', '"other"')


def test_a_shared_layer_has_one_name() -> None:
    value = json.loads(KERAS_2)
    layers: list[dict[str, Any]] = value["config"]["layers"]
    layers[1]["config"]["units"] = 8
    layers[1]["inbound_nodes"] = [[["image", 0, 0, {}]], [["hidden", 0, 0, {}]]]
    layers[2]["inbound_nodes"] = [[["hidden", 1, 0, {}]]]
    text = json.dumps(value)
    assert engine.lint(text, "config.json").findings == []
    assert renamed(text, "hidden", "[[[", "tower") == text.replace('"hidden"', '"tower"')
