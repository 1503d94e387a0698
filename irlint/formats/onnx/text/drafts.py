"""Edits that make a changed tree of a tree: a record of the text is spelled again, and only what differs is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irlint.files.unified import equal_ends
from irlint.formats.onnx.text.show import FUNCTION_HEADER, HEADER, INDENT, record_text
from irlint.formats.onnx.text.tokens import tokens
from irlint.text.base import Edit, Path, Span
from irlint.text.patterns import later

if TYPE_CHECKING:
    from irlint.formats.onnx.text.document import OnnxDocument

_SPELLED = frozenset((  # records that are changed
    "node", "initializer", "attribute_proto", "input", "output", "value_info", "ir_version", "opset_import", "metadata_props", "name",
))  # fmt: skip
_BRACKETS = {"input": "()", "output": "()", "initializer": "<>", "value_info": "<>"}
_MOST_SPELLED = 300_000  # characters: each of the many mistakes of a large node would be spelled with all others
_COMMA_AFTER = later(r"[ \t\r\n]*,[ \t\r\n]*")
_BLANK = " \t\r\n"


def changed(document: OnnxDocument, path: Path, value: Any) -> tuple[Edit, ...]:
    """Return the edit after which the part at a path has another value; none if the text cannot show it."""
    record = document.record(path)
    if record is None:
        return _header(document, path, value) if path[-1:] and path[-1] in HEADER else ()
    span = document.records[record]
    document.spelled += span.end - span.start
    if not _has_room(document):
        return ()
    tree = document.value_at(record)
    new = spelled(record, with_part(tree, path[len(record) :], value))
    return () if new is None else _respelled(document.text, span, spelled(record, tree) or "", new)


def _has_room(document: OnnxDocument) -> bool:
    """Return whether another record may be spelled again."""
    return document.spelled <= _MOST_SPELLED + 4 * len(document.text)


def inserted(document: OnnxDocument, path: Path, value: Any) -> tuple[Edit, ...]:
    """Return the edit after which a list has one more item, at the index in which the path ends."""
    items, k = document.value_at(path[:-2]).get(path[-2], []), int(path[-1])
    if document.record(path[:-1]) is not None:
        return changed(document, path[:-1], [*items[:k], value, *items[k:]]) if _has_room(document) else ()
    if path[-2] == "opset_import":
        return _header(document, path[:-1], [value])
    text = spelled(path, value)
    near = document.records.get(path if k < len(items) else (*path[:-1], k - 1))
    if text is None or near is None:
        return _first(document, path, text) if text is not None and not items else ()
    separator = ("" if path[-2] == "node" else ",") + _break(document.text, near.start)
    if k < len(items):
        return (Edit(Span(near.start, near.start), f"{text}{separator}"),)
    return (Edit(Span(near.end, near.end), f"{separator}{text}"),)


def removed(document: OnnxDocument, path: Path) -> tuple[Edit, ...]:
    """Return the edit that removes an item of a list."""
    items, k = document.value_at(path[:-1]), int(path[-1])
    if document.record(path[:-1]) is not None:
        return changed(document, path[:-1], [*items[:k], *items[k + 1 :]]) if _has_room(document) else ()
    if path[-2] == "functions":
        return _without_function(document, k, k + 1 == len(items))
    if (span := document.records.get(path)) is None:
        return ()
    if path[-2] == "node":
        return (Edit(_lines(document.text, span), ""),)
    found = _item(document.text, span, _BRACKETS.get(str(path[-2]), ""))
    return () if found is None else (Edit(found, ""),)


def _lines(text: str, span: Span) -> Span:
    """Return the whole lines of a node; if it shares them, the node and the blanks after it."""
    begin, stop = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    if stop >= 0 and not text[begin : span.start].strip() and not text[span.end : stop].strip():
        return Span(begin, stop + 1)
    return Span(span.start, _after(text, span.end))


def _item(text: str, span: Span, brackets: str) -> Span | None:
    """Return an item of a list with its comma; the only one with the brackets that need not be there."""
    if comma := _COMMA_AFTER.match(text, span.end):
        return Span(span.start, comma.end())
    before, after = _before(text, span.start), _after(text, span.end)
    if text[before - 1 : before] == ",":
        return Span(before - 1, span.end)
    if text[before - 1 : before] + text[after : after + 1] != brackets:
        return None
    return Span(before, after) if brackets == "()" else Span(_before(text, before - 1), after + 1)


def _before(text: str, at: int) -> int:
    """Return where the blanks before an offset begin."""
    while at > 0 and text[at - 1] in _BLANK:
        at -= 1
    return at


def _after(text: str, at: int) -> int:
    """Return where the blanks after an offset end."""
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _break(text: str, start: int) -> str:
    """Return what is between items that are laid out as one: a line break with its indentation, or a blank."""
    begin = text.rfind("\n", 0, start) + 1
    indent = text[begin:start]
    return f"\n{indent}" if begin and not indent.strip() else " "


def _without_function(document: OnnxDocument, k: int, is_last: bool) -> tuple[Edit, ...]:
    start = _function_start(document, k)
    end = len(document.text) if is_last else _function_start(document, k + 1)
    if start is None or end is None:
        return ()
    blank = is_last and document.text.endswith("\n\n", 0, start)
    return (Edit(Span(start - blank, end), ""),)


def _function_start(document: OnnxDocument, k: int) -> int | None:
    """Return where the text of a function starts: at its header, if it has one."""
    starts = [span.start for path, span in document.records.items() if path[:2] == ("functions", k)]
    if not starts:
        return None
    first = min(starts)
    name = document.records.get(("functions", k, "name"))
    return first if name is not None and name.start == first else document.text.rfind("<", 0, first)


def _header(document: OnnxDocument, path: Path, value: Any) -> tuple[Edit, ...]:
    """Return the edit that adds a line to the header of a model or a function, which may have none yet."""
    if value is None:
        return ()
    *home, key = path
    text, line = document.text, record_text(str(key), value)
    order = FUNCTION_HEADER if home else HEADER
    rows = {at: span for name in order if (span := document.records.get(at := (*home, name))) is not None}
    earlier = [span for at, span in rows.items() if order.index(str(at[-1])) < order.index(str(key))]
    if earlier:
        last = max(earlier)
        return (Edit(Span(last.end, last.end), f",{_break(text, last.start)}{line}"),)
    if rows:
        first = min(rows.values())
        return (Edit(Span(first.start, first.start), f"{line},{_break(text, first.start)}"),)
    start = _function_start(document, int(home[-1])) if home else 0
    return () if start is None else (Edit(Span(start, start), f"<\n{INDENT}{line}\n>\n"),)


def _first(document: OnnxDocument, path: Path, text: str) -> tuple[Edit, ...]:
    """Return the edit that fills an empty list of a graph's inputs or outputs."""
    name = document.records.get((*path[:-2], "name"))
    sign = {"input": " (", "output": " => ("}.get(str(path[-2]))
    if name is None or sign is None:
        return ()
    at = document.text.find(f"{sign})", name.end) + len(sign)
    row = f"\n{INDENT}{text}\n" if "\n" in document.text else text
    return (Edit(Span(at, at), row),) if at >= len(sign) else ()


def spelled(record: Path, tree: Any) -> str | None:
    """Return the text of a record; None if it is of a kind that is never changed."""
    kind = str(record[-2] if isinstance(record[-1], int) else record[-1])
    return record_text(kind, tree) if kind in _SPELLED else None


def _respelled(text: str, span: Span, usual: str, new: str) -> tuple[Edit, ...]:
    """Return the edit that makes a record say something else; `usual` is how it is spelled by us.

    A text by other hands has other blanks, and bits of floats: there, tokens are replaced.
    """
    old = text[span.start : span.end]
    if old != usual:
        own, others, wanted = tokens(old), tokens(usual), tokens(new)
        if len(own) == len(others):
            words, goals = [usual[a:b] for a, b in others], [new[a:b] for a, b in wanted]
            head, tail = equal_ends(words, goals)
            piece = Span(own[head - 1].end if head else 0, own[-tail].start if tail else len(old))
            usual = new[wanted[head - 1].end if head else 0 : wanted[-tail].start if tail else len(new)]
            return _trimmed(text, Span(span.start + piece.start, span.start + piece.end), usual)
    return _trimmed(text, span, new)


def _trimmed(text: str, span: Span, new: str) -> tuple[Edit, ...]:
    """Return the edit that replaces a part of a text, without what it has in common with the new one."""
    old = text[span.start : span.end]
    head, tail = equal_ends(old, new)
    if old == new or "#" in old[head : len(old) - tail]:  # a comment, perhaps, which nobody would miss until later
        return ()
    return (Edit(Span(span.start + head, span.end - tail), new[head : len(new) - tail]),)


def with_part(tree: Any, path: Path, value: Any) -> Any:
    """Return a copy of a tree with another value at a path; None removes a key."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(tree, list) and isinstance(step, int):
        return [*tree[:step], with_part(tree[step], rest, value), *tree[step + 1 :]]
    if not rest and value is None:
        return {key: part for key, part in tree.items() if key != step}
    return {**tree, step: with_part(tree.get(step), rest, value)}
