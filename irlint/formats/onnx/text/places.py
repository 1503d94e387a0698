"""Parts of records in the textual form: where they are, and how another value is written there."""

from __future__ import annotations

from typing import Any

from irlint.formats.onnx.text.parse import Parser, Unexpected
from irlint.formats.onnx.text.show import domain_text, name_of, number, quoted
from irlint.text.base import Path, Span

_HEADERS = ("ir_version", "opset_import", "producer_name", "producer_version", "domain", "model_version", "doc_string")

_MOST = 20_000  # items of one list in a record, each of which takes hundreds of bytes


def spelled(path: Path, value: Any) -> str:
    """Return a value as the textual form spells it at a path."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(spelled(path, one) for one in value)}]"
    text = value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)
    if path[-1:] == ("domain",):
        return quoted(text) if "opset_import" in path else domain_text(text)
    is_text = {"s", "strings", "external_data", "metadata_props", "producer_name", "value"} & set(path[-2:])
    return quoted(text) if is_text or (path and path[0] in _HEADERS) else name_of(text)


class _Marks(dict[Path, Span]):
    """Spans of the parts of a record. Those far down a list are not kept: what is wrong with one is reported at the whole list."""

    def __init__(self, record: Path) -> None:
        self.size = len(record)

    def __setitem__(self, path: Path, span: Span) -> None:
        if not any(step.__class__ is int and step >= _MOST for step in path[self.size :]):
            super().__setitem__(path, span)


def marked(text: str, record: Path, span: Span) -> dict[Path, Span]:
    """Return the spans of all parts of a record of a text."""
    found = _Marks(record)
    parser = Parser(text, span.start, span.end, found)
    kind = record[-2] if isinstance(record[-1], int) else record[-1]
    try:
        if kind == "node":
            parser.node(record)
        elif kind in ("initializer", "sparse_initializer"):
            begin = parser.token
            parser.initializer(parser.value(record), begin, record, record)
        elif kind == "attribute_proto":
            begin = parser.token
            parser.attribute_of(parser.name(record), begin, record)
        elif (
            kind in ("input", "output", "value_info") and record[-3:-2] != () and record[0] == "graph"
        ) or kind == "value_info":
            parser.value(record)
        elif kind in ("input", "output", "attribute") or record[-1] == "name":
            parser.name(record)
        else:
            parser.entry(record[:-1], {})
    except Unexpected:
        pass
    return found
