"""_foreach, _while_loop, _cond and fused subgraphs: which input of the node fills which variable of the graphs inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irlint.dryrun.entries import Entry, Row, Spec
from irlint.dryrun.errors import Undecided
from irlint.dryrun.ops.shared.nesting import Part
from irlint.formats.nnvm.dryrun.calls import SymbolAttrs
from irlint.graph import Graph


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


Sources = Sequence[int] | None  # inputs of the node for the variables of a graph inside; None: all, in order


def _part(graph: Graph, sources: Sources) -> Part:
    variables = variables_of(graph)
    if sources is None:
        return Part(graph, variables, range(len(variables)))
    if len(sources) != len(variables):
        raise Undecided
    return Part(graph, variables, sources)


def _parts(*sources: Callable[[SymbolAttrs], Sources]) -> Spec:
    """The graphs inside, each with its sources."""
    return lambda attrs: [_part(graph, read(attrs)) for graph, read in zip(attrs.graphs, sources, strict=True)]


def _listed(label: str) -> Callable[[SymbolAttrs], Sequence[int]]:
    return lambda attrs: attrs[label] or ()


_data, _states, _rest = map(_listed, ("in_data_locs", "in_state_locs", "remain_locs"))


def _in_turn(attrs: SymbolAttrs) -> Sources:
    """The inputs of a loop over data by the places that it lists for them."""
    places = [*_data(attrs), *_states(attrs), *_rest(attrs)]
    if sorted(places) != list(range(attrs.count)):
        raise Undecided
    return sorted(range(len(places)), key=places.__getitem__)


def _carried(attrs: SymbolAttrs) -> range:
    """The operands that hold what goes from one round to the next."""
    first = len(_data(attrs))
    return range(first, first + len(_states(attrs)))


_body = _listed("func_input_locs")
_INLINED = Entry("shared/nesting.Inline", {"parts": _parts(lambda _: None)})
_FUSED = _INLINED._replace(unless=("quantized",))
CALLS: dict[str, Row] = {
    "_foreach": Entry(
        "shared/nesting.ForEach",
        {
            "parts": _parts(_in_turn),
            "data": lambda v: range(len(_data(v))),
            "states": _carried,
            "kept": "num_out_data",
        },
    ),
    "_while_loop": Entry(
        "shared/nesting.While",
        {
            "parts": _parts(_listed("cond_input_locs"), _body),
            "states": lambda v: [_body(v)[k] for k in v["func_var_locs"] or ()],
            "kept": "num_out_data",
            "limit": "max_iterations",
        },
    ),
    "_cond": Entry(
        "shared/nesting.Either",
        {"parts": _parts(*map(_listed, ("cond_input_locs", "then_input_locs", "else_input_locs")))},
    ),
    "_sg_mkldnn_conv": _FUSED,
    "_sg_mkldnn_fully_connected": _FUSED,
    "_CachedOp": _INLINED,
}
