"""What the rest of a file tells of the attributes of a node: counts, the shapes of its parameters, the places in a loop's body."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from irlint.formats.nnvm.candidates.nodes import Site

_NUMBERS = re.compile(r"\d{1,9}")
_LOCATIONS = ("in_data_locs", "in_state_locs", "remain_locs")  # of a _foreach: which inputs of its body are which
_PARAMETERS = 8  # of one node whose shapes are looked at


def counted(site: Site, key: str) -> list[str]:
    """Values of an attribute that follow from what can be counted."""
    if key in _LOCATIONS:
        return _locations(site, key)
    bodies = [body for body in _list(site.node.get("subgraphs")) if isinstance(body, dict)]
    if key == "num_args":
        return [str(len(site.entries) + len(bodies))]
    if bodies and key in ("num_outputs", "num_out_data"):
        heads = len(_list(bodies[-1].get("heads")))
        states = _numbers(site.attrs.get("in_state_locs")) or []
        return [str(heads - len(states) if key == "num_out_data" else heads)]
    if key == "num_outputs":
        outputs = [output for node, output in site.read if node == site.index]
        return [str(max(outputs) + 1)] if outputs else []
    return []


def _locations(site: Site, key: str) -> list[str]:
    """The inputs of a loop's body that the other attributes leave."""
    taken = [_numbers(site.attrs.get(other)) for other in _LOCATIONS if other != key]
    if any(numbers is None for numbers in taken) or len(site.entries) > 256:
        return []
    used = {number for numbers in taken for number in numbers or ()}
    rest = [k for k in range(len(site.entries)) if k not in used]
    texts = [f"[{', '.join(map(str, rest))}]"]
    old = _numbers(site.attrs.get(key)) or []
    if set(old) == set(rest) or len(rest) != 2:
        return texts
    return [*texts, f"[{rest[1]}, {rest[0]}]"]


def declared_sizes(site: Site) -> Iterator[str]:
    """The dimensions of a node's parameters."""
    for shape in _shapes(site):
        yield from map(str, shape)


def declared_windows(site: Site) -> Iterator[str]:
    """The kernels that the weights of a node have: the dimensions behind the first two."""
    for shape in _shapes(site):
        if len(shape) > 2:
            kernel = shape[2:]
            yield f"({kernel[0]},)" if len(kernel) == 1 else f"({', '.join(map(str, kernel))})"


def _shapes(site: Site) -> Iterator[tuple[int, ...]]:
    """The shapes of the variables that a node reads behind its first input, as the file or the parameter file tells them."""
    stored = _stored(site)
    for entry in site.entries[1:_PARAMETERS]:
        index = entry[0] if isinstance(entry, list) and entry else None
        other = site.nodes[index] if type(index) is int and 0 <= index < len(site.nodes) else None
        if not isinstance(other, dict) or other.get("op") != "null":
            continue
        held = next((value for key in ("attrs", "attr", "param") if isinstance(value := other.get(key), dict)), {})
        shape = _numbers(held.get("__shape__")) or stored.get(str(other.get("name")))
        if shape and 0 not in shape:
            yield tuple(shape)


def _stored(site: Site) -> dict[str, tuple[int, ...]]:
    """The shapes in the parameter file, by name."""
    if (opened := site.model.extra.get("params")) is None:
        return {}
    return {array.name.rpartition(":")[2]: array.shape for array in opened[1].arrays if array.shape}


def _numbers(value: Any) -> list[int] | None:
    return [int(found) for found in _NUMBERS.findall(value)[:64]] if isinstance(value, str) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
