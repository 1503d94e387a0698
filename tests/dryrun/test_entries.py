"""Rows of tables of operators: what the call of a node is by the attributes that its format reads."""

from __future__ import annotations

from typing import Any

import pytest

from irlint.dryrun.entries import Entry, Of, plain, whole
from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import FromAttr
from irlint.dryrun.tensor import Tensor

WORD = "shared/unary.Formula"


class Values(dict[str, Any]):
    def all(self) -> dict[str, Any]:
        return {**self}

    def operand(self, label: str) -> FromAttr:
        return FromAttr(label, Tensor(None, (), (self[label],)))


VALUES = Values(axis=1, size=(2, 3), off=0, on=True)


def test_keywords_are_attributes_what_is_made_of_them_and_what_is_fixed() -> None:
    assert plain(WORD, "axis", least=1).call(VALUES).attrs == {"axis": 1, "least": 1}
    assert whole(WORD).call(VALUES).attrs == VALUES
    row = whole(WORD).having({"axis": ("axis",), "height": Of("size", min)}, least=1)
    assert row.call(VALUES).attrs == {**VALUES, "axis": (1,), "height": 2, "least": 1}


def test_errors_are_about_the_attribute_that_a_keyword_is_made_of() -> None:
    row = Entry(
        WORD, {"axes": ("axis",), "height": Of("size", min), "both": lambda v: v["on"]}, blame={"both": ("on", "off")}
    )
    keys = row.call(VALUES).keys
    assert [keys.get(keyword, keyword) for keyword in ("axes", "height", "both", "other")] == [
        "axis",
        "size",
        "on",
        "other",
    ]


def test_operands_are_inputs_and_attributes() -> None:
    origins = Entry(WORD, operands=(0, "axis", None)).call(VALUES).inputs
    assert origins is not None
    assert [origin.key if isinstance(origin, FromAttr) else origin for origin in origins] == [0, "axis", None]


def test_messages_name_settings_and_inputs_as_the_format_does() -> None:
    call = Entry(WORD, {"shape": "size"}, ports=("a",), operands=(0,)).call(VALUES)
    assert call.spelled("`shape` of `data`") == "`size` of `a`"
    assert Entry(WORD, {"shape": "size"}).call(VALUES).spelled("`shape` of `data`") == "`shape` of `data`"


def test_of_some_attributes_nothing_is_known() -> None:
    assert plain(WORD)._replace(unless=("off",)).call(VALUES).attrs == {}
    with pytest.raises(Undecided):
        plain(WORD)._replace(unless=("off", "on")).call(VALUES)
