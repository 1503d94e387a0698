"""Check the lists of a TVM graph with one element per value: their lengths and elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import Any

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.wording import code
from irlint.formats.nnvm.reading.view import GraphView
from irlint.text.base import Place
from irlint.text.numbers import decimal, integer
from irlint.text.words import count as count_of

_DTYPE = re.compile(
    r"(?:bool|handle|(?:int|uint|float|bfloat|custom\[\w+\])(?P<bits>[0-9]*)(?:x(?P<lanes>[0-9]+))?)", re.ASCII
)
_TOO_MUCH = 1 << 42  # bytes of one value
_READ_ALL = ("dltype", "shape")  # too short: refused, or read past the end


class Lists:
    """The per-value lists of a graph, as far as they are well-formed."""

    def __init__(self, view: GraphView) -> None:
        attrs = view.raw.get("attrs")
        self.attrs: dict[str, Any] = attrs if isinstance(attrs, dict) else {}
        self.rows = view.row_ptr
        self.view = view
        self.values = {
            key: found
            for key in ("dltype", "storage_id", "shape", "device_index", "storage_scope")
            if (found := self._list(key)) is not None
        }
        rows = self.rows
        self.regular = (
            rows is not None
            and len(rows) == len(view.nodes) + 1
            and rows[0] == 0
            and all(a < b for a, b in pairwise(rows))
        )
        lengths = {len(found) for key, found in self.values.items() if key != "storage_scope"}
        self.agreed = lengths.pop() if len(lengths) == 1 else None  # the length on which all lists agree
        self.rows_blamed = self._rows_blamed()
        self.sound = self.regular and not self.rows_blamed and self.agreed == (rows[-1] if rows else None)

    def _list(self, key: str) -> list[Any] | None:
        entry = self.attrs.get(key)
        found = entry[1] if isinstance(entry, list) and len(entry) == 2 else None
        return found if isinstance(found, list) else None

    def _declared(self, index: int) -> int:
        text = self.view.attrs[index].get("num_outputs", "1") if self.view.ops[index] == "tvm_op" else "1"
        found = decimal(text, 7)
        return -1 if found is None else found

    def _rows_blamed(self) -> bool:
        """Return whether node_row_ptr is wrong rather than the nodes, which agree with the other lists."""
        if self.rows is None:
            return False
        declared = [self._declared(i) for i in range(len(self.view.nodes))]
        right = [0]
        for width in declared:
            right.append(right[-1] + width)
        return right != self.rows and -1 not in declared and self.agreed == right[-1]

    def width(self, index: int) -> int | None:
        """Return how many values a node has according to node_row_ptr."""
        rows = self.rows
        if rows is None or index + 1 >= len(rows):
            return None
        return rows[index + 1] - rows[index]

    def outputs(self, index: int) -> int | None:
        """Return how many values a node has, if it is certain."""
        if self.regular and not self.rows_blamed:
            return self.width(index)
        declared = self._declared(index)
        return declared if declared >= 0 else None


def list_problems(view: GraphView, lists: Lists) -> Iterator[Problem]:
    yield from _rows(view, lists)
    if lists.regular and not lists.rows_blamed and lists.rows is not None:
        yield from _lengths(lists, lists.rows[-1])
    yield from _dtypes(lists)
    yield from _numbers(lists)


def _rows(view: GraphView, lists: Lists) -> Iterator[Problem]:

    rows = lists.rows
    if rows is None or view.broken:
        return
    path = ("node_row_ptr",)
    count = len(view.nodes)
    if len(rows) != count + 1:
        nodes = count_of(count, "node")
        message = f"expected {count_of(count + 1, 'number')} in `node_row_ptr` for {nodes}, got {len(rows)}"
        yield Problem(R.node_row_ptr, Place(path, "key"), message)
        return
    if rows[0] != 0:
        message = f"expected 0 as the first number of `node_row_ptr`, got {rows[0]}"
        yield Problem(R.node_row_ptr, Place((*path, 0)), message)
        return
    for i in range(count):
        if rows[i + 1] <= rows[i]:
            message = f"`node_row_ptr` does not increase at node {i} ({view.names[i]!r}), which has outputs"
            yield Problem(R.node_row_ptr, Place((*path, i + 1)), message)
            return
        if lists.rows_blamed and (declared := lists._declared(i)) != rows[i + 1] - rows[i]:
            wanted = count_of(declared, "output")
            message = f"expected {wanted} of {view.names[i]!r} in `node_row_ptr`, got {rows[i + 1] - rows[i]}"
            yield Problem(R.node_row_ptr, Place((*path, i + 1)), message)
            return
        if view.ops[i] == "null" and rows[i + 1] - rows[i] != 1:
            message = f"expected 1 value of input {view.names[i]!r} in `node_row_ptr`, got {rows[i + 1] - rows[i]}"
            yield Problem(R.node_row_ptr, Place((*path, i + 1)), message)
            return
    if lists.agreed is not None and lists.agreed != rows[-1] and not lists.rows_blamed:
        elements = f"the number of elements of the lists in `attrs` ({lists.agreed})"
        message = f"expected `node_row_ptr` to end with {elements}, got {rows[-1]}"
        yield Problem(R.node_row_ptr, Place((*path, count)), message)


def _lengths(lists: Lists, count: int) -> Iterator[Problem]:

    if lists.agreed is not None and lists.agreed != count:
        return  # reported at node_row_ptr
    for key, found in lists.values.items():
        if len(found) == count:
            continue
        message = f"expected {count_of(count, 'element')} in `{key}`, one for each value of the graph, got {len(found)}"
        harmless = len(found) > count or key not in _READ_ALL
        severity = Severity.WARNING if harmless else None
        yield Problem(R.value_list_length, Place(("attrs", key, 1)), message, severity=severity)


def _dtypes(lists: Lists) -> Iterator[Problem]:
    from irlint.operators import nearest

    seen: dict[str, str | None] = {}
    for k, text in enumerate(lists.values.get("dltype", ())):
        if not isinstance(text, str):
            continue
        if text not in seen:
            seen[text] = _dtype_fault(text)
        if (fault := seen[text]) is not None:
            meant = nearest(text, ["float32", "float16", "float64", "int8", "int32", "int64", "uint8", "bool"])
            more = f"; did you mean `{meant}`?" if meant and meant != text else ""
            yield Problem(R.value_not_in_enum, Place(("attrs", "dltype", 1, k)), fault + more)


def _dtype_fault(text: str) -> str | None:
    match = _DTYPE.fullmatch(text)
    if match is None:
        return f"unknown type {code(text)} in `dltype`" if text else "empty type in `dltype`"
    if match["bits"]:
        bits = integer(match["bits"]) % 256 or 32
        lanes = integer(match["lanes"] or "1")
        total = bits * lanes
        if lanes == 0 or (total % 8 and total not in (1, 4)):
            return f"expected whole bytes (or 1 or 4 bits) for a type in `dltype`, got {code(text)} ({count_of(total, 'bit')})"
    return None


def item_size(text: str) -> int:
    """Return the number of bytes of one element."""
    match = _DTYPE.fullmatch(text)
    if match is None or not match["bits"]:
        return 1 if text == "bool" else 8 if text == "handle" else 4
    return ((integer(match["bits"]) % 256 or 32) * integer(match["lanes"] or "1") + 7) // 8


def _numbers(lists: Lists) -> Iterator[Problem]:

    for k, slot in enumerate(lists.values.get("storage_id", ())):
        if isinstance(slot, int) and slot < 0:
            message = f"expected at least 0 for a slot in `storage_id`, got {slot}; TVM supports only fixed sizes"
            yield Problem(R.value_out_of_range, Place(("attrs", "storage_id", 1, k)), message)
        elif isinstance(slot, int) and slot > 1_000_000 and slot > 100 * len(lists.values["storage_id"]):
            message = f"slot {slot} in `storage_id` is too large; TVM allocates all slots up to it"
            yield Problem(R.value_out_of_range, Place(("attrs", "storage_id", 1, k)), message)
    dtypes = lists.values.get("dltype", [])
    for k, shape in enumerate(lists.values.get("shape", ())):
        if not isinstance(shape, list) or not all(isinstance(d, int) for d in shape):
            continue
        place = Place(("attrs", "shape", 1, k))
        if any(d < 0 for d in shape):
            message = f"negative dimension in `shape` {shape}; TVM supports only fixed sizes"
            yield Problem(R.value_out_of_range, place, message)
        elif 0 in shape:
            message = f"`shape` {shape} has no elements"
            yield Problem(R.value_out_of_range, place, message, severity=Severity.WARNING)
        elif prod(shape) * item_size(dtypes[k] if k < len(dtypes) and isinstance(dtypes[k], str) else "") > _TOO_MUCH:
            yield Problem(R.too_large, place, f"`shape` {shape} needs more memory than any machine has")
