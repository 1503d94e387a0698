"""Listings: names come back as they were written, and line breaks in the wrong places are one trouble with its repair."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irlint.text.base import apply
from irlint.text.listing.document import ListingDocument
from irlint.text.listing.line import Item, LineReader

NODES = ["0 null []", "1 conv2d [0, 'a_weight', \"it's\"]", "2 nn.relu [1]", "3 add [1, 2, 'x\\'y']", "4 null []"]


def rows(text: str) -> list[object]:
    return [(row.id, row.op, row.inputs) for row in ListingDocument(text, "a.txt").rows]


@given(st.lists(st.text(max_size=5) | st.text("a\n\r\t\\'\"\x07\0é\x7f\U0001f600", max_size=5), min_size=1, max_size=3))
def test_names_are_read_as_python_writes_them(names: list[str]) -> None:
    document = ListingDocument(f"0 add {names!r}\n", "a.txt")
    assert document.rows[0].inputs == names
    assert not [trouble for trouble in document.troubles if trouble.level is None]


@pytest.mark.parametrize("node", range(len(NODES)))
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n    "])
def test_a_node_torn_anywhere_is_one_trouble(node: int, end: str) -> None:
    whole = rows("\n".join(NODES))
    mended = 0
    for at in range(1, len(NODES[node])):
        torn = NODES[node][:at] + end + NODES[node][at:]
        text = end.strip(" ").join([*NODES[:node], torn, *NODES[node + 1 :]])
        document = ListingDocument(text, "a.txt")
        assert document.troubles, text
        if document.troubles[0].title.startswith("Remove the line break"):
            (trouble,) = document.troubles
            assert trouble.edits is not None
            repaired = apply(text, trouble.edits())
            assert rows(repaired) == whole
            assert [(row.id, row.op) for row in document.rows] == [(row[0], row[1]) for row in whole]  # type: ignore[index]
            mended += 1
    assert mended >= 3 or node in (0, 2, 4)


@pytest.mark.parametrize("between", [" ", "", ", ", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_nodes_on_one_line_are_one_trouble(between: str, end: str) -> None:
    for first in range(len(NODES) - 1):
        for last in range(first + 2, len(NODES) + 1):
            text = end.join([*NODES[:first], between.join(NODES[first:last]), *NODES[last:], ""])
            document = ListingDocument(text, "a.txt")
            (trouble,) = document.troubles
            assert text[slice(*trouble.span)] == NODES[first + 1]
            assert trouble.message.startswith(f"expected one node per line, got {last - first};")
            assert trouble.edits is not None
            if end in text[: text.index(NODES[first])] or end in text.rstrip():
                assert apply(text, trouble.edits()) == end.join([*NODES, ""])
            assert rows(text) == rows("\n".join(NODES))
            for k, row in enumerate(document.rows):
                assert text[slice(*document.line_span(k))] == NODES[row.id or 0]


@pytest.mark.parametrize("rest", ["0]", "0 1]", "0']", "0", "0] xx"])
def test_of_a_long_broken_line_only_what_is_wrong_is_read_token_by_token(
    rest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = 0
    item = LineReader._item

    def counted(self: LineReader) -> Item:
        nonlocal read
        read += 1
        return item(self)

    monkeypatch.setattr(LineReader, "_item", counted)
    text = f"0 Var []\n1 concat [{'0, ' * 5000}0' , {'0, ' * 5000}{rest}\n"
    document = ListingDocument(text)
    assert len(document.rows[1].inputs) >= 10_002
    assert read < 10
