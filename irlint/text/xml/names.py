"""Repairs of the names of tags: one of a pair is misspelled."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.text.base import Edit, Span
from irlint.text.xml.parse import NAME
from irlint.text.xml.scan import TAG, MarkupError, OpenElement
from irlint.text.xml.signs import SIGN, TAGS, MarkupRepair

_NAMED = re.compile(f"<(/?)({NAME})")
_NAME = re.compile(NAME)


def renames(top: OpenElement, tag: str, span: Span) -> Iterator[MarkupRepair]:
    """Yield repairs of an end tag whose name is nearly that of the open element: of the one, and of the other."""
    if not near(top.tag, tag):
        return
    for wrong, right, start in ((top.tag, tag, top.start + 1), (tag, top.tag, span.start + 2)):
        k = next(
            (k for k, pair in enumerate(zip(wrong, right, strict=False)) if pair[0] != pair[1]),
            min(len(wrong), len(right)),
        )
        rest = right[k:]
        is_dropped = rest and wrong == right[:k] + rest[1:]  # a letter is inserted again as cheaply as one is removed
        edit = Edit(Span(start + k, start + k), rest[0]) if is_dropped else Edit(Span(start, start + len(wrong)), right)
        cost = SIGN if is_dropped else TAGS
        yield MarkupRepair((edit,), cost, "", f"Rename to `{right}`", Span(start, start + len(wrong)))


def named(text: str, repair: MarkupRepair, fault: MarkupError) -> MarkupRepair:
    """Return a repair as that of a name, if all that it changes is the name of a tag."""
    (start, end), new = repair.edits[0]
    tag = _NAMED.match(text, text.rfind("<", 0, start)) if len(repair.edits) == 1 else None
    if tag is None or not tag.start(2) <= start <= end <= tag.end(2):
        return repair
    wrong, right = tag[2], text[tag.start(2) : start] + new + text[end : tag.end(2)]
    if not _NAME.fullmatch(right):
        return repair
    message, span = f"expected the tag name `{right}`, got `{wrong}`", Span(*tag.span(2))
    if tag[1]:
        message = f"`</{wrong}>` does not close `<{right}>`"
        opened = next(
            (cell for cell in fault.top.outwards() if cell.tag == right and 0 <= cell.start < span.start), None
        )
        related = [] if opened is None else [("opened here", Span(opened.start, opened.end))]
    else:
        closed = TAG.match(text, fault.at) if fault.what == "end" else None
        related = []
        if closed is not None and closed["close"] == right:
            message = f"`</{right}>` does not close `<{wrong}>`"
            related = [("closed here", Span(*closed.span()))]
    return repair._replace(message=message, title=f"Rename to `{right}`", span=span, related=tuple(related))


def near(one: str, other: str) -> bool:
    """Return whether two names differ by one letter inserted, removed or replaced, or by two letters swapped."""
    if one == other or abs(len(one) - len(other)) > 2:
        return False
    size = min(len(one), len(other))
    start = next((k for k in range(size) if one[k] != other[k]), size)
    end = next((k for k in range(size - start) if one[-1 - k] != other[-1 - k]), size - start)
    a, b = one[start : len(one) - end], other[start : len(other) - end]
    return max(len(a), len(b)) <= (2 if len(one) > 4 else 1) or a == b[::-1]
