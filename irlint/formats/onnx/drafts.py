"""Edits that make a changed tree of a tree: a record of the text is spelled again, and only what differs is replaced."""

from __future__ import annotations

from typing import Any

from irlint.formats.onnx.document import OnnxDocument
from irlint.formats.onnx.show import INDENT, attribute_text, header_text, name_of, node_text, tensor_text, value_text
from irlint.formats.onnx.sort import lines_of
from irlint.text.base import Edit, Path, Span

_ROWS = ("input", "output", "value_info", "initializer")
_SEPARATOR = f",\n{INDENT}"


def changed(document: OnnxDocument, path: Path, value: Any) -> tuple[Edit, ...]:
    """Return the edit after which the part at a path has another value; none if the text cannot show it."""
    record = document.record(path)
    if record is None:
        return ()
    text = spelled(record, with_part(document.value_at(record), path[len(record) :], value))
    return () if text is None else trimmed(document.text, document.records[record], text)


def inserted(document: OnnxDocument, path: Path, value: Any) -> tuple[Edit, ...]:
    """Return the edit after which a list has one more item, at the index in which the path ends."""
    items, k = document.value_at(path[:-2]).get(path[-2], []), int(path[-1])
    if document.record(path[:-1]) is not None:
        return changed(document, path[:-1], [*items[:k], value, *items[k:]])
    text = spelled(path, value)
    near = document.records.get(path if k < len(items) else (*path[:-1], k - 1))
    if text is None or near is None:
        return _first(document, path, text) if text is not None and not items else ()
    if path[-2] == "node":
        whole = lines_of(document, path if k < len(items) else (*path[:-1], k - 1))
        if whole is None:
            return ()
        at = whole.start if k < len(items) else whole.end
        return (Edit(Span(at, at), f"{INDENT}{text}\n"),)
    if k < len(items):
        return (Edit(Span(near.start, near.start), f"{text}{_SEPARATOR}"),)
    return (Edit(Span(near.end, near.end), f"{_SEPARATOR}{text}"),)


def removed(document: OnnxDocument, path: Path) -> tuple[Edit, ...]:
    """Return the edit that removes an item of a list."""
    items, k = document.value_at(path[:-1]), int(path[-1])
    if document.record(path[:-1]) is not None:
        return changed(document, path[:-1], [*items[:k], *items[k + 1 :]])
    if path[-2] == "functions":
        return _without_function(document, k, k + 1 == len(items))
    span = document.records.get(path)
    if span is None:
        return ()
    if path[-2] == "node":
        whole = lines_of(document, path)
        return () if whole is None else (Edit(whole, ""),)
    text = document.text
    if text.startswith(_SEPARATOR, span.end):
        return (Edit(Span(span.start, span.end + len(_SEPARATOR)), ""),)
    if text.endswith(_SEPARATOR, 0, span.start):
        return (Edit(Span(span.start - len(_SEPARATOR), span.end), ""),)
    return ()


def _without_function(document: OnnxDocument, k: int, is_last: bool) -> tuple[Edit, ...]:
    start = function_start(document, k)
    end = len(document.text) if is_last else function_start(document, k + 1)
    if start is None or end is None:
        return ()
    blank = is_last and document.text.endswith("\n\n", 0, start)
    return (Edit(Span(start - blank, end), ""),)


def function_start(document: OnnxDocument, k: int) -> int | None:
    """Return where the text of a function starts: at its header, if it has one."""
    starts = [span.start for path, span in document.records.items() if path[:2] == ("functions", k)]
    if not starts:
        return None
    first = min(starts)
    name = document.records.get(("functions", k, "name"))
    return first if name is not None and name.start == first else document.text.rfind("<", 0, first)


def _first(document: OnnxDocument, path: Path, text: str) -> tuple[Edit, ...]:
    """Return the edit that fills an empty list of a graph's inputs or outputs."""
    name = document.records.get((*path[:-2], "name"))
    sign = {"input": " (", "output": " => ("}.get(str(path[-2]))
    if name is None or sign is None:
        return ()
    at = document.text.find(f"{sign})", name.end) + len(sign)
    return (Edit(Span(at, at), f"\n{INDENT}{text}\n"),) if at >= len(sign) else ()


def spelled(record: Path, tree: Any) -> str | None:
    """Return the text of a record; None if it is of a kind that is never changed."""
    kind = record[-2] if isinstance(record[-1], int) else record[-1]
    if kind == "node":
        return node_text(tree, INDENT)
    if kind == "initializer":
        return tensor_text(tree)
    if kind == "attribute_proto":
        return attribute_text(tree, "")
    if kind in _ROWS:
        return value_text(tree) if isinstance(tree, dict) else name_of(tree)
    if kind in ("ir_version", "opset_import"):
        return header_text(str(kind), tree)
    return name_of(tree) if kind == "name" else None


def trimmed(text: str, span: Span, new: str) -> tuple[Edit, ...]:
    """Return the edit that replaces a part of a text, without what it has in common with the new one."""
    old = text[span.start : span.end]
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    if old == new:
        return ()
    return (Edit(Span(span.start + head, span.end - tail), new[head : len(new) - tail]),)


def _alike(one: str, two: str) -> int:
    """Return how many characters two texts begin with."""
    return next((k for k, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


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
