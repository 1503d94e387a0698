"""What a quick search finds is what a walk through all containers finds."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from irlint.text.base import Path, Place, Span
from irlint.text.json import edit as json_edit
from irlint.text.json.locate import JsonLocator

KEYS = st.sampled_from(("name", "op", "x", "a b", "é", 'q"', ""))
SCALARS = st.none() | st.integers(-9, 9) | st.sampled_from(("name", "op", '"x": ', "\\", "")) | st.floats(0, 1)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)
MODELS = st.dictionaries(KEYS, OBJECTS | st.lists(OBJECTS, max_size=4), max_size=4) | st.lists(OBJECTS, max_size=4)
PARTS = ("value", "key", "member", "open")


def paths(value: Any, path: Path = ()) -> list[Path]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(p for step, child in children for p in paths(child, (*path, step)))]


@given(MODELS, st.sampled_from((None, 1)), st.sampled_from(((",", ":"), (" , ", " : "))), st.data())
def test_a_search_finds_what_a_walk_finds(
    value: Any, indent: int | None, separators: tuple[str, str], data: st.DataObject
) -> None:
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=False)
    whole = Span(0, len(text))
    quick, exact = JsonLocator(text, whole, {}, value), JsonLocator(text, whole, {})
    existing = paths(value)
    made_up = [(*path, data.draw(KEYS | st.integers(-2, 5))) for path in existing]
    for path in [*existing, *made_up]:
        for part in PARTS:
            assert quick.span(Place(path, part)) == exact.span(Place(path, part)), (path, part)
    for path in existing[1:]:
        assert json_edit.remove(quick, path) == json_edit.remove(exact, path)
        if isinstance(path[-1], str):
            assert json_edit.rename_key(quick, path, "new") == json_edit.rename_key(exact, path, "new")


def test_most_paths_are_found_quickly() -> None:
    node = {"op": "a", "name": "b", "attrs": {"pad": "(1, 1)"}, "inputs": [[0, 0], [1, 0]]}
    value = {"nodes": [node] * 5, "heads": [[4, 0]]}
    locator = JsonLocator(text := json.dumps(value), Span(0, len(text)), {}, value)
    for inner in (("attrs", "pad"), ("inputs", 1, 0), ("op",), ()):
        assert locator.near(("nodes", 3, *inner)) is not None
    assert locator.near(("nodes", 3, "pad")) is None
