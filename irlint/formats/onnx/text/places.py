"""Parts of records in the textual form: where they are, and how another value is written there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from irlint.formats.onnx.text.parse import TextParser
from irlint.formats.onnx.text.printer import domain_text, name_of, number, quoted
from irlint.formats.onnx.text.tokens import Unexpected
from irlint.text.base import Path, Span, Step

_QUOTED = frozenset((  # keys of strings
    "s", "strings", "external_data", "metadata_props", "value",
    "opset_import", "producer_name", "producer_version", "doc_string",
))  # fmt: skip
_MOST = 20_000  # items of one list in a record, each of which takes hundreds of bytes


def spelled(path: Path, value: Any) -> str:
    """Return a value as the textual form spells it at a path."""
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return number(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(spelled(path, one) for one in value)}]"
    text = value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)
    if path[-1:] == ("domain",) and "opset_import" not in path:
        return domain_text(text)
    return name_of(text) if _QUOTED.isdisjoint(path[-3:]) else quoted(text)


class _Marks(dict[Path, Span]):
    """Spans of the parts of a record. Those far down a list are not kept: what is wrong with one is reported at the whole list."""

    def __init__(self, record: Path) -> None:
        self.size = len(record)

    def __setitem__(self, path: Path, span: Span) -> None:
        for step in path[self.size :]:
            if step.__class__ is int and step >= _MOST:
                return
        super().__setitem__(path, span)


def marked(text: str, record: Path, span: Span) -> dict[Path, Span]:
    """Return the spans of all parts of a record of a text."""
    found = _Marks(record)
    parser = TextParser(text, span.start, span.end, found)
    kind = record[-2] if isinstance(record[-1], int) else record[-1]
    if kind in ("input", "output") and record[0] == "functions":
        kind = "name"
    with suppress(Unexpected):
        _READERS.get(kind, _read_entry)(parser, record)
    return found


def _read_initializer(parser: TextParser, record: Path) -> None:
    begin = parser.token
    parser.tensor_of(parser.value(record), begin, record, record)


def _read_attribute(parser: TextParser, record: Path) -> None:
    begin = parser.token
    parser.attribute_of(parser.name(record), begin, record)


def _read_entry(parser: TextParser, record: Path) -> None:
    parser.entry(record[:-1], {})


_READERS: dict[Step, Callable[[TextParser, Path], Any]] = {  # by the list that a record is in; of others by their key
    "node": TextParser.node,
    "initializer": _read_initializer,
    "sparse_initializer": _read_initializer,
    "attribute_proto": _read_attribute,
    "input": TextParser.value,
    "output": TextParser.value,
    "value_info": TextParser.value,
    "attribute": TextParser.name,
    "name": TextParser.name,
}
