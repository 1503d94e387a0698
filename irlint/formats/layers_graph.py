"""From layers to a graph: names of values become edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import repeat
from typing import Any

from irlint.checks.names import ValueWiring, wire
from irlint.codes import R
from irlint.files.side_files import SideFile
from irlint.graph import NOWHERE, UNKNOWN, Graph, Node, Type, Value
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.layers.document import LayerDocument, LayerRow
from irlint.text.layers.values import parameters

_UNKNOWN = repeat(UNKNOWN)
_value: Callable[[tuple[str, Type]], Value] = partial(tuple.__new__, Value)
_PARTS = {"name": "name", "op": "op", "node": "op", "attrs": "op", "id": "name", "version": "op"}


class Nodes(NamedTuple):
    """How a format makes nodes of layers. `types` are those that a layer declares for its outputs, by its index; None: none does."""

    kinds: Mapping[str, str]  # of types that are not calls
    types: Callable[[int, LayerRow], Sequence[Type]] | None = None
    attributes: Callable[[str], dict[str, Any]] = parameters


def fill_graph(model: Model, document: LayerDocument, how: Nodes) -> ValueWiring:
    """Fill model.graph, whose outputs are the values that no layer reads."""
    rows, graph = document.rows, model.graph
    # Words that do not exist cannot be empty; values of layers below are reported by their names.
    model.settled |= {R.cycle, R.self_reference, R.used_before_defined, R.empty_name}
    wiring = wire(rows)
    if wiring.is_undefined or how.types is not None or not rows:
        nodes = list(map(_maker(wiring, how), range(len(rows)), rows))
    else:
        nodes = _all_nodes(wiring, how, rows)
    graph.nodes = nodes
    model.silent.update(id(nodes[k]) for k, row in enumerate(rows) if row.broken)
    graph.inputs = [node.index for node in nodes if node.kind == "var"]
    graph.outputs = wiring.outputs
    graph.locate = _locate
    graph.locate_output = lambda k: Place((wiring.outputs[k].node, "outputs", wiring.outputs[k].output))
    return wiring


def weights_file(model: Model) -> SideFile | None:
    """Return the file of weights that the user names, or else that is next to the model; None if there is no place to look."""
    path = model.weights or (model.path.with_suffix(".bin") if model.path else None)
    return None if path is None else SideFile(path, None if model.weights else model.path)


def _maker(wiring: ValueWiring, how: Nodes) -> Callable[[int, LayerRow], Node]:
    """Return what makes the node of a layer."""
    find, kind_of, attributes, types = wiring.defined.get, how.kinds.get, how.attributes, how.types

    def make(index: int, row: LayerRow) -> Node:
        _, op, name, _, names, made, params, *_ = row
        sources = [*map(find, names)]
        if wiring.is_undefined:  # values of layers above are all that a layer can read
            sources = [source if source and source[0] < index else NOWHERE for source in sources]
        declared = _UNKNOWN if types is None else types(index, row)
        values = [*map(_value, zip(made, declared, strict=False))]
        attrs, kind = attributes(params), kind_of(op, "call")
        return Node(index, name, op, (index,), sources, values, attrs, kind)  # type: ignore[arg-type]

    return make


def _all_nodes(wiring: ValueWiring, how: Nodes, rows: Sequence[LayerRow]) -> list[Node]:
    """Return the nodes of layers without types, all of whose inputs are defined: as the maker does, with loops in C."""
    _, ops, names, _, inputs, outputs, params, *_ = zip(*rows, strict=True)
    sources = map(list, map(map, repeat(wiring.defined.__getitem__), inputs))
    values = map(list, map(map, repeat(_value), map(zip, outputs, repeat(_UNKNOWN))))
    kinds = map(how.kinds.get, ops, repeat("call"))
    indices = range(len(rows))
    return list(map(Node, indices, names, ops, zip(indices), sources, values, map(how.attributes, params), kinds))


def _locate(graph: Graph, index: int, part: str) -> Place:
    word, _, rest = part.partition(":")
    if word in ("input", "output"):
        return Place((index, f"{word}s", int(rest)))
    if word == "attr":
        return Place((index, "value", rest))
    if word == "attr_key":
        return Place((index, "key", rest))
    return Place((index, _PARTS.get(word, word)))
