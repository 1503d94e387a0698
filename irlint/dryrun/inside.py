"""The origin of a nested graph's variable: an input of the node that contains the graph."""

from __future__ import annotations

from irlint.dryrun.mapping import Mapping
from irlint.dryrun.ops.shared.nesting import Part
from irlint.graph import Graph
from irlint.text.base import Place


def source_of(root: Graph, mapping: Mapping, graph: Graph, variable: int) -> Place | None:
    """Return the input of the node around `graph` that sets the variable; None if unknown."""
    holder = graph.parent
    if holder is None:
        return None
    outer = next((g for g in root.walk() if holder.index < len(g.nodes) and g.nodes[holder.index] is holder), None)
    call = mapping.sound_call(outer, holder) if outer is not None else None
    if outer is None or call is None:
        return None
    for part in call.attrs.get("parts", ()):
        if isinstance(part, Part) and part.graph is graph and variable in part.variables:
            return outer.place(holder, f"input:{part.sources[list(part.variables).index(variable)]}")
    return None
