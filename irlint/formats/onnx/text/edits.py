"""Edits that make a changed tree of a tree: a record of the text is spelled again, and only what differs is replaced."""

from __future__ import annotations

from typing import Any

from irlint.files.unified import equal_ends
from irlint.formats.onnx.text.printer import FUNCTION_HEADER, HEADER, INDENT, record_text
from irlint.formats.onnx.text.tokens import tokens
from irlint.text.base import Edit, Path, Span
from irlint.tools import later

_SPELLED = frozenset((  # records that are changed
    "node", "initializer", "attribute_proto", "input", "output", "value_info", "ir_version", "opset_import", "metadata_props", "name",
))  # fmt: skip
_BRACKETS = {"input": "()", "output": "()", "initializer": "<>", "value_info": "<>"}
_MOST_SPELLED = 300_000  # characters: each of the many mistakes of a large node would be spelled with all others
_COMMA_AFTER = later(r"[ \t\r\n]*,[ \t\r\n]*")
_BLANK = " \t\r\n"


class TextEdits:
    """Makes the edits of one document."""

    def __init__(self, document: Any) -> None:
        self.document, self.text = document, str(document.text)
        self.records: dict[Path, Span] = document.records
        self._spelled = 0  # characters of records that have been spelled again

    @property
    def _has_room(self) -> bool:
        """Whether another record may be spelled again."""
        return self._spelled <= _MOST_SPELLED + 4 * len(self.text)

    def changed(self, path: Path, value: Any) -> tuple[Edit, ...]:
        """Return the edit after which the part at a path has another value; none if the text cannot show it."""
        record = self.document.record(path)
        if record is None:
            return self._header(path, value) if value is not None and path[-1:] and path[-1] in HEADER else ()
        span = self.records[record]
        self._spelled += span.end - span.start
        if not self._has_room:
            return ()
        tree = self.document.value_at(record)
        new = spelled(record, with_part(tree, path[len(record) :], value))
        return () if new is None else _respelled(self.text, span, spelled(record, tree) or "", new)

    def inserted(self, path: Path, value: Any) -> tuple[Edit, ...]:
        """Return the edit after which a list has one more item, at the index in which the path ends."""
        kind, k = path[-2], int(path[-1])
        size = len(self.document.value_at(path[:-2]).get(kind, ()))
        if self.document.record(path[:-1]) is not None:
            return self._spliced(path, k, [value])
        if kind == "opset_import":
            return self._header(path[:-1], [value])
        text = spelled(path, value)
        if text is None:
            return ()
        near = self.records.get(path if k < size else (*path[:-1], k - 1))
        if near is None:
            return () if size else self._first(path, text)
        separator = ("" if kind == "node" else ",") + _break(self.text, near.start)
        if k < size:
            return _insertion(near.start, f"{text}{separator}")
        return _insertion(near.end, f"{separator}{text}")

    def removed(self, path: Path) -> tuple[Edit, ...]:
        """Return the edit that removes an item of a list."""
        kind, k = path[-2], int(path[-1])
        if self.document.record(path[:-1]) is not None:
            return self._spliced(path, k + 1, [])
        if kind == "functions":
            span = self._function(k)
        elif (span := self.records.get(path)) is not None:
            span = _lines(self.text, span) if kind == "node" else _item(self.text, span, _BRACKETS.get(str(kind), ""))
        return () if span is None else (Edit(span, ""),)

    def _spliced(self, path: Path, end: int, new: list[Any]) -> tuple[Edit, ...]:
        """Return the edit after which the items of a list from that at a path up to an end are others."""
        home, k = path[:-1], int(path[-1])
        if not self._has_room:
            return ()
        items = self.document.value_at(path[:-2]).get(path[-2], [])
        return self.changed(home, [*items[:k], *new, *items[end:]])

    def _function(self, k: int) -> Span | None:
        """Return all that is written of a function, and the empty line before the last."""
        is_last = k + 1 == len(self.document.tree["functions"])
        start = self._function_start(k)
        end = len(self.text) if is_last else self._function_start(k + 1)
        if start is None or end is None:
            return None
        return Span(start - (is_last and self.text.endswith("\n\n", 0, start)), end)

    def _function_start(self, k: int) -> int | None:
        """Return where the text of a function starts: at its header, if it has one."""
        first = min((span.start for path, span in self.records.items() if path[:2] == ("functions", k)), default=None)
        name = self.records.get(("functions", k, "name"))
        if first is None or (name is not None and name.start == first):
            return first
        return self.text.rfind("<", 0, first)

    def _header(self, path: Path, value: Any) -> tuple[Edit, ...]:
        """Return the edit that adds a line to the header of a model or a function, which may have none yet."""
        *home, key = path
        line, order = record_text(str(key), value), FUNCTION_HEADER if home else HEADER
        rows = {name: span for name in order if (span := self.records.get((*home, name))) is not None}
        if not rows:
            start = self._function_start(int(home[-1])) if home else 0
            return () if start is None else _insertion(start, f"<\n{INDENT}{line}\n>\n")
        earlier = [span for name, span in rows.items() if order.index(name) < order.index(str(key))]
        near = max(earlier, default=min(rows.values()))
        gap = f",{_break(self.text, near.start)}"
        return _insertion(near.end, f"{gap}{line}") if earlier else _insertion(near.start, f"{line}{gap}")

    def _first(self, path: Path, text: str) -> tuple[Edit, ...]:
        """Return the edit that fills an empty list of a graph's inputs or outputs."""
        name = self.records.get((*path[:-2], "name"))
        sign = {"input": " ()", "output": " => ()"}.get(str(path[-2]))
        at = self.text.find(sign, name.end) if name is not None and sign is not None else -1
        if at < 0 or sign is None:
            return ()
        return _insertion(at + len(sign) - 1, f"\n{INDENT}{text}\n" if "\n" in self.text else text)


def _insertion(at: int, text: str) -> tuple[Edit, ...]:
    return (Edit(Span(at, at), text),)


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


def spelled(record: Path, tree: Any) -> str | None:
    """Return the text of a record; None if it is of a kind that is never changed."""
    kind = str(record[-2] if isinstance(record[-1], int) else record[-1])
    return record_text(kind, tree) if kind in _SPELLED else None


def _respelled(text: str, span: Span, usual: str, new: str) -> tuple[Edit, ...]:
    """Return the edit that makes a record say something else; `usual` is how it is spelled by us.

    A text by other hands has other blanks, and bits of floats: there, tokens are replaced.
    """
    old = text[span.start : span.end]
    if old == usual:
        return _trimmed(text, span, new)
    own, others, wanted = tokens(old), tokens(usual), tokens(new)
    if len(own) != len(others):
        return _trimmed(text, span, new)
    head, tail = equal_ends([usual[a:b] for a, b in others], [new[a:b] for a, b in wanted])
    start, end = _between(own, head, tail, len(old))
    return _trimmed(
        text, Span(span.start + start, span.start + end), new[slice(*_between(wanted, head, tail, len(new)))]
    )


def _between(found: list[Span], head: int, tail: int, size: int) -> tuple[int, int]:
    """Return where the tokens of a text begin and end that are neither among its first nor its last."""
    return found[head - 1].end if head else 0, found[-tail].start if tail else size


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
    copy = tree.copy()
    if rest or value is not None or isinstance(tree, list):
        copy[step] = with_part(tree[step] if rest else None, rest, value)
    else:
        copy.pop(step, None)
    return copy
