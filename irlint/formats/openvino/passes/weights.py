"""Check Const layers against the .bin (offsets, sizes, overlaps), and the .bin itself."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from irlint.checks.fault import Repair, Subject, writing
from irlint.files.side_files import DISK, file_source
from irlint.findings import Problem, Severity
from irlint.formats.openvino.passes.attributes import OpenVinoGrammar
from irlint.formats.openvino.passes.numbers import INTEGER
from irlint.formats.openvino.passes.overlaps import overlap_problems
from irlint.formats.openvino.passes.sizes import BITS, ConstantBytes, byte_count, bytes_of
from irlint.formats.openvino.passes.strings import string_problems
from irlint.formats.openvino.passes.values import faults
from irlint.formats.openvino.reading.binfile import BinFile, packed_fault
from irlint.formats.openvino.reading.extensions import Extensions
from irlint.formats.openvino.reading.layers import MOST_AXES, PRECISIONS, unsigned
from irlint.formats.openvino.reading.opsets import operator_of
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R, error_if
from irlint.formats.openvino.weight_values import number_problems
from irlint.graph import Graph, Node, label
from irlint.operators import Operator
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.numbers import integer, told
from irlint.text.words import count

_LIMIT = 1 << 63
_ADDRESSES = 1 << 56  # bytes of memory that a program can have at most
_NAMES = ("element_type", "shape", "offset", "size")

Sizes = dict[
    tuple[str, str, str], "int | None"
]  # by element type, shape and size as they are written; None: they do not match


def weight_problems(
    sections: list[IrSection], binary: BinFile | None, model: Model, extensions: Extensions
) -> Iterator[Problem]:
    """Report problems with weights; `binary` is None if only the model's text is known."""
    sizes: Sizes = {}
    is_sound = True
    found: list[ConstantBytes] = []
    needing: list[ConstantBytes] = []
    for section in sections:
        yield from _too_large(section.graph)
        own, problems = _stored(section, model, sizes)
        yield from problems
        is_sound &= not problems
        found += own
        needing += [one for one in own if section.live[one.node.index]]
    if binary is None or not needing:
        return
    short = [one for one in found if one.end > binary.size]
    ranges = [one for one in found if one.end <= binary.size]
    if (trouble := _file_trouble(model, binary, needing, short)) is not None:
        binary.is_foreign = True  # nothing else follows from its values
        yield trouble
        return
    yield from (_beyond(binary, one) for one in short)
    yield from _of_bytes(sections, binary, extensions, needing, ranges, bool(short), is_sound and not short)
    if is_sound and not short:
        yield from _of_numbers(sections, binary, needing)


def _of_numbers(sections: list[IrSection], binary: BinFile, needing: list[ConstantBytes]) -> Iterator[Problem]:
    """Report weights that are NaN or infinite, of a file of this model; they are not fetched from a store only to look at them."""
    if not binary.is_foreign and file_source() is DISK:
        yield from number_problems(sections, binary, needing)


def _of_bytes(
    sections: list[IrSection],
    binary: BinFile,
    extensions: Extensions,
    needing: list[ConstantBytes],
    ranges: list[ConstantBytes],
    is_short: bool,
    is_sound: bool,
) -> Iterator[Problem]:
    """Report problems of the bytes of a file, and decide whether they are of this model."""
    used = max((one.end for one in ranges), default=0)
    tail = None
    if used < binary.size and not is_short:
        from irlint.formats.openvino.unused_bytes import unused_bytes

        tail = unused_bytes(binary, used, needing)
    binary.is_foreign = used < binary.size if tail is None else tail.actual_severity > Severity.INFO
    if not binary.is_foreign:
        yield from _strings(binary, needing)
        yield from string_problems(sections, binary, extensions)
    overlaps = [*overlap_problems(ranges, binary.size)]
    yield from overlaps
    if tail is not None:
        yield tail
    elif is_sound and not overlaps and not _follow(ranges):
        from irlint.formats.openvino.unused_bytes import hole_problems

        yield from hole_problems(binary, ranges)


def _follow(ranges: list[ConstantBytes]) -> bool:
    """Return whether the constants leave no bytes between them, in the order of the file."""
    far = 0
    for one in ranges:
        if one.start > far:
            return False
        far = max(far, one.end)
    return True


def _stored(section: IrSection, model: Model, sizes: Sizes) -> tuple[list[ConstantBytes], list[Problem]]:
    """Return where the constants of a section are, and what is wrong with their attributes."""
    graph = section.graph
    found: list[ConstantBytes] = []
    problems: list[Problem] = []
    for node in graph.nodes:
        if node.kind == "const":
            place = _usual_place(node.attrs, sizes)
            if place is None and id(node) not in model.silent and section.layers[node.index].data is not None:
                own, place = _odd(section, node)
                problems += own
            if place is not None:
                found.append(ConstantBytes(*place, graph, node))
    return found, problems


def _usual_place(data: dict[str, str], sizes: Sizes) -> tuple[int, int] | None:
    """Return where the bytes of a constant are; None if its attributes are not plain numbers that match each other."""
    try:
        said, text = (data["element_type"], data["shape"], data["size"]), data["offset"]
        size = sizes[said] if said in sizes else sizes.setdefault(said, _right_size(*said))
        offset = int(text)
    except (KeyError, ValueError):
        return None
    if size is None or len(data) != 4 or not (text.isdigit() and text.isascii()) or offset + size >= _LIMIT:
        return None
    return offset, offset + size


def _too_large(graph: Graph) -> Iterator[Problem]:
    """Report Parameters too large to address: they are read, but not compiled."""
    for index in graph.inputs:
        node = graph.nodes[index]
        type_, shape = node.attrs.get("element_type", "").lower(), node.attrs.get("shape", "")
        size = byte_count(type_, shape.strip().removeprefix("[").removesuffix("]"), _LIMIT - 1)
        if size is not None and size >= _ADDRESSES:
            message = _unaddressable(node, shape, type_, size)
            yield Problem(R.too_large, graph.place(node, "attr:shape"), message, node.name)


def _unaddressable(node: Node, shape: str, type_: str, size: int) -> str:
    return f"shape `{shape}` of {label(node)} takes {told(size)} bytes as `{type_}`; no machine can address them"


def _right_size(type_: str, shape: str, size: str) -> int | None:
    """Return the size of a tensor if it is written plainly and matches its type and shape."""
    number = int(size)
    is_right = size.isdigit() and size.isascii() and number == byte_count(type_, shape, None)
    return number if is_right else None


def _odd(section: IrSection, node: Node) -> tuple[list[Problem], tuple[int, int] | None]:
    """Return what is wrong with an irregular Const, and where its bytes are if that is known."""
    graph, data = section.graph, node.attrs
    operator = operator_of(node.op, node.version)
    if operator is None:
        return [], None
    # OpenVINO 2026.4.1: value='1,2,3,4' gives the characters as bytes, and a tensor of 16 bytes reads 9 beyond these 7
    if "value" in data and "offset" not in data:
        message = f"expected `offset` and `size` for {label(node)}, got `value`; OpenVINO reads the text of `value` as the raw bytes"
        return [_unknown_attribute(graph, node, "value", message)], None
    unknown = [name for name in data if name not in operator.attributes]
    messages = {name: f"unknown attribute `{name}` for {label(node)}; OpenVINO ignores it" for name in unknown}
    problems = [_unknown_attribute(graph, node, name, message) for name, message in messages.items()]
    problems += _odd_values(section, node, operator)
    if any(problem.is_error for problem in problems):
        return problems, None
    problem, place = _size(graph, node)
    return problems if problem is None else [*problems, problem], place


def _unknown_attribute(graph: Graph, node: Node, name: str, message: str) -> Problem:
    at = graph.place(node, f"attr_key:{name}")
    return Problem(R.unknown_attribute, at, message, node.name, severity=Severity.WARNING)


def _odd_values(section: IrSection, node: Node, operator: Operator) -> Iterator[Problem]:
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


def _size(graph: Graph, node: Node) -> tuple[Problem | None, tuple[int, int] | None]:
    """Return what is wrong with the size of a Const, and where its bytes are."""
    shape, type_ = node.attrs["shape"], node.attrs["element_type"].lower()
    if shape.count(",") >= MOST_AXES:
        return None, None
    dims = _dims(shape)
    if any(dim < 0 for dim in dims):
        message = f"expected known dimensions for `shape` of {label(node)}, got `{shape}`"
        return Problem(R.wrong_attribute_type, graph.place(node, "attr:shape"), message, node.name), None
    offset, size = int(unsigned(node.attrs["offset"]) or 0), int(unsigned(node.attrs["size"]) or 0)
    place = offset, offset + size
    if type_ not in BITS:
        return None, place
    expected = bytes_of(prod(dims), type_)
    if expected >= _LIMIT:
        message = _unaddressable(node, shape, type_, expected)
        return Problem(R.too_large, graph.place(node, "attr:shape"), message, node.name), None
    if size == expected or (expected == 0 and size == 1):  # the writer keeps a byte for a tensor without elements
        return None, place
    words = f"shape `{shape}`" if shape else "a scalar"
    message = f"expected {expected} for `size` of {label(node)} (`{type_}`, {words}), got `{size}`"
    fix, related = _declared(graph, node, type_, size) if size > expected else (None, [])
    if size > expected:  # of too few, the search for repairs finds the shape
        message += "; OpenVINO ignores the rest"
    at = graph.place(node, "attr:size")
    severity = error_if(size < expected)
    return Problem(R.weights_mismatch, at, message, node.name, fix, related, severity), place


def _declared(graph: Graph, node: Node, type_: str, size: int) -> tuple[Repair | None, list[tuple[str, Place]]]:
    """Return the fix that writes the shape that the port of a Const declares, and the port, if that shape takes all bytes."""
    shape = node.outputs[0].type.shape if node.outputs else None
    dims = [dim for dim in shape or () if isinstance(dim, int)]
    if not dims or len(dims) != len(shape or ()) or bytes_of(prod(dims), type_) != size:
        return None, []
    right = ", ".join(map(str, dims))
    fix = writing(graph.place(node, "attr:shape"), right, f"Set `shape` to `{right}`")
    return fix, [(f"declared with {size} bytes here", graph.place(node, "output:0"))]


def _file_trouble(
    model: Model, binary: BinFile, needing: list[ConstantBytes], short: list[ConstantBytes]
) -> Problem | None:
    """Report a .bin that is missing or not a weights file: one finding, whatever the number of constants."""
    at, many = needing[0].place(), len(needing)
    need = f"{count(many, 'constant')} {'uses' if many == 1 else 'use'} it"
    file = f"weights file {binary.path.name!r}"
    if binary.state == "missing":
        from irlint.missing_weights import missing

        message = f"{file} not found next to the model; {need}"
        size = max((one.end for one in short), default=None)
        return missing(model, R.missing_weights, at, message, binary.path, size=size)
    if binary.is_pointer:
        from irlint.missing_weights import pointer

        return pointer(model, R.weights_format, at, f"{file} is {binary.what()}")
    troubles = {
        "outside": (
            R.unsafe_path,
            f"is a link to {binary.real!r}, outside the model's folder; irlint does not open it",
        ),
        "odd": (R.weights_format, "is not a regular file"),
        "unreadable": (R.missing_weights, f"cannot be read; {need}"),
    }
    rule, what = troubles.get(binary.state, (R.weights_format, None))
    if what is not None:
        return Problem(rule, at, f"{file} {what}")
    if not short:
        return None
    if (other := binary.what()) is not None:
        return Problem(R.weights_format, at, f"{file} is {other}; {need}")
    if binary.size == 0:
        return Problem(R.weights_too_short, at, f"{file} is empty; {need}")
    return _past_end(binary, many, short) if len(short) > 1 else None


def _past_end(binary: BinFile, many: int, short: list[ConstantBytes]) -> Problem:
    first, *others = short
    last = max(one.end for one in short)
    message = (
        f"{len(short)} of {many} constants read past the end of weights file {binary.path.name!r};"
        f" it has {binary.size} bytes, expected {last}"
    )
    related = [(f"{label(one.node)} is past the end", one.place()) for one in others]
    return Problem(R.weights_too_short, first.place(), message, related=related)


def _beyond(binary: BinFile, one: ConstantBytes) -> Problem:
    part = "offset" if one.start >= binary.size or one.end - one.start <= binary.size else "size"
    file = f"weights file {binary.path.name!r} ({binary.size} bytes)"
    message = f"{label(one.node)} reads bytes {one.start} to {one.end}, past the end of {file}"
    return Problem(R.weights_too_short, one.place(part), message, one.node.name)


def _strings(binary: BinFile, needing: list[ConstantBytes]) -> Iterator[Problem]:
    """Report constants of strings whose bytes are not strings."""
    for one in needing:
        is_read = one.end <= binary.size and one.node.attrs["element_type"].lower() == "string"
        data = binary.read(one.start, one.end - one.start) if is_read else None
        fault = None if data is None else packed_fault(data, prod(_dims(one.node.attrs["shape"])))
        if fault is not None:
            message = f"the bytes of {label(one.node)} are not packed strings: {fault}"
            yield Problem(R.weights_mismatch, one.place("element_type"), message, one.node.name)
