"""Fixes of the numbering: ids and the references to them rewritten together."""

from __future__ import annotations

from collections.abc import Callable

from irlint.findings import Fix
from irlint.formats.glacier.numbering import Fault
from irlint.text.base import Document, Edit, Place
from irlint.text.listing import ListingDocument


def renumber(fault: Fault, meant: list[int | None]) -> Callable[[Document], Fix | None]:
    """The repair of one fault; None where a reference would be left without its node."""

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, ListingDocument)
        if fault.kind == "changed" and meant[fault.row] is not None:
            edit = Edit(document.span(Place((fault.row, "id"))), str(fault.expected))
            return Fix(f"renumber this line {fault.expected}", (edit,), "unsafe")
        if fault.kind == "swapped":
            first, second = document.line_span(fault.row), document.line_span(fault.row + 1)
            text = document.text
            edits = (Edit(first, text[second.start : second.end]), Edit(second, text[first.start : first.end]))
            return Fix("exchange the two lines", edits, "unsafe")
        if fault.kind == "gap":
            return _close_gap(document, fault, meant)
        return None

    return fix


def _close_gap(document: ListingDocument, fault: Fault, meant: list[int | None]) -> Fix | None:
    """Every id from the gap on, and every reference to one, moves down by the size of the gap."""
    found = meant[fault.row]
    assert found is not None
    size = found - fault.expected
    edits: list[Edit] = []
    for row, line in enumerate(document.rows):
        own = line.id
        if own is not None and own >= found:
            edits.append(Edit(document.span(Place((row, "id"))), str(own - size)))
        for position, item in enumerate(line.inputs):
            if not isinstance(item, int) or item < fault.expected:
                continue
            if item < found:
                return None
            edits.append(Edit(document.span(Place((row, "inputs", position))), str(item - size)))
    return Fix("renumber the lines below and the inputs that name them", tuple(edits), "unsafe")
