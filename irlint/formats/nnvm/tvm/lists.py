"""Check the lists of a TVM graph with one element per value: their lengths and elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, pairwise
from math import prod
from typing import Any

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.keys.lists import wrong_row
from irlint.formats.nnvm.passes.wording import code
from irlint.formats.nnvm.reading.json_values import as_dict
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.rules import R
from irlint.text.base import Place
from irlint.text.numbers import decimal, integer
from irlint.text.words import count

_DTYPE = re.compile(
    r"(?:bool|handle|(?:int|uint|float|bfloat|custom\[\w+\])(?P<bits>[0-9]*)(?:x(?P<lanes>[0-9]+))?)", re.ASCII
)
_USUAL = ["float32", "float16", "float64", "int8", "int32", "int64", "uint8", "bool"]
_TOO_MUCH = 1 << 42  # bytes of one value
_LISTS = ("dltype", "storage_id", "shape", "device_index", "storage_scope")
_READ_ALL = ("dltype", "shape")  # too short: refused, or read past the end


class Lists:
    """The per-value lists of a graph, as far as they are well-formed."""

    def __init__(self, view: GraphView) -> None:
        attrs = as_dict(view.raw.get("attrs"))
        pairs = {key: attrs[key] for key in _LISTS if isinstance(attrs.get(key), list) and len(attrs[key]) == 2}
        self.view, self.rows = view, view.row_ptr
        self.values: dict[str, list[Any]] = {key: pair[1] for key, pair in pairs.items() if isinstance(pair[1], list)}
        lengths = {len(found) for key, found in self.values.items() if key != "storage_scope"}
        self.agreed = lengths.pop() if len(lengths) == 1 else None  # the length on which all lists agree
        self.declared = [self._declared(i) for i in range(len(view.nodes))]
        rows, size = self.rows or [], len(view.nodes) + 1
        self.is_regular = len(rows) == size and rows[0] == 0 and all(a < b for a, b in pairwise(rows))
        self.are_rows_blamed = self._are_rows_blamed()
        self.sound = self.is_trusted and self.agreed == rows[-1]

    def _declared(self, index: int) -> int | None:
        """Return how many values a node says that it has."""
        return decimal(self.view.attrs[index].get("num_outputs", "1"), 7) if self.view.ops[index] == "tvm_op" else 1

    def _are_rows_blamed(self) -> bool:
        """Return whether node_row_ptr is wrong rather than the nodes, which agree with the other lists."""
        if self.rows is None or None in self.declared:
            return False
        known: list[Any] = self.declared
        right = [*accumulate(known, initial=0)]
        return right != self.rows and self.agreed == right[-1]

    @property
    def is_trusted(self) -> bool:
        """Return whether node_row_ptr says how many values each node has."""
        return self.is_regular and not self.are_rows_blamed

    @cached_property
    def slots(self) -> list[int]:
        """Return the storage slots; an empty list if one of them is invalid."""
        found = self.values.get("storage_id", [])
        return found if all(isinstance(slot, int) and slot >= 0 for slot in found) else []

    def is_far(self, slot: int) -> bool:
        """Return whether a slot is too large for the number of values, which is reported at the slot itself."""
        return slot > 1_000_000 and slot > 100 * len(self.values["storage_id"])

    def width(self, index: int) -> int | None:
        """Return how many values a node has according to node_row_ptr."""
        rows = self.rows or ()
        return rows[index + 1] - rows[index] if index + 1 < len(rows) else None

    def outputs(self, index: int) -> int | None:
        """Return how many values a node has, if it is certain."""
        return self.width(index) if self.is_trusted else self.declared[index]


def list_problems(view: GraphView, lists: Lists) -> Iterator[Problem]:
    """Report lengths and elements of the lists that contradict the nodes or each other, or that TVM refuses."""
    yield from _rows(view, lists)
    if lists.is_trusted and lists.rows is not None and lists.agreed in (None, lists.rows[-1]):
        yield from _lengths(lists, lists.rows[-1])  # else reported at node_row_ptr
    yield from _dtypes(lists)
    yield from _slots(lists)
    yield from _shapes(lists)


def _rows(view: GraphView, lists: Lists) -> Iterator[Problem]:
    rows = lists.rows
    if rows is None or view.broken:
        return
    others = lists.declared if lists.are_rows_blamed else [None] * len(view.nodes)
    widths = [1 if op == "null" else width for op, width in zip(view.ops, others, strict=True)]

    def told(index: int, width: int) -> str:
        is_input = view.ops[index] == "null" and not lists.are_rows_blamed
        return f"{count(width, 'value' if is_input else 'output')} of {'input ' * is_input}{view.names[index]!r}"

    if (wrong := wrong_row(view, widths, told)) is not None:
        yield Problem(R.node_row_ptr, *wrong)
    elif lists.agreed not in (None, rows[-1]) and not lists.are_rows_blamed:
        elements = f"the number of elements of the lists in `attrs` ({lists.agreed})"
        message = f"expected `node_row_ptr` to end with {elements}, got {rows[-1]}"
        yield Problem(R.node_row_ptr, Place(("node_row_ptr", len(view.nodes))), message)


def _lengths(lists: Lists, wanted: int) -> Iterator[Problem]:
    for key, found in lists.values.items():
        if len(found) != wanted:
            elements = f"{count(wanted, 'element')} in `{key}`, one for each value of the graph"
            is_harmless = len(found) > wanted or key not in _READ_ALL
            severity = Severity.WARNING if is_harmless else None
            message = f"expected {elements}, got {len(found)}"
            yield Problem(R.value_list_length, Place(("attrs", key, 1)), message, severity=severity)


def _dtypes(lists: Lists) -> Iterator[Problem]:
    from irlint.operators import nearest

    texts = [(k, text) for k, text in enumerate(lists.values.get("dltype", ())) if isinstance(text, str)]
    faults = {text: _dtype_fault(text) for _, text in texts}
    for k, text in texts:
        if (fault := faults[text]) is not None:
            meant = nearest(text, _USUAL)
            more = f"; did you mean `{meant}`?" if meant and meant != text else ""
            yield Problem(R.value_not_in_enum, Place(("attrs", "dltype", 1, k)), fault + more)


def _dtype_fault(text: str) -> str | None:
    match = _DTYPE.fullmatch(text)
    if match is None:
        return f"unknown type {code(text)} in `dltype`" if text else "empty type in `dltype`"
    bits = _bits(match)
    if bits == 0 or (bits % 8 and bits not in (1, 4)):
        wanted = "whole bytes (or 1 or 4 bits) for a type in `dltype`"
        return f"expected {wanted}, got {code(text)} ({count(bits, 'bit')})"
    return None


def _bits(match: re.Match[str]) -> int:
    """Return the size of an element of a type; 32 bits where it does not say."""
    if match["bits"]:
        return (integer(match["bits"]) % 256 or 32) * integer(match["lanes"] or "1")
    return {"bool": 8, "handle": 64}.get(match[0], 32)


def _slots(lists: Lists) -> Iterator[Problem]:
    for k, slot in enumerate(lists.values.get("storage_id", ())):
        if not isinstance(slot, int):
            continue
        message = ""
        if slot < 0:
            message = f"expected at least 0 for a slot in `storage_id`, got {slot}; TVM supports only fixed sizes"
        elif lists.is_far(slot):
            message = f"slot {slot} in `storage_id` is too large; TVM allocates all slots up to it"
        if message:
            yield Problem(R.value_out_of_range, Place(("attrs", "storage_id", 1, k)), message)


def _shapes(lists: Lists) -> Iterator[Problem]:
    dtypes = dict(enumerate(lists.values.get("dltype", ())))
    for k, shape in enumerate(lists.values.get("shape", ())):
        if not isinstance(shape, list) or not all(isinstance(d, int) for d in shape):
            continue
        place = Place(("attrs", "shape", 1, k))
        match = _DTYPE.fullmatch(str(dtypes.get(k)))
        size = (_bits(match) + 7) // 8 if match else 4
        if any(d < 0 for d in shape):
            message = f"negative dimension in `shape` {shape}; TVM supports only fixed sizes"
            yield Problem(R.value_out_of_range, place, message)
        elif 0 in shape:
            message = f"`shape` {shape} has no elements"
            yield Problem(R.value_out_of_range, place, message, severity=Severity.WARNING)
        elif prod(shape) * size > _TOO_MUCH:
            yield Problem(R.too_large, place, f"`shape` {shape} needs more memory than any machine has")
