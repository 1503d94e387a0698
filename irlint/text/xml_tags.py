"""Repairs of whole tags: one put in where it was lost, taken out where it is there twice, or renamed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.codes import R
from irlint.text.base import Edit, Span, text_end
from irlint.text.xml_grammar import ANYTHING, Kind
from irlint.text.xml_parse import ATTRIBUTE, NAME, SPACE
from irlint.text.xml_scan import TAG, Fault, Odd, Open
from irlint.text.xml_signs import GUESS, TAGS, Repair

_END = re.compile(f"</({NAME}){SPACE}*>")
_LINE = re.compile(r"[ \t]*\r?\n([ \t]*)(?=\r?\n)")
_EMPTY = re.compile(r"(?:^|\n)([ \t]*)\r?\n$")
_NEAR = 10_000  # characters to an element that tells what another looks like
_LEVELS = 3  # end tags that may be missing at one place


def end_tags(text: str, fault: Fault) -> Iterator[Repair]:
    """Repairs of an end tag that closes nothing which is open here."""
    found = _END.match(text, fault.at)
    if found is None:
        return
    tag, top, span = found[1], fault.top, Span(*found.span())
    if top.outer is None:
        yield Repair(
            (Edit(span, ""),), TAGS, f"</{tag}> closes nothing: no element is open here", f"Delete `</{tag}>`", span
        )
        return
    yield from _renamed(top, tag, span)
    if top.holds(tag):
        between = text[fault.previous : fault.at]
        yield from closers(text, top, fault.previous + len(between.rstrip()), tag)
        return
    message = f"</{tag}> closes nothing: the open element is <{top.tag}>"
    is_double = text.endswith(found[0], 0, fault.at) and _indent(text, top.start) is not None
    yield Repair((Edit(span, ""),), TAGS if is_double else TAGS + 1, message, f"Delete `</{tag}>`", span, is_double)
    between = text[fault.previous : fault.at]
    places = [*(odd.at for odd in top.odd), fault.previous + len(between) - len(between.lstrip())]
    if (begun := _begun(text, fault.at, top)) is not None:
        places.append(begun)
    for at in places:
        yield from _start_tag(text, top, tag, at)


def closers(text: str, top: Open, at: int, until: str | None) -> Iterator[Repair]:
    """Missing end tags: at an offset, or before the first child that does not fit."""
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


def odd_ends(text: str, top: Open) -> Iterator[Repair]:
    """A missing end tag before the first child that does not fit."""
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


def _behind_text(text: str, odd: Odd) -> int:
    """The end of what is before a misfit, text included."""
    return odd.end + len(text[odd.end : odd.at].rstrip())


def _takes(cell: Open, tag: str) -> bool:
    return cell.kind.children is None or tag in cell.kind.children


def cut_off(text: str, fault: Fault) -> Iterator[Repair]:
    """End tags of a file that ends too soon, if all that makes a model has been read before."""
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
    message = f"the file ends inside <{tags[0]}>, which is never closed"
    is_safe = len(tags) == 1 and (is_begun or not tail)
    yield Repair((edit,), TAGS, message, f"Append `{written}`", span, is_safe, R.truncated_file)


def _is_whole(text: str, top: Open, still_open: set[str]) -> bool:
    """Whether the root has the children that it needs, all of them closed."""
    root = list(top.outwards())[-2]
    wanted = root.kind.whole
    return bool(wanted) and all(
        tag not in still_open and (f"</{tag}" in text or f"<{tag}/" in text or f"<{tag} /" in text) for tag in wanted
    )


def odd_places(text: str, cell: Open, odd: Odd) -> Iterator[Repair]:
    """Repairs where the first child is that an element cannot have."""
    yield from odd_ends(text, cell)
    found = TAG.match(text, odd.at)
    if found is None or found["tag"] is None:
        return
    span = Span(*found.span())
    is_next = not text[odd.end : odd.at].strip() and odd.end == cell.end
    if is_next and found["tag"] == cell.tag and (not found["attributes"] or text.startswith(found[0], cell.start)):
        yield Repair((Edit(span, ""),), TAGS, f"<{cell.tag}> begins twice", f"Delete `{found[0][:40]}`", span)
    for tag, kind in (cell.kind.children or {}).items():
        if kind.children is not None and found["tag"] in kind.children:
            yield from _start_tag(text, cell, tag, odd.at)


def comments(text: str, at: int) -> Iterator[Repair]:
    """The end of a comment that has none: of its line, or before the next tag."""
    if not text.startswith("<!--", at):
        return
    line = text.find("\n", at)
    line = len(text) if line < 0 else line
    tag = text.find("<", at + 4)
    span = Span(at, at + 4)
    for end in sorted({line if tag < 0 else min(line, tag), line}):
        stop = at + 4 + len(text[at + 4 : end].rstrip())
        yield Repair(
            (Edit(Span(stop, stop), " -->"),),
            TAGS,
            "this comment is never closed by `-->`",
            "Insert `-->`",
            span,
            is_safe=False,
        )


def stray(text: str, fault: Fault) -> Iterator[Repair]:
    """Text that only looks like a tag, up to the next one."""
    end = text.find("<", fault.at + 1)
    start = fault.previous + len(text[fault.previous : fault.at]) - len(text[fault.previous : fault.at].lstrip())
    end = start + len(text[start:end].rstrip())
    if fault.at < end < fault.at + 200:
        span = Span(start, end)
        yield Repair(
            (Edit(span, ""),),
            GUESS,
            "this is neither a tag nor text that belongs here",
            "Delete it",
            span,
            is_safe=False,
        )


def _renamed(top: Open, tag: str, span: Span) -> Iterator[Repair]:
    if not near(top.tag, tag):
        return
    start, end = Span(top.start + 1, top.start + 1 + len(top.tag)), Span(span.start + 2, span.start + 2 + len(tag))
    for wrong, right, where in ((top.tag, tag, start), (tag, top.tag, end)):
        message = f"<{wrong}> does not agree with <{right}>, which begins or ends the same element"
        yield Repair((Edit(where, right),), TAGS, message, f"Rename to `{right}`", where)


def near(one: str, other: str) -> bool:
    """Whether one letter more, less or other, or two exchanged, make one name of another."""
    if one == other or abs(len(one) - len(other)) > 2:
        return False
    size = min(len(one), len(other))
    start = next((k for k in range(size) if one[k] != other[k]), size)
    end = next((k for k in range(size - start) if one[-1 - k] != other[-1 - k]), size - start)
    a, b = one[start : len(one) - end], other[start : len(other) - end]
    return max(len(a), len(b)) <= (2 if len(one) > 4 else 1) or a == b[::-1]


def _closer(text: str, top: Open, at: int, tags: list[str]) -> Repair:
    written = "".join(f"</{tag}>" for tag in tags)
    message = f"missing `{written}`: <{tags[0]}> is still open here"
    where = Span(max(at - 1, 0), at)
    edits = (_placed(text, top, at, written) if len(tags) == 1 else Edit(Span(at, at), written),)
    return Repair(edits, TAGS + 2 * (len(tags) - 1), message, f"Insert `{written}`", where, is_safe=len(tags) == 1)


def _indent(text: str, at: int) -> str | None:
    """The blanks before a token; None if it does not begin its line."""
    line = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    before = text[line:at]
    return None if before.strip() else before


def _placed(text: str, top: Open, at: int, written: str) -> Edit:
    """The end tag on a line of its own if the start tag has one: the empty one that it may have left, or a new one."""
    indent = _indent(text, top.start) if top.start >= 0 and "\n" in text[max(top.end, 0) : at] else None
    if indent is None:
        return Edit(Span(at, at), written)
    if left := _LINE.match(text, at):
        if left[1] == indent:
            return Edit(Span(left.end(), left.end()), written)
    return Edit(Span(at, at), f"\n{indent}{written}")


def _outgrown(text: str, top: Open, limit: int) -> int | None:
    """Where the first child ends its element by its indentation."""
    indent = _indent(text, top.start)
    if indent is None or top.kind.text is not None:
        return None
    deeper = re.compile(rf"\r?\n[ \t]{{0,{len(indent)}}}(?=<)").search(text, top.end, limit)
    return deeper.start() if deeper else None


def _begun(text: str, at: int, top: Open) -> int | None:
    """Where the lines begin that are deeper than an end tag and lead up to it."""
    indent = _indent(text, at)
    if indent is None or top.kind.children is not None:
        return None
    place, line = None, at - len(indent)
    while line > max(top.end, 0):
        before = text.rfind("\n", 0, line - 1) + 1
        content = text[before:line]
        depth = len(content) - len(content.lstrip())
        if before <= top.start or (content.strip() and depth <= len(indent)):
            break
        if content.strip():
            place = before + depth
        line = before
    return place


def _start_tag(text: str, top: Open, tag: str, at: int) -> Iterator[Repair]:
    """A missing start tag; what attributes it must have is told by the elements of its name around it."""
    known = top.kind.children
    kind = ANYTHING if known is None else known.get(tag)
    if kind is None:
        return
    attributes = _continued(text, kind, top, tag, at) if kind.required else ""
    if attributes is None:
        return
    written = f"<{tag}{attributes}>"
    message = f"missing `<{tag} ...>` before this" if attributes else f"missing `<{tag}>` before this"
    title, cost = f"Insert `{written}`", GUESS if attributes else TAGS
    is_safe = not attributes and known is not None
    indent = _indent(text, at)
    if indent and kind.text is None and text.startswith("<", at):  # on the line that it left empty, or a new one
        line = at - len(indent)
        empty = _EMPTY.search(text, max(line - 200, 0), line)
        if empty is not None:
            yield Repair(
                (Edit(Span(empty.end(1), empty.end(1)), written),), cost, message, title, Span(at, at + 1), is_safe
            )
            return
        written += f"\n{indent}"
    yield Repair((Edit(Span(at, at), written),), cost, message, title, Span(at, at + 1), is_safe)


def _continued(text: str, kind: Kind, top: Open, tag: str, at: int) -> str | None:
    """Attributes as the last element of that name around has them, with numbers that go on; else as the next has them.

    None where there is none to go by, or the schema does not say what values look like.
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
            pairs.append((name, str(int(value) + step) if value.isdecimal() and len(value) < 18 else value))
    is_known = kind.required <= dict(pairs).keys() and not any(value.startswith("-") for _, value in pairs)
    return "".join(f' {name}="{value}"' for name, value in pairs) if is_known else None
