"""Repairs of broken markup: one finding at its place, whose fix restores what was there."""

from __future__ import annotations

import re

import pytest
from rule_cases.texts import OPENVINO

from irlint.formats.openvino import FORMAT
from irlint.text.base import apply


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('version="11"', 'version"11"'), ('id="0"', 'id=0"'), ('id="0"', 'id="0'), ('id="0"', "id=0"), ('id="0"', "id=“0”"), ("</dim>", "/dim>"),
        ("<dim>", "dim>"), ("</dim>", "<dim>"), ("</dim>", ""), ("<dim>", ""), ("<port", "<<port"), ("</port>", "</prot>"), ("<port", "<prt"), ("</port>", ""),
        ("<output>", ""), ("</output>", ""), ("<output>", "<output"), ("</layer>", ""), ("<layers>", ""), ("</layers>", ""), ("<edges>", ""), ("</edges>", ""),
        ("</net>", ""), ("</net>", "</ne"), ('id="0"', 'id="0" %'), ("/>", ">"), ("<dim>", "d<im>"),
    ],
)  # fmt: skip
def test_what_was_lost_is_put_back(old: str, new: str) -> None:
    broken = OPENVINO.replace(old, new, 1)
    assert broken != OPENVINO
    document = FORMAT.open(broken, "x.xml")
    (trouble,) = document.troubles
    assert trouble.edits is not None
    assert trouble.safety == "safe"
    at = OPENVINO.index(old)
    assert abs(document.lines.position(trouble.span.start).line - OPENVINO.count("\n", 0, at) - 1) <= 1
    assert re.sub(r"\s", "", apply(broken, trouble.edits())) == re.sub(r"\s", "", OPENVINO)


def test_a_digit_that_may_have_been_typed_or_moved_is_a_guess() -> None:
    (trouble,) = FORMAT.open(OPENVINO.replace("</dim>", "<1/dim>", 1), "x.xml").troubles
    assert trouble.safety == "unsafe" or trouble.edits is None


@pytest.mark.parametrize(
    ("old", "new", "message", "note", "title"),
    [
        ("</dim>", "</dims>", "`</dims>` does not close `<dim>`", "opened here", "Rename to `dim`"),
        ("</layer>", "</layers>", "`</layers>` does not close `<layer>`", "opened here", "Rename to `layer`"),
        ("<output>", "<outputs>", "`</output>` does not close `<outputs>`", "closed here", "Rename to `output`"),
        ("<dim>", "<dm>", "`</dim>` does not close `<dm>`", "closed here", "Rename to `dim`"),
    ],
)
def test_tags_that_do_not_match_are_shown_together(old: str, new: str, message: str, note: str, title: str) -> None:
    (trouble,) = FORMAT.open(OPENVINO.replace(old, new, 1), "x.xml").troubles
    assert (trouble.message, trouble.title, trouble.safety) == (message, title, "safe")
    assert [text for text, _ in trouble.related] == [note]


@pytest.mark.parametrize(
    ("start", "end"), [("runtime_option", "runtime_options"), ("runtime_options", "runtime_option")]
)
def test_of_two_names_that_nobody_knows_the_longer_is_more_likely(start: str, end: str) -> None:
    """A letter is lost more often than one is added, and the contents of the element are read by its name."""
    info = f'<rt_info><{start}><KV value="f16"/></{end}><a value="1"/></rt_info>'
    (trouble,) = FORMAT.open(OPENVINO.replace("<rt_info/>", info), "x.xml").troubles
    assert (trouble.message, trouble.safety) == (f"`</{end}>` does not close `<{start}>`", "unsafe")
    assert trouble.title == "Rename to `runtime_options`"
