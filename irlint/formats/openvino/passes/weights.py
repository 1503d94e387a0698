"""Check Const layers against the .bin (offsets, sizes, overlaps), and the .bin itself."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from irlint.checks.fault import Subject
from irlint.findings import Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.passes.attributes import OpenVinoGrammar
from irlint.formats.openvino.passes.numbers import INTEGER
from irlint.formats.openvino.passes.values import faults
from irlint.formats.openvino.reading.binfile import BinFile, packed_fault
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES, MOST_AXES, PRECISIONS, unsigned
from irlint.formats.openvino.reading.opsets import operator_of
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Graph, Node, label
from irlint.operators import Operator
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.numbers import integer, told
from irlint.text.words import count

BITS = {
    "f64": 64, "i64": 64, "u64": 64, "f32": 32, "i32": 32, "u32": 32, "f16": 16, "bf16": 16, "i16": 16, "u16": 16,
    "i8": 8, "u8": 8, "boolean": 8, "f8e4m3": 8, "f8e5m2": 8, "f8e8m0": 8, "u6": 6, "i4": 4, "u4": 4, "nf4": 4, "f4e2m1": 4,
    "u3": 3, "u2": 2, "u1": 1,
}  # fmt: skip
_SPLIT = ("u3", "u6")  # their bits lie apart in units of three bytes
_LIMIT = 1 << 63
_ADDRESSES = 1 << 56  # bytes of memory that a program can have at most
_NAMES = ("element_type", "shape", "offset", "size")
Range = tuple[int, int, Graph, Node]


def weight_problems(sections: list[Section], binary: BinFile | None, model: Model) -> Iterator[Problem]:
    """Report problems with weights; `binary` is None if only the model's text is known."""
    sizes: dict[tuple[str, str, str], int | None] = {}
    ranges: list[Range] = []
    needing: list[tuple[Graph, Node]] = []
    short: list[Range] = []
    strings: list[Range] = []
    size_of_file = binary.size if binary is not None else _LIMIT
    for section in sections:
        graph = section.graph
        yield from _too_large(graph)
        for node in graph.nodes:
            if node.kind != "const":
                continue
            data = node.attrs
            try:
                said, text = (data["element_type"], data["shape"], data["size"]), data["offset"]
                size = sizes[said] if said in sizes else sizes.setdefault(said, _right_size(*said))
                offset = int(text)
                if size is None or len(data) != 4 or not (text.isdigit() and text.isascii()) or offset + size >= _LIMIT:
                    raise ValueError
            except (KeyError, ValueError):
                found: list[int] = []
                if id(node) not in model.silent and section.layers[node.index].data is not None:
                    yield from _odd(section, node, found)
                if len(found) != 2:
                    continue
                offset, size = found
            if section.live[node.index]:
                needing.append((graph, node))
            if offset + size > size_of_file:
                short.append((offset, size, graph, node))
            else:
                ranges.append((offset, offset + size, graph, node))
                if section.live[node.index] and node.attrs["element_type"].lower() == "string":
                    strings.append((offset, size, graph, node))
    if binary is None or not needing:
        return
    if (trouble := _file_trouble(model, binary, needing, short)) is not None:
        yield trouble
        return
    for offset, size, graph, node in short:
        yield _beyond(binary, graph, node, offset, size)
    for offset, size, graph, node in strings:
        yield from _strings(binary, graph, node, offset, size)
    yield from _overlaps(ranges)
    yield from _tail(binary, ranges, bool(short))


def _too_large(graph: Graph) -> Iterator[Problem]:
    """Report Parameters too large to address: they are read, but not compiled."""
    for index in graph.inputs:
        node = graph.nodes[index]
        type_, shape = node.attrs.get("element_type", "").lower(), node.attrs.get("shape", "")
        count = _count(shape.strip().removeprefix("[").removesuffix("]"), _LIMIT - 1) if type_ in BITS else None
        if count is not None and (needed := _bytes(count, type_)) >= _ADDRESSES:
            message = _unaddressable(node, shape, type_, needed)
            yield Problem(R.too_large, graph.place(node, "attr:shape"), message, node.name)


def _unaddressable(node: Node, shape: str, type_: str, size: int) -> str:
    return f"shape `{shape}` of {label(node)} takes {told(size)} bytes as `{type_}`; no machine can address them"


def _bytes(count: int, type_: str) -> int:
    """Return the number of bytes of a number of elements."""
    return (count * BITS[type_] + 7) >> 3 if type_ not in _SPLIT else (count * BITS[type_] + 23) // 24 * 3


def needed(type_: str, shape: str) -> int | None:
    """Return the number of bytes of a tensor; None if its type or shape cannot be read."""
    count = _count(shape, 1 << 48)
    return None if count is None or type_ not in BITS else _bytes(count, type_)


def _right_size(type_: str, shape: str, size: str) -> int | None:
    """Return the size of a tensor if it is written plainly and matches its type and shape."""
    count, number = _count(shape), int(size)
    return (
        number if size.isdigit() and size.isascii() and count is not None and number == _bytes(count, type_) else None
    )


def _count(text: str, limit: int | None = None) -> int | None:
    """Return the number of elements of a static shape; None if it cannot be read, or if a dimension reaches a limit."""
    if not text:
        return 1
    if text.count(",") >= MOST_AXES:
        return None
    dims = []
    for piece in text.split(","):
        found = INTEGER.fullmatch(piece.rstrip())
        if found is None or (number := integer(found[1])) < 0 or (limit is not None and number >= limit):
            return None
        dims.append(number)
    return prod(dims)


def _odd(section: Section, node: Node, found: list[int]) -> Iterator[Problem]:
    """Check an irregular Const; valid offset and size are added to `found`."""
    graph, data = section.graph, node.attrs
    operator = operator_of(node.op, node.version or "")
    if operator is None:
        return
    # OpenVINO 2026.4.1: value='1,2,3,4' gives the characters as bytes, and a tensor of 16 bytes reads 9 beyond these 7
    if "value" in data and "offset" not in data:
        message = f"expected `offset` and `size` for {label(node)}, got `value`; OpenVINO reads the text of `value` as the raw bytes"
        yield Problem(
            R.unknown_attribute, graph.place(node, "attr_key:value"), message, node.name, severity=Severity.WARNING
        )
        return
    for name in (name for name in data if name not in operator.attributes):
        message = f"unknown attribute `{name}` for {label(node)}; OpenVINO ignores it"
        at = graph.place(node, f"attr_key:{name}")
        yield Problem(R.unknown_attribute, at, message, node.name, severity=Severity.WARNING)
    problems = list(_odd_values(section, node, operator))
    yield from problems
    if not any(problem.is_error for problem in problems):
        yield from _size(graph, node, found)


def _odd_values(section: Section, node: Node, operator: Operator) -> Iterator[Problem]:
    """Report the attributes that every Const needs: missing, or with values that the reader does not take."""
    graph, data = section.graph, node.attrs
    if missing := [name for name in _NAMES if name not in data]:
        what = f"attribute{'s' if len(missing) > 1 else ''} {', '.join(f'`{name}`' for name in missing)}"
        message = f"missing required {what} for {label(node)}; OpenVINO refuses the file"
        yield Problem(R.missing_attribute, graph.place(node, "attrs"), message, node.name)
    for name in ("offset", "size"):
        if name in data and unsigned(data[name]) is None:
            message = f"expected an integer from 0 to 2^63-1 for `{name}` of {label(node)}, got `{data[name]}`"
            yield Problem(R.wrong_attribute_type, graph.place(node, f"attr:{name}"), message, node.name)
    grammar, subject = OpenVinoGrammar(section), Subject.of(graph, node)
    if "element_type" in data:
        is_read = data["element_type"] in PRECISIONS  # I64 is taken for i64, F32 is not for f32
        for fault in faults(data["element_type"], operator.attributes["element_type"]):
            yield grammar.problem(subject, fault if is_read else fault._replace(severity=Severity.ERROR))
    if data.get("shape"):  # without dimensions it is a single number
        for fault in faults(data["shape"], operator.attributes["shape"]):
            yield grammar.problem(subject, fault)


def _dims(text: str) -> list[int]:
    return [integer(m[1]) for piece in text.split(",") if (m := INTEGER.match(piece))]


def _size(graph: Graph, node: Node, found: list[int]) -> Iterator[Problem]:
    data = node.attrs
    offset, size = int(unsigned(data["offset"]) or 0), int(unsigned(data["size"]) or 0)
    type_ = data["element_type"].lower()
    if data["shape"].count(",") >= MOST_AXES:
        return
    dims = _dims(data["shape"])
    if any(d < 0 for d in dims):
        message = f"expected known dimensions for `shape` of {label(node)}, got `{data['shape']}`"
        yield Problem(R.wrong_attribute_type, graph.place(node, "attr:shape"), message, node.name)
        return
    found += [offset, size]
    if type_ == "string" or type_ not in BITS:
        return
    needed = _bytes(prod(dims), type_)
    if needed >= _LIMIT:
        found.clear()
        message = _unaddressable(node, data["shape"], type_, needed)
        yield Problem(R.too_large, graph.place(node, "attr:shape"), message, node.name)
        return
    if size == needed or (needed == 0 and size == 1):  # the writer keeps a byte for a tensor without elements
        return
    shape = f"shape `{data['shape']}`" if data["shape"] else "a scalar"
    message = f"expected {needed} for `size` of {label(node)} (`{type_}`, {shape}), got `{size}`"
    if size < needed:
        yield Problem(R.weights_mismatch, graph.place(node, "attr:size"), message, node.name)
    else:
        message += "; OpenVINO ignores the rest"
        yield Problem(R.weights_mismatch, graph.place(node, "attr:size"), message, node.name, severity=Severity.WARNING)


def _file_trouble(
    model: Model, binary: BinFile, needing: list[tuple[Graph, Node]], short: list[Range]
) -> Problem | None:
    """Report a .bin that is missing or not a weights file: one finding, whatever the number of constants."""
    graph, node = needing[0]
    at = graph.place(node, "attr:offset")
    name, many = binary.path.name, len(needing)
    need = f"{count(many, 'constant')} {'uses' if many == 1 else 'use'} it"
    file = f"weights file {name!r}"
    if binary.state == "missing":
        from irlint.missing_weights import missing

        message = f"{file} not found next to the model; {need}"
        return missing(model, R.missing_weights, at, message, binary.path)
    if binary.state == "outside":
        message = f"{file} is a link to {binary.real!r}, outside the model's folder; irlint does not open it"
        return Problem(R.unsafe_path, at, message)
    if binary.state == "odd":
        return Problem(R.weights_format, at, f"{file} is not a regular file")
    if binary.state == "unreadable":
        return Problem(R.missing_weights, at, f"{file} cannot be read; {need}")
    what = binary.what() if short or binary.is_pointer else None
    if what is not None and binary.is_pointer:
        from irlint.missing_weights import pointer

        return pointer(model, R.weights_format, at, f"{file} is {what}")
    if what is not None and short:
        return Problem(R.weights_format, at, f"{file} is {what}; {need}")
    if binary.size == 0 and short:
        return Problem(R.weights_too_short, at, f"{file} is empty; {need}")
    if len(short) > 1:
        last = max(offset + size for offset, size, _, _ in short)
        return Problem(
            R.weights_too_short,
            short[0][2].place(short[0][3], "attr:offset"),
            f"{len(short)} of {many} constants read past the end of {file}; it has {binary.size} bytes, expected {last}",
            related=[
                (f"{label(node)} is past the end", graph.place(node, "attr:offset")) for _, _, graph, node in short[1:]
            ],
        )
    return None


def _beyond(binary: BinFile, graph: Graph, node: Node, offset: int, size: int) -> Problem:
    part = "attr:offset" if offset >= binary.size or size <= binary.size else "attr:size"
    file = f"weights file {binary.path.name!r} ({binary.size} bytes)"
    message = f"{label(node)} reads bytes {offset} to {offset + size}, past the end of {file}"
    return Problem(R.weights_too_short, graph.place(node, part), message, node.name)


def _strings(binary: BinFile, graph: Graph, node: Node, offset: int, size: int) -> Iterator[Problem]:
    """Report a constant of strings whose bytes are not strings."""
    data = binary.read(offset, size)
    fault = None if data is None else packed_fault(data, prod(_dims(node.attrs["shape"])))
    if fault is not None:
        message = f"the bytes of {label(node)} are not packed strings: {fault}"
        yield Problem(R.weights_mismatch, graph.place(node, "attr:element_type"), message, node.name)


def _overlaps(ranges: list[Range]) -> Iterator[Problem]:
    """Report constants that share some bytes, but neither start together nor are equal."""
    far = 0
    for start, end, _, _ in ranges:
        if start < far:
            break
        far = end
    else:
        return  # each begins behind the one before
    ordered = sorted(((r[0], r[1], k) for k, r in enumerate(ranges) if r[1] > r[0]))
    far, holder = -1, -1
    for start, end, k in ordered:
        if start < far and ranges[holder][0] != start:
            graph, node = ranges[k][2:]
            other_graph, other = ranges[holder][2:]
            message = (
                f"bytes {start} to {end} of {label(node)} overlap"
                f" bytes {ranges[holder][0]} to {ranges[holder][1]} of {label(other)}"
            )
            yield Problem(
                R.weights_mismatch, graph.place(node, "attr:offset"), message, node.name,
                related=[("overlapping constant", other_graph.place(other, "attr:offset"))], severity=Severity.WARNING,
            )  # fmt: skip
        if end > far:
            far, holder = end, k


def _tail(binary: BinFile, ranges: list[Range], short: bool) -> Iterator[Problem]:
    used = max((r[1] for r in ranges), default=0)
    if not short and used < binary.size:
        message = f"the model uses only the first {used} of {binary.size} bytes of weights file {binary.path.name!r}"
        yield Problem(R.unused_weights, Place((), "tag"), message)


__all__ = ["BITS", "ELEMENT_TYPES", "weight_problems"]
