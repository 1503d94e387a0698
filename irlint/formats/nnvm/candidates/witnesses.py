"""What the rest of a file tells of the attributes of a node: counts, shapes of parameters, the places in a loop's body."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from irlint.formats.nnvm.state import state_of
from irlint.rules.base import Model

if TYPE_CHECKING:
    from irlint.formats.nnvm.candidates.site import Site

_NUMBERS = re.compile(r"\d{1,9}")
_LOCATIONS = ("in_data_locs", "in_state_locs", "remain_locs")  # of a _foreach: which inputs of its body are which


def counted(site: Site, key: str) -> list[str]:
    """Values of an attribute that follow from what can be counted."""
    if key in _LOCATIONS:
        return _locations(site, key)
    bodies = [body for body in _list(site.node.get("subgraphs")) if isinstance(body, dict)]
    if key == "num_args":
        return [str(len(site.entries) + len(bodies))]
    if bodies and key in ("num_outputs", "num_out_data"):
        heads = len(_list(bodies[-1].get("heads")))
        states = numbers_of(site.attributes.get("in_state_locs")) or []
        return [str(heads - len(states) if key == "num_out_data" else heads)]
    if key == "num_outputs":
        outputs = [output for node, output in site.used if node == site.index]
        return [str(max(outputs) + 1)] if outputs else []
    return []


def _locations(site: Site, key: str) -> list[str]:
    """The inputs of a loop's body that the other attributes leave."""
    taken = [numbers_of(site.attributes.get(other)) for other in _LOCATIONS if other != key]
    if any(numbers is None for numbers in taken) or len(site.entries) > 256:
        return []
    used = {number for numbers in taken for number in numbers or ()}
    rest = [k for k in range(len(site.entries)) if k not in used]
    texts = [f"[{', '.join(map(str, rest))}]"]
    old = numbers_of(site.attributes.get(key)) or []
    if set(old) == set(rest) or len(rest) != 2:
        return texts
    return [*texts, f"[{rest[1]}, {rest[0]}]"]


def stored_shapes(model: Model) -> dict[str, tuple[int, ...]]:
    """The shapes in the parameter file, by name."""
    if (opened := state_of(model).params) is None:
        return {}
    return {array.name.rpartition(":")[2]: array.shape for array in opened[1].arrays if array.shape}


def numbers_of(value: Any) -> list[int] | None:
    return [int(found) for found in _NUMBERS.findall(value)[:64]] if isinstance(value, str) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
