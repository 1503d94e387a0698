"""A key or attribute whose name became that of another one beside it is one finding, at that key or beside it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from rule_cases.texts import LIGHTNET, SYMBOL

from irlint.engine import lint
from irlint.findings import Severity

IR = Path(__file__).resolve().parent.parent / "examples" / "openvino" / "digits.xml"
KEYS = {
    "a.json": {"ops": ("name", "optype", "tensors_in", "tensors_out", "params")},
    "a-symbol.json": {"nodes": ("op", "name", "inputs")},
}
WHOLE = {"a.json": LIGHTNET, "a-symbol.json": SYMBOL}


def _written(value: Any) -> str:
    """JSON of pairs: keys may stand twice."""
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{json.dumps(key)}: {_written(inner)}" for key, inner in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return json.dumps(value)


@pytest.mark.parametrize("name", KEYS)
def test_every_key_by_every_other(name: str) -> None:
    root = dict(json.loads(WHOLE[name], object_pairs_hook=tuple))
    ((listed, keys),) = KEYS[name].items()
    assert not _errors(_written(tuple(root.items())), name)
    for index in range(len(root[listed])):
        for lost in keys:
            for twice in keys:
                if lost == twice:
                    continue
                item = tuple((twice if key == lost else key, inner) for key, inner in root[listed][index])
                changed = [item if k == index else other for k, other in enumerate(root[listed])]
                text = _written(tuple({**root, listed: changed}.items()))
                found = _errors(text, name)
                assert [f.name for f in found] == ["missing-key"], (index, lost, twice, found)
                assert text[slice(*found[0].span)] == f'"{twice}"'
                repaired = found[0].fix
                assert repaired is not None
                assert [edit.text for edit in repaired.edits] == [f'"{lost}"']


def _errors(text: str, name: str) -> list[Any]:
    return [f for f in lint(text, name).findings if f.severity > Severity.INFO and f.code != "W001"]


def test_the_one_that_is_of_the_wanted_kind() -> None:
    text = SYMBOL.replace('"name"', '"inputs"', 1) if '"name"' in SYMBOL else ""
    (found,) = _errors(text, "a-symbol.json")
    assert text[found.span[0] :].partition(":")[2].lstrip().startswith('"')  # the text, not the list, is the name


def test_attributes_of_an_ir() -> None:
    text, pick = IR.read_text(), random.Random(4)
    tags = list(re.finditer(r"<(?:layer|edge) [^>]*>", text))
    for tag in tags:
        names = [match[1] for match in re.finditer(r"([\w-]+)=", tag[0]) if match[1] != "version"]
        lost, twice = pick.sample(names, 2)
        changed = tag[0].replace(f" {lost}=", f" {twice}=")
        found = _errors(text[: tag.start()] + changed + text[tag.end() :], "digits.xml")
        assert [f.name for f in found] == ["missing-key"], (changed, found)
        assert text.count("\n", 0, tag.start()) == text.count("\n", 0, found[0].span[0])
