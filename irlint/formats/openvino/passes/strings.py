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
)  # inputs that are one list of strings, as the table names them after a common prefix
_SHOWN = 8  # lists of strings that are shown with the first
_WIDTH = 4  # bytes of a begin or an end
_AGAIN = 4  # times that the bytes of the file may be read

Ranges = tuple[tuple[int, int], ...]


def string_problems(sections: list[IrSection], binary: BinFile, extensions: Extensions) -> Iterator[Problem]:
    """Report strings that are not within their characters: one finding, with the others as notes.

    The operations of openvino_tokenizers 2026.4.1 do not look; they read outside of the characters, and most often crash.
    """
    found: list[Problem] = []
    faults: dict[Ranges, str | None] = {}
    left = _AGAIN * binary.size
    for section, node, k, operator in _lists(sections, extensions):
        makers = [section.graph.nodes[maker] for maker, _ in node.inputs[k : k + 3] if maker >= 0]
        ranges = tuple(filter(None, [binary.place(maker.attrs) for maker in makers if maker.kind == "const"]))
        if ranges not in faults:
            left -= sum(size for _, size in ranges[:2])
            if left < 0:
                break
            faults[ranges] = _fault(ranges, binary)
        if (fault := faults[ranges]) is not None:
            message = f"wrong strings in `{operator.inputs[k + 2].name}` of {label(node)}: {fault}"
            related = [("used here", section.graph.place(node, f"input:{k}"))]
            at = section.graph.place(makers[0], "attr:offset")
            found.append(Problem(R.weights_mismatch, at, message, makers[0].name, related=related))
    if found:
        problem, *others = found
        yield replace(problem, related=[*problem.related, *[(one.message, one.at) for one in others[:_SHOWN]]])


def _lists(sections: list[IrSection], extensions: Extensions) -> Iterator[tuple[IrSection, Node, int, Operator]]:
    """Yield where lists of strings are used: the first of their three inputs."""
    for section in sections if extensions.uses_library else ():
        for node in section.graph.nodes:
            operator = extensions.operator(node.op, node.version or "") if section.live[node.index] else None
            if operator is not None:
                yield from ((section, node, k, operator) for k in _triples(operator, len(node.inputs)))


def _triples(operator: Operator, most: int) -> Iterator[int]:
    """Yield the first of each three inputs that are one list of strings."""
    names = [port.name or "" for port in operator.inputs[:most]]
    for k in range(len(names) - 2):
        prefix = names[k].removesuffix(_LISTS[0])
        if names[k : k + 3] == [prefix + word for word in _LISTS]:
            yield k


def _fault(ranges: Ranges, binary: BinFile) -> str | None:
    """Return which string is not within its characters; None if all are, or if that is not known."""
    if len(ranges) < len(_LISTS):
        return None
    begins, ends = (array("i", binary.read(start, length - length % _WIDTH) or b"") for start, length in ranges[:2])
    if sys.byteorder == "big":
        begins.byteswap()
        ends.byteswap()
    size = ranges[2][1]
    if not begins or not ends or (min(begins) >= 0 and max(ends) <= size and all(map(le, begins, ends))):
        return None
    for k, (begin, end) in enumerate(zip(begins, ends, strict=False)):
        if not 0 <= begin <= end <= size:
            return f"expected offsets from 0 to {size}, but string {k} begins at {begin} and ends at {end}"
    return None
