"""The weights of a pnnx graph: their shapes, as declared with `@`, against the operators' parameters, and against the archive of
stored entries OPERATOR.NAME that is next to the graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from irlint.codes import R
from irlint.files.npz import members
from irlint.files.side_files import SideFile, foreign
from irlint.findings import Problem
from irlint.formats.layers_graph import weights_file
from irlint.formats.pnnx.operators import LineFacts
from irlint.graph import Graph, Node
from irlint.missing_weights import unopened
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.numbers import decimal
from irlint.text.words import count

_BYTES = {"bool": 1, "complex32": 4}


def tensor_problems(graph: Graph, facts: Sequence[LineFacts]) -> Iterator[Problem]:
    """Report shapes that differ from what parameters demand."""
    known = table("pnnx")
    for node, weights in [(node, one.weights) for node, one in zip(graph.nodes, facts, strict=True) if one.weights]:
        operator = known.get(node.op)
        formulas = operator.facts.get("weights", {}) if operator else {}
        shapes = ((name, formula, weights[name].shape) for name, formula in formulas.items() if name in weights)
        found = (_shape_problem(node, name, formula.split(","), shape) for name, formula, shape in shapes if shape)
        # what is wrong with one tensor is probably wrong with the next
        yield from [problem for problem in found if problem is not None][:1]


def _shape_problem(node: Node, name: str, terms: Sequence[str], shape: Sequence[Any]) -> Problem | None:
    expected: list[tuple[str, int | None]] = []  # the parameter that decides a size, and the size
    for term in terms:
        sizes = _sizes(node.attrs, term)
        if sizes is None and term.startswith("*"):
            return None
        expected += [(term.partition("/")[0].strip("*"), size) for size in sizes or [None]]
    wrong = [parameter for (parameter, size), got in zip(expected, shape, strict=False) if size not in (None, got)]
    if not wrong and len(expected) == len(shape):
        return None
    parameter = wrong[0] if wrong else expected[-1][0]
    meant = ",".join("?" if size is None else str(size) for _, size in expected)
    message = f"`{parameter}` demands shape ({meant}) of `@{name}`, got ({','.join(map(str, shape))})"
    related = [("declared here", Place((node.index, "value", f"@{name}")))]
    return Problem(R.shape_mismatch, Place((node.index, "value", parameter)), message, node.name, related=related)


def _sizes(attrs: Mapping[str, Any], term: str) -> Sequence[int | None] | None:
    """Return the sizes that a term such as `in_channels/groups` or `*kernel_size` stands for; None if they are unknown."""
    name, _, divisor = term.partition("/")
    value, by = attrs.get(name.strip("*")), attrs.get(divisor, 1)
    if term.startswith("*"):
        if isinstance(value, str) and value.startswith("("):
            value = [decimal(item, 9) for item in value.strip("()").split(",")]
        return value if isinstance(value, list) and None not in value else None
    return [value // by] if isinstance(value, int) and isinstance(by, int) and by > 0 else None


def weight_problems(model: Model, facts: Sequence[LineFacts]) -> Iterator[Problem]:
    """Report entries of the archive that are missing or have another size than is declared."""
    wanted = [(k, name) for k, one in enumerate(facts) for name in one.weights]
    if not wanted or (file := weights_file(model)) is None:
        return
    first, name = Place((wanted[0][0], "value", f"@{wanted[0][1]}")), file.path.name
    need = f"{count(len(wanted), 'tensor')} {'is' if len(wanted) == 1 else 'are'} read from it"
    if (trouble := unopened(model, file, first, need, is_named=False)) is not None:
        yield trouble
    elif (entries := _entries(file)) is None:
        what = foreign(file.data) or "damaged or another kind of file"
        yield Problem(R.weights_format, first, f"expected {name!r} to be a zip archive of stored entries; it is {what}")
    else:
        yield from _compared(model.graph, facts, wanted, entries, name)
        read = {f"{model.graph.nodes[k].name}.{key}" for k, key in wanted}
        if idle := [entry for entry in entries if entry not in read]:
            more = f" and {len(idle) - 1:,} more" if len(idle) > 1 else ""
            yield Problem(R.unused_weights, first, f"{name!r} has entries that no operator reads: {idle[0]!r}{more}")


def _compared(
    graph: Graph, facts: Sequence[LineFacts], wanted: Sequence[tuple[int, str]], entries: Mapping[str, int], file: str
) -> Iterator[Problem]:
    """Report tensors whose entry is missing, cannot be read, or has another size."""
    for k, key in wanted:
        node, type_ = graph.nodes[k], facts[k].weights[key]
        if type_.dtype is None or type_.shape is None or 0 in type_.shape:
            continue
        entry, at = f"{node.name}.{key}", Place((k, "value", f"@{key}"))
        size, stored = prod(int(str(n)) for n in type_.shape) * _size(type_.dtype), entries.get(entry)
        if stored is None:
            yield Problem(R.missing_weights, at, f"{file!r} has no entry {entry!r}", node.name)
        elif stored < 0:
            message = f"entry {entry!r} of {file!r} is compressed or streamed; pnnx reads stored entries only"
            yield Problem(R.weights_format, at, message, node.name)
        elif stored != size:
            rule = R.weights_too_short if stored < size else R.weights_mismatch
            message = f"expected {size:,} bytes of {entry!r} in {file!r}, got {stored:,}"
            yield Problem(rule, at, message, node.name)


def _entries(file: SideFile) -> dict[str, int] | None:
    """Return the sizes of the entries, -1 of those that pnnx cannot read; None if it is not an archive."""
    try:
        found = members(file.data)
    except ValueError:
        return None
    return {one.filename: -1 if one.compress_type or one.flag_bits & 8 else one.file_size for one in found}


def _size(dtype: str) -> int:
    return _BYTES.get(dtype) or int("".join(filter(str.isdigit, dtype))) // 8
