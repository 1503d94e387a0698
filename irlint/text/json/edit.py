"""Minimal edits of JSON text that keep its layout."""

from __future__ import annotations

from irlint.text.base import Edit, Path, Span
from irlint.text.json.containers import Container, after_blank
from irlint.text.json.locate import JsonLocator
from irlint.text.json.near import SMALL, Found
from irlint.text.json.values import dump

_BLANK = " \t\n\r"


def rename_key(locator: JsonLocator, path: Path, key: str) -> tuple[Edit, ...]:
    if (near := locator.near(path)) is not None and near[0] >= 0:
        return (Edit(Span(*near[:2]), dump(key)),)
    holder, at = _child(locator, path)
    return (Edit(Span(holder.key_starts[at], holder.key_ends[at]), dump(key)),)


def remove(locator: JsonLocator, path: Path) -> tuple[Edit, ...]:
    """Return the edit that removes a list element or a member, with its comma and whitespace."""
    if (near := locator.near(path)) is not None and (edit := _without(locator.text, near)) is not None:
        return (edit,)
    holder, at = _child(locator, path)
    return (remove_child(holder, at),)


def _without(text: str, near: Found) -> Edit | None:
    """Return the edit of `remove_child` from the text around the child; None if the whitespace there is long."""
    key, _, value, end = near
    start = key if key >= 0 else value
    after = after_blank(text, end)
    if text[after] == ",":
        return Edit(Span(start, after_blank(text, after + 1)), "")
    low = max(0, start - SMALL)
    before = text[low:start].rstrip(_BLANK)
    if before.endswith(","):
        before, after = before[:-1].rstrip(_BLANK), end
    return Edit(Span(low + len(before), after), "") if before else None


def remove_child(holder: Container, at: int) -> Edit:
    if at >= len(holder.ends):
        raise LookupError("the text is cut off there")
    begins = holder.begins
    if at + 1 < len(begins):
        return Edit(Span(begins[at], begins[at + 1]), "")
    if at > 0:
        return Edit(Span(holder.ends[at - 1], holder.ends[at]), "")
    return Edit(Span(holder.start + 1, holder.inside_end), "")


def insert_item(locator: JsonLocator, path: Path, index: int, text: str) -> tuple[Edit, ...]:
    """Return the edit that inserts JSON text into a list, before the element at `index` or at the end."""
    return (_insert(locator.text, _container(locator, path, "["), index, text),)


def insert_member(locator: JsonLocator, path: Path, key: str, text: str) -> tuple[Edit, ...]:
    """Return the edit that adds a member at the end of an object."""
    holder = _container(locator, path, "{")
    colon = ": "
    if holder.starts:
        colon = locator.text[holder.key_ends[-1] : holder.starts[-1]]
        if colon.strip(" ") != ":":
            colon = ": "
    return (_insert(locator.text, holder, len(holder.starts), dump(key) + colon + text),)


def _insert(source: str, holder: Container, index: int, text: str) -> Edit:
    begins = holder.begins
    if not begins:
        return Edit(Span(holder.start + 1, holder.inside_end), text)
    if index < len(begins):
        at = begins[index]
        return Edit(Span(at, at), f"{text},{_gap(source, holder, begins, index)}")
    at = holder.ends[-1]
    return Edit(Span(at, at), f",{_gap(source, holder, begins, len(begins) - 1)}{text}")


def _gap(source: str, holder: Container, begins: list[int], index: int) -> str:
    """Return the whitespace after commas of this list."""
    if len(begins) > 1:
        index = max(index, 1)
        between = source[holder.ends[index - 1] : begins[index]]
        gap = between.partition(",")[2]
    else:
        gap = source[holder.start + 1 : begins[0]]
        if "\n" not in gap and "\r" not in gap:
            gap = " "
    return "" if gap.strip(" \t\r\n") else gap


def _child(locator: JsonLocator, path: Path) -> tuple[Container, int]:
    holder, at, _, exists = locator.walk(path)
    if not exists or holder is None:
        raise LookupError(f"nothing to edit at {path!r}")
    return holder, at


def _container(locator: JsonLocator, path: Path, bracket: str) -> Container:
    _, _, span, exists = locator.walk(path)
    container = locator.container(span.start) if exists else None
    if container is None or locator.text[container.start] != bracket:
        raise LookupError(f"nothing to insert into at {path!r}")
    return container
