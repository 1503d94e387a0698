"""_foreach, _while_loop, _cond and fused subgraphs: which input of the node fills which variable of the graphs inside."""

from __future__ import annotations

from collections.abc import Callable

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.ops.shared.nesting import Part
from irlint.formats.nnvm.dryrun.calls import SymbolAttrs
from irlint.graph import Graph, Node


def variables_of(graph: Graph) -> list[int]:
    """A graph's variables in the order in which its outputs come to need them, which is how the loader counts them."""
    nodes, found = graph.nodes, []
    done = bytearray(len(nodes))
    for start in (source[0] for source in graph.outputs):
        stack = [start]
        while stack:
            index = stack.pop()
            if index < 0 or done[index]:
                continue
            done[index] = 1
            if nodes[index].kind == "var":
                found.append(index)
            stack.extend(source[0] for source in reversed(nodes[index].inputs))
    return found


def _part(graph: Graph, sources: tuple[int, ...] | None = None) -> Part:
    variables = variables_of(graph)
    if sources is not None and len(sources) != len(variables):
        raise Undecided
    return Part(graph, variables, range(len(variables)) if sources is None else sources)


def _foreach(node: Node, attrs: SymbolAttrs) -> Call:
    (body,) = node.graphs
    data, states, rest = (attrs[name] or () for name in ("in_data_locs", "in_state_locs", "remain_locs"))
    places = (*data, *states, *rest)
    if sorted(places) != list(range(len(node.inputs))):
        raise Undecided
    sources = [0] * len(places)
    for operand, place in enumerate(places):
        sources[place] = operand
    given = {
        "parts": [_part(body, tuple(sources))],
        "data": range(len(data)),
        "states": range(len(data), len(data) + len(states)),
        "kept": attrs["num_out_data"],
    }
    return Call(operator("shared/nesting.ForEach"), given)


def _while(node: Node, attrs: SymbolAttrs) -> Call:
    condition, body = node.graphs
    sources = tuple(attrs["func_input_locs"] or ())
    given = {
        "parts": [_part(condition, tuple(attrs["cond_input_locs"] or ())), _part(body, sources)],
        "states": [sources[k] for k in attrs["func_var_locs"] or ()],
        "kept": attrs["num_out_data"],
        "limit": attrs["max_iterations"],
    }
    return Call(operator("shared/nesting.While"), given)


def _cond(node: Node, attrs: SymbolAttrs) -> Call:
    names = ("cond_input_locs", "then_input_locs", "else_input_locs")
    parts = [_part(graph, tuple(attrs[name] or ())) for graph, name in zip(node.graphs, names, strict=True)]
    return Call(operator("shared/nesting.Either"), {"parts": parts})


def _fused(node: Node, attrs: SymbolAttrs) -> Call:
    if "quantized" in attrs.operator.attributes and attrs["quantized"]:
        raise Undecided
    (body,) = node.graphs
    return Call(operator("shared/nesting.Inline"), {"parts": [_part(body)]})


_KINDS: dict[str, Callable[[Node, SymbolAttrs], Call]] = {
    "_foreach": _foreach,
    "_while_loop": _while,
    "_cond": _cond,
    "_sg_mkldnn_conv": _fused,
    "_sg_mkldnn_fully_connected": _fused,
    "_CachedOp": _fused,
}


def call_of(node: Node, attrs: SymbolAttrs) -> Call | None:
    """The call of a node with graphs inside; None for kinds that are not known."""
    make = _KINDS.get(attrs.operator.name)
    if make is None:
        return None
    try:
        return make(node, attrs)
    except (ValueError, IndexError):
        raise Undecided from None
