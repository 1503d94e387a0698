"""D101 memory-plan."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from irlint.findings import Problem
from irlint.formats.lightnet.reading.c_values import as_int
from irlint.formats.lightnet.reading.graph import object_of, state_of
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import KnownTensor
from irlint.formats.lightnet.shapes.infer import Types
from irlint.formats.lightnet.signature import architecture
from irlint.graph import Node, label
from irlint.operators import table
from irlint.rules.base import Model, Rule
from irlint.text.base import Place
from irlint.text.words import count

# which of mem_sizes belongs to an architecture; LightNet has a memory type more for each that it is built with
_MEMORY: dict[str | None, int] = {"cpu": 1, "cuda": 2, "cudnn": 2, "tensorrt": 2}


TYPES = 2  # of memory, in a LightNet for the cpu: none and the cpu's


class MemoryPlan(Rule):
    """
    What it does
        Checks for tensors of a compiled file without a memory offset, or that end past the memory that the file
        declares.

    Why is this bad
        LightNet refuses to run the file (`lightnet -r`).
    """

    row = R.memory_plan
    formats = ("lightnet",)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        if (halves := _halves(model)) is None:
            return
        yield from _length_problems(model, *halves)
        if model.dialect == "compiled":
            yield from _offset_problems(model)
            yield from _one_cause(list(beyond_memory(model, state_of(model).tensors)))


def _halves(model: Model) -> tuple[list[Any], list[Any]] | None:
    """Return the high and the low halves of the sizes of memory, if the file declares both."""
    declared = object_of(model)
    high, low = declared.get("mem_sizes_h"), declared.get("mem_sizes_l")
    return (high, low) if isinstance(high, list) and isinstance(low, list) else None


def _outputs(model: Model) -> Iterator[tuple[Node, int, dict[str, Any]]]:
    ops = state_of(model).ops
    return ((node, k, entry) for node in model.graph.nodes for k, entry in enumerate(ops[node.index]["tensors_out"]))


def _offset_problems(model: Model) -> Iterator[Problem]:
    for node, k, entry in _outputs(model):
        if "offset_h" not in entry and "offset_l" not in entry:
            message = f"missing memory offset of {entry['name']!r} in {label(node)}; compiled files declare one"
            yield Problem(R.memory_plan, Place((*node.path, "tensors_out", k, "name")), message, node.name)
        elif _offset(entry) == 0:
            message = f"expected a nonzero memory offset for {entry['name']!r} in {label(node)}, got 0"
            yield Problem(R.memory_plan, Place((*node.path, "tensors_out", k, "offset_l")), message, node.name)


def beyond_memory(model: Model, types: Types) -> Iterator[tuple[int, Problem]]:
    """Yield tensors that end past the memory that the file declares, each with the index of that memory."""
    sizes = [_joined(*pair) for pair in zip(*(_halves(model) or ([], [])), strict=False)]
    for node, k, entry in _outputs(model):
        memory = _MEMORY.get(architecture(node.op), len(sizes))
        size = sizes[memory] if memory < len(sizes) else None
        end = _end(_offset(entry), types[node.index][k])
        if size is not None and end > size:
            place = Place((*node.path, "tensors_out", k, "offset_l"))
            message = f"{entry['name']!r} in {label(node)} ends at byte {end}, past the {size} bytes that `mem_sizes` reserves"
            yield memory, Problem(R.memory_plan, place, message, node.name)


def _offset(entry: dict[str, Any]) -> int | None:
    return _joined(entry.get("offset_h"), entry.get("offset_l"))


def _end(offset: int | None, tensor: KnownTensor) -> int:
    """Return the byte at which a tensor ends; 0 if unknown."""
    element = table("lightnet").raw["dtypes"].get(tensor.dtype)
    if not offset or None in (tensor.dims, element):
        return 0
    return offset + int(prod(tensor.dims) * element["bytes"])


def _one_cause(beyond: list[tuple[int, Problem]]) -> Iterator[Problem]:
    """Blame the declared size if several tensors end past it."""
    for memory in dict.fromkeys(memory for memory, _ in beyond):
        first, *others = [problem for which, problem in beyond if which == memory]
        if others:
            message = f"{first.message} (and {count(len(others), 'more tensor')})"
            first = Problem(R.memory_plan, Place(("mem_sizes_l", memory)), message)
        yield first


def _joined(high: Any, low: Any) -> int | None:
    """Return the 64-bit number of two 32-bit halves."""
    if not {type(high), type(low)} <= {int, float}:
        return None
    return (as_int(high) % 2**32) * 2**32 + as_int(low) % 2**32


def _length_problems(model: Model, high: list[Any], low: list[Any]) -> Iterator[Problem]:
    is_plain = {"none", "cpu", None}.issuperset(map(architecture, state_of(model).by_op))
    wrong, other = ("mem_sizes_h", high), ("mem_sizes_l", low)
    if len(high) != len(low):
        if len(low) != TYPES:
            wrong, other = other, wrong
        message = f"expected as many entries in `mem_sizes_h` and `mem_sizes_l`, got {len(high)} and {len(low)}"
    elif len(high) < TYPES or (is_plain and len(high) > TYPES):
        message = f"expected {TYPES} entries in `mem_sizes` for LightNet's cpu target, got {len(high)}"
    else:
        return
    related = [(f"other half declared here ({count(len(other[1]), 'entry', 'entries')})", Place((other[0],)))]
    yield Problem(R.wrong_length, Place((wrong[0],)), message, related=related)
