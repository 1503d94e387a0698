"""Words that are looked up by their slips."""

from __future__ import annotations

import pytest

from irlint.tools.names import Slips

WORDS = ("value_17", "value_7", "value_1", "conv.weight", "conv.bias", "layer9", "a")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("valu_17", "value_17"),
        ("value_177", "value_17"),
        ("valeu_7", "value_7"),
        ("conv.weigth", "conv.weight"),
        ("Conv_Weight", "conv.weight"),
        ("conv.wght", None),
        ("conv.bia", "conv.bias"),
        ("b", None),
    ],
)
def test_a_slip_finds_the_only_word_that_is_near(word: str, meant: str | None) -> None:
    assert Slips(WORDS).near(word) == meant
