"""Strings in three constants: where each begins, where it ends, and the characters of all."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from operator import le

from irlint.findings import Problem
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.reading.extensions import Extensions
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import Node, label
from irlint.operators import Operator
from irlint.records import replace

_LISTS = (
    "begins",
    "ends",
    "chars",
)  # how the table names the three inputs of one list of strings, after a common prefix
_SHOWN = 8  # lists of strings that are shown with the first
_WIDTH = 4  # bytes of a begin or an end


def string_problems(sections: list[IrSection], binary: BinFile, extensions: Extensions) -> Iterator[Problem]:
    """Report strings that are not within their characters: one finding, with the others as notes.

    The operations of openvino_tokenizers 2026.4.1 do not look; they read outside of the characters, and most often crash.
    """
    found = [
        problem
        for section in sections if extensions.uses_library
        for node in section.graph.nodes if section.live[node.index]
        for problem in _of_layer(section, node, binary, extensions)
    ]  # fmt: skip
    if found:
        first, *others = found
        yield replace(first, related=[*first.related, *[(one.message, one.at) for one in others[:_SHOWN]]])


def _of_layer(section: IrSection, node: Node, binary: BinFile, extensions: Extensions) -> Iterator[Problem]:
    operator = extensions.operator(node.op, node.version or "")
    for k in _triples(operator, len(node.inputs)) if operator is not None else ():
        makers = [maker for maker, _ in node.inputs[k : k + 3]]
        fault = _fault([section.graph.nodes[maker] for maker in makers], binary) if min(makers) >= 0 else None
        if operator is not None and fault is not None:
            message = f"wrong strings in `{operator.inputs[k + 2].name}` of {label(node)}: {fault}"
            related = [("used here", section.graph.place(node, f"input:{k}"))]
            at = section.graph.place(makers[0], "attr:offset")
            yield Problem(R.weights_mismatch, at, message, section.graph.nodes[makers[0]].name, related=related)


def _triples(operator: Operator, most: int) -> Iterator[int]:
    """Yield the first of each three inputs that are one list of strings."""
    names = [port.name or "" for port in operator.inputs[:most]]
    for k in range(len(names) - 2):
        prefix = names[k].removesuffix(_LISTS[0])
        if names[k : k + 3] == [prefix + word for word in _LISTS]:
            yield k


def _fault(constants: list[Node], binary: BinFile) -> str | None:
    """Return which string is not within its characters; None if all are, or if that is not known."""
    pieces = [_stored(node, binary) for node in constants]
    if None in pieces:
        return None
    begins, ends = (array("i", piece[: len(piece) // _WIDTH * _WIDTH]) for piece in pieces[:2] if piece is not None)
    if sys.byteorder == "big":
        begins.byteswap()
        ends.byteswap()
    size = len(pieces[2] or b"")
    if not begins or not ends or (min(begins) >= 0 and max(ends) <= size and all(map(le, begins, ends))):
        return None
    for k, (begin, end) in enumerate(zip(begins, ends, strict=False)):
        if not 0 <= begin <= end <= size:
            return f"expected offsets from 0 to {size}, but string {k} begins at {begin} and ends at {end}"
    return None


def _stored(node: Node, binary: BinFile) -> bytes | None:
    """Return the bytes of a constant; None if it is none, or if they cannot be read."""
    try:
        offset, size = int(node.attrs["offset"]), int(node.attrs["size"])
    except (KeyError, ValueError):
        return None
    return binary.read(offset, size) if node.kind == "const" else None
