"""Repairs of whole tags: one inserted where it was lost, or removed where it is duplicated."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.codes import R
from irlint.text.base import Edit, Span, text_end
from irlint.text.lines import indent
from irlint.text.numbers import decimal
from irlint.text.xml.grammar import ANYTHING, ElementKind
from irlint.text.xml.names import renames
from irlint.text.xml.parse import ATTRIBUTE, NAME, SPACE
from irlint.text.xml.scan import TAG, MarkupError, OpenElement, XmlMisfit
from irlint.text.xml.signs import GUESS, TAGS, MarkupRepair

_END = re.compile(f"</({NAME}){SPACE}*>")
_LINE = re.compile(r"[ \t]*\r?\n([ \t]*)(?=\r?\n)")
_EMPTY = re.compile(r"(?:^|\n)([ \t]*)\r?\n$")
_NEAR = 10_000  # characters to an element that tells what another looks like
_LEVELS = 3  # end tags that may be missing at one place


def end_tags(text: str, fault: MarkupError) -> Iterator[MarkupRepair]:
    """Yield repairs of an unmatched end tag."""
    found = _END.match(text, fault.at)
    if found is None:
        return
    tag, top, span = found[1], fault.top, Span(*found.span())
    if top.outer is None:
        yield MarkupRepair(
            (Edit(span, ""),), TAGS, f"unmatched end tag `</{tag}>`; no element is open", f"Remove `</{tag}>`", span
        )
        return
    yield from renames(top, tag, span)
    if top.holds(tag):
        between = text[fault.previous : fault.at]
        yield from closers(text, top, fault.previous + len(between.rstrip()), tag)
        return
    message = f"unmatched end tag `</{tag}>`; the open element is `<{top.tag}>`"
    is_double = text.endswith(found[0], 0, fault.at) and indent(text, top.start) is not None
    yield MarkupRepair(
        (Edit(span, ""),), TAGS if is_double else TAGS + 1, message, f"Remove `</{tag}>`", span, is_double
    )
    between = text[fault.previous : fault.at]
    places = [*(odd.at for odd in top.odd), fault.previous + len(between) - len(between.lstrip())]
    for at in places:
        yield from _start_tag(text, top, tag, at)


def closers(text: str, top: OpenElement, at: int, until: str | None) -> Iterator[MarkupRepair]:
    """Yield missing end tags: at an offset, or before the first child that does not fit."""
    tags, inner = [], top
    while inner.outer is not None and inner.tag != until:
        tags.append(inner.tag)
        inner = inner.outer
    if 0 < len(tags) <= _LEVELS:
        yield _closer(text, top, at, tags)
    if tags:
        yield from odd_ends(text, top)
    if tags and (early := _outgrown(text, top, at)) is not None:
        yield _closer(text, top, early, tags[:1])


def odd_ends(text: str, top: OpenElement) -> Iterator[MarkupRepair]:
    """Yield a missing end tag before the first child that does not fit."""
    if top.outer is not None:
        for odd in top.odd:
            tags, inner = [top.tag], top.outer
            found = TAG.match(text, odd.at)
            tag = found["tag"] if found else None
            while tag is not None and inner.outer is not None and not _takes(inner, tag) and len(tags) < _LEVELS:
                tags.append(inner.tag)
                inner = inner.outer
            yield _closer(text, top, _behind_text(text, odd), tags)
            if len(tags) > 1:
                yield _closer(text, top, _behind_text(text, odd), tags[:1])


def _behind_text(text: str, odd: XmlMisfit) -> int:
    """Return the end of what is before a misfit, text included."""
    return odd.end + len(text[odd.end : odd.at].rstrip())


def _takes(cell: OpenElement, tag: str) -> bool:
    return cell.kind.children is None or tag in cell.kind.children


def cut_off(text: str, fault: MarkupError) -> Iterator[MarkupRepair]:
    """Yield the end tags of a truncated file if the root has everything a model needs."""
    tail = text[fault.at :].rstrip()
    if fault.what != "file" and ("<" in tail[1:] or ">" in tail):
        return
    tags = [cell.tag for cell in fault.top.outwards()][:-1]
    is_begun = len(tail) > 1 and bool(tags) and f"</{tags[0]}>".startswith(tail)
    if not tags or not _is_whole(text, fault.top, {*tags[is_begun:]}):
        return
    written = "".join(f"</{tag}>" for tag in tags)
    end = len(text.rstrip())
    span = text_end(text, Span(max(end - 1, 0), end))
    edit = Edit(Span(fault.at, fault.at + len(tail)) if tail else Span(end, end), written if tail else f"\n{written}")
    message = f"unexpected end of file inside `<{tags[0]}>`"
    is_safe = len(tags) == 1 and (is_begun or not tail)
    yield MarkupRepair((edit,), TAGS, message, f"Add `{written}`", span, is_safe, R.truncated_file)


def _is_whole(text: str, top: OpenElement, still_open: set[str]) -> bool:
    """Return whether the root has the children that it needs, all of them closed."""
    root = list(top.outwards())[-2]
    wanted = root.kind.whole
    return bool(wanted) and all(
        tag not in still_open and (f"</{tag}" in text or f"<{tag}/" in text or f"<{tag} /" in text) for tag in wanted
    )


def odd_places(text: str, cell: OpenElement, odd: XmlMisfit) -> Iterator[MarkupRepair]:
    """Yield repairs at the first child that an element cannot have."""
    yield from odd_ends(text, cell)
    found = TAG.match(text, odd.at)
    if found is None or found["tag"] is None:
        return
    span = Span(*found.span())
    is_next = not text[odd.end : odd.at].strip() and odd.end == cell.end
    if is_next and found["tag"] == cell.tag and (not found["attributes"] or text.startswith(found[0], cell.start)):
        yield MarkupRepair(
            (Edit(span, ""),), TAGS, f"duplicate start tag `<{cell.tag}>`", f"Remove `{found[0][:40]}`", span
        )
    for tag, kind in (cell.kind.children or {}).items():
        if kind.children is not None and found["tag"] in kind.children:
            yield from _start_tag(text, cell, tag, odd.at)


def comments(text: str, at: int) -> Iterator[MarkupRepair]:
    """Yield ends for an unclosed comment: at the end of its line, or before the next tag."""
    if not text.startswith("<!--", at):
        return
    line = text.find("\n", at)
    line = len(text) if line < 0 else line
    tag = text.find("<", at + 4)
    span = Span(at, at + 4)
    for end in sorted({line if tag < 0 else min(line, tag), line}):
        stop = at + 4 + len(text[at + 4 : end].rstrip())
        yield MarkupRepair(
            (Edit(Span(stop, stop), " -->"),),
            TAGS,
            "unclosed comment; missing `-->`",
            "Insert `-->`",
            span,
            is_safe=False,
        )


def stray(text: str, fault: MarkupError) -> Iterator[MarkupRepair]:
    """Yield the removal of text that only looks like a tag, up to the next one."""
    end = text.find("<", fault.at + 1)
    start = fault.previous + len(text[fault.previous : fault.at]) - len(text[fault.previous : fault.at].lstrip())
    end = start + len(text[start:end].rstrip())
    if fault.at < end < fault.at + 200:
        span = Span(start, end)
        yield MarkupRepair(
            (Edit(span, ""),),
            GUESS,
            "unexpected text; expected a tag",
            "Remove the text",
            span,
            is_safe=False,
        )


def _closer(text: str, top: OpenElement, at: int, tags: list[str]) -> MarkupRepair:
    written = "".join(f"</{tag}>" for tag in tags)
    message = f"missing `{written}`; `<{tags[0]}>` is still open"
    where = Span(max(at - 1, 0), at)
    edits = (_placed(text, top, at, written) if len(tags) == 1 else Edit(Span(at, at), written),)
    return MarkupRepair(
        edits, TAGS + 2 * (len(tags) - 1), message, f"Insert `{written}`", where, is_safe=len(tags) == 1
    )


def _placed(text: str, top: OpenElement, at: int, written: str) -> Edit:
    """Return the edit that inserts an end tag, on a line of its own if the start tag has one."""
    margin = indent(text, top.start) if top.start >= 0 and "\n" in text[max(top.end, 0) : at] else None
    if margin is None:
        return Edit(Span(at, at), written)
    if left := _LINE.match(text, at):
        if left[1] == margin:
            return Edit(Span(left.end(), left.end()), written)
    return Edit(Span(at, at), f"\n{margin}{written}")


def _outgrown(text: str, top: OpenElement, limit: int) -> int | None:
    """Return where the indentation of the first child that is not deeper ends its element."""
    margin = indent(text, top.start)
    if margin is None or top.kind.text is not None:
        return None
    deeper = re.compile(rf"\r?\n[ \t]{{0,{len(margin)}}}(?=<)").search(text, top.end, limit)
    return deeper.start() if deeper else None


def _start_tag(text: str, top: OpenElement, tag: str, at: int) -> Iterator[MarkupRepair]:
    """Yield a missing start tag; its attributes follow those of the nearby elements of its name."""
    known = top.kind.children
    kind = ANYTHING if known is None else known.get(tag)
    if kind is None:
        return
    attributes = _continued(text, kind, top, tag, at) if kind.required else ""
    if attributes is None:
        return
    written = f"<{tag}{attributes}>"
    message = f"missing start tag `<{tag} ...>`" if attributes else f"missing start tag `<{tag}>`"
    title, cost = f"Insert `{written}`", GUESS if attributes else TAGS
    is_safe = not attributes and known is not None
    margin = indent(text, at)
    if margin and kind.text is None and text.startswith("<", at):  # on the line that it left empty, or a new one
        line = at - len(margin)
        empty = _EMPTY.search(text, max(line - 200, 0), line)
        if empty is not None:
            yield MarkupRepair(
                (Edit(Span(empty.end(1), empty.end(1)), written),), cost, message, title, Span(at, at + 1), is_safe
            )
            return
        written += f"\n{margin}"
    yield MarkupRepair((Edit(Span(at, at), written),), cost, message, title, Span(at, at + 1), is_safe)


def _continued(text: str, kind: ElementKind, top: OpenElement, tag: str, at: int) -> str | None:
    """Return attributes that continue the numbering of the previous element of that name, else of the next one.

    None where there is none nearby, or the schema does not define the attributes.
    """
    begin, step = f"<{tag} ", 1
    around = top.outer if top.outer is not None else top
    place = text.rfind(begin, max(around.start, at - _NEAR, 0), at)
    if place < 0:
        limit = text.find(f"</{around.tag}", at)
        place, step = text.find(begin, at, min(limit if limit >= 0 else at, at + _NEAR)), -1
    found = TAG.match(text, place) if place >= 0 else None
    if found is None or kind.attributes is None:
        return None
    pairs = []
    for name, one, other in ATTRIBUTE.findall(found["attributes"]):
        value = one or other
        if kind.attributes.get(name) is not None:
            number = decimal(value, 17)
            pairs.append((name, value if number is None else str(number + step)))
    is_known = kind.required <= dict(pairs).keys() and not any(value.startswith("-") for _, value in pairs)
    return "".join(f' {name}="{value}"' for name, value in pairs) if is_known else None
