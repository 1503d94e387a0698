"""D101 memory-plan."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from irlint.findings import Problem
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.c_values import as_int
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.shapes.base import KnownTensor
from irlint.formats.lightnet.shapes.infer import Types
from irlint.formats.lightnet.signature import signature
from irlint.graph import label
from irlint.operators import table
from irlint.rules.base import Example, Model, Rule
from irlint.text.base import Place
from irlint.text.words import count

_COMPILED = """\
{
  "mem_sizes_h": [0, 0],
  "mem_sizes_l": [0, 9],
  "ops": [
    {"name": "z", "optype": "zeros_cpu", "tensors_in": [],
     "tensors_out": [{"arg_name": "dst", "name": "a", "dims": [2], "offset_h": 0, "offset_l": 1}],
     "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2]}]},
    {"name": "show", "optype": "print_cpu",
     "tensors_in": [{"arg_name": "src", "name": "a", "dims": [2], "offset_h": 0, "offset_l": 1}], "tensors_out": [],
     "params": [{"arg_name": "msg", "value": "a"}]}
  ]
}
"""

# which of mem_sizes belongs to an architecture; LightNet has a memory type more for each that it is built with
_MEMORY = {"cpu": 1, "cuda": 2, "cudnn": 2, "tensorrt": 2}


TYPES = 2  # of memory, in a LightNet for the cpu: none and the cpu's


class MemoryPlan(Rule):
    """
    What it does
        Checks for tensors of a compiled file without a memory offset, or that end past the memory that the file
        declares.

    Why is this bad
        LightNet refuses to run the file (`lightnet -r`).

    Example
        ```json
        "mem_sizes_l": [0, 9], ... {"arg_name": "dst", "name": "a", "dims": [2], "offset_h": 0, "offset_l": 4}
        ```
        for 8 bytes starting at byte 4 of 9.

    Use instead
        Compile the source file again.
    """

    row = R.memory_plan
    formats = ("lightnet",)
    valid = (Example(_COMPILED, "lightnet"),)
    invalid = (
        Example(
            _COMPILED.replace('"offset_l": 1}],\n     "params"', '"offset_l": 4}],\n     "params"', 1), "lightnet", "4"
        ),
        Example(
            _COMPILED.replace('"offset_l": 1}],\n     "params"', '"offset_l": 0}],\n     "params"', 1), "lightnet", "0"
        ),
    )

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        value = getattr(model.document, "value", None)
        high, low = (value.get("mem_sizes_h"), value.get("mem_sizes_l")) if isinstance(value, dict) else (None, None)
        if not isinstance(high, list) or not isinstance(low, list):
            return
        yield from _length_problems(model, high, low)
        if model.dialect == "compiled":
            yield from cls._places(model)
            yield from _one_cause(list(beyond_memory(model, state_of(model).tensors)))

    @classmethod
    def _places(cls, model: Model) -> Iterator[Problem]:
        ops = state_of(model).ops
        for node in model.graph.nodes:
            for k, entry in enumerate(ops[node.index]["tensors_out"]):
                if "offset_h" not in entry and "offset_l" not in entry:
                    message = f"missing memory offset of {entry['name']!r} in {label(node)}; compiled files declare one"
                    yield Problem(R.memory_plan, Place((*node.path, "tensors_out", k, "name")), message, node.name)
                elif _offset(entry) == 0:
                    message = f"expected a nonzero memory offset for {entry['name']!r} in {label(node)}, got 0"
                    yield Problem(R.memory_plan, Place((*node.path, "tensors_out", k, "offset_l")), message, node.name)


def beyond_memory(model: Model, types: Types) -> Iterator[tuple[int, Problem]]:
    """Yield tensors that end past the memory that the file declares, each with the index of that memory."""
    value = getattr(model.document, "value", None)
    high, low = (value.get("mem_sizes_h"), value.get("mem_sizes_l")) if isinstance(value, dict) else (None, None)
    if not isinstance(high, list) or not isinstance(low, list):
        return
    sizes = [_joined(h, b) for h, b in zip(high, low, strict=False)]
    ops = state_of(model).ops
    for node in model.graph.nodes:
        known = signature(node.op)
        memory = _MEMORY.get(known.architecture, len(sizes)) if known is not None else len(sizes)
        size = sizes[memory] if memory < len(sizes) else None
        for k, entry in enumerate(ops[node.index]["tensors_out"]):
            offset = _offset(entry)
            end = _end(offset, types[node.index][k]) if offset != 0 else 0
            if size is not None and end > size:
                place = Place((*node.path, "tensors_out", k, "offset_l"))
                message = f"{entry['name']!r} in {label(node)} ends at byte {end}, past the {size} bytes that `mem_sizes` reserves"
                yield memory, Problem(R.memory_plan, place, message, node.name)


def _offset(entry: dict[str, Any]) -> int | None:
    """Return the offset of a tensor; 0, which is invalid, if it has none."""
    if "offset_h" not in entry and "offset_l" not in entry:
        return 0
    return _joined(entry.get("offset_h"), entry.get("offset_l"))


def _end(offset: int | None, tensor: KnownTensor) -> int:
    """Return the byte at which a tensor ends; 0 if unknown."""
    element = table("lightnet").raw["dtypes"].get(tensor.dtype)
    if offset is None or tensor.dims is None or element is None:
        return 0
    return offset + int(prod(tensor.dims) * element["bytes"])


def _one_cause(beyond: list[tuple[int, Problem]]) -> Iterator[Problem]:
    """Blame the declared size if several tensors end past it."""
    for memory in dict.fromkeys(memory for memory, _ in beyond):
        problems = [problem for which, problem in beyond if which == memory]
        if len(problems) > 1:
            message = f"{problems[0].message} (and {count(len(problems) - 1, 'more tensor')})"
            problems = [Problem(R.memory_plan, Place(("mem_sizes_l", memory)), message)]
        yield from problems


def _joined(high: Any, low: Any) -> int | None:
    """Return the 64-bit number of two 32-bit halves."""
    if not all(isinstance(half, (int, float)) and not isinstance(half, bool) for half in (high, low)):
        return None
    return (as_int(high) % 2**32) * 2**32 + as_int(low) % 2**32


def _length_problems(model: Model, high: list[Any], low: list[Any]) -> Iterator[Problem]:
    by_op = state_of(model).by_op
    is_plain = all((known := signature(op)) is None or known.architecture in ("none", "cpu") for op in by_op)
    halves = {"mem_sizes_h": len(high), "mem_sizes_l": len(low)}
    if len(high) != len(low):
        wrong = "mem_sizes_h" if len(low) == TYPES else "mem_sizes_l"
        message = f"expected as many entries in `mem_sizes_h` and `mem_sizes_l`, got {len(high)} and {len(low)}"
    elif len(high) < TYPES or (is_plain and len(high) > TYPES):
        wrong = "mem_sizes_h"
        message = f"expected {TYPES} entries in `mem_sizes` for LightNet's cpu target, got {len(high)}"
    else:
        return
    related = [
        (f"other half declared here ({count(size, 'entry', 'entries')})", Place((key,)))
        for key, size in halves.items()
        if key != wrong
    ]
    yield Problem(R.wrong_length, Place((wrong,)), message, related=related)
