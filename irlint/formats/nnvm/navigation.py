"""What editors need to know of NNVM graphs: entries `[12, 0, 0]`, arg_nodes and heads, all by index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from irlint.formats.navigation import Choice, Mention, Navigation, NodeToken, Target, is_in_list
from irlint.formats.nnvm import FORMAT
from irlint.formats.nnvm.state import state_of
from irlint.formats.nnvm.suppress import KEY, attributes_of
from irlint.graph import Graph, Node, Type
from irlint.rules.base import Model
from irlint.settings.ignores import Ignores
from irlint.text.base import Edit, Place, Span

if TYPE_CHECKING:
    from irlint.dryrun.infer import Outputs
    from irlint.dryrun.mapping import Mapping

ASSUMED = "float32"
_LISTS = ("arg_nodes", "heads")


class NnvmNavigation(Navigation):
    def ignores(self, model: Model) -> Ignores | None:
        return FORMAT.ignores(model.dialect)

    def types(self, model: Model, graph: Graph, node: Node) -> list[Type]:
        """With the types that parameters have in their file, or that follow from other operands."""
        found = super().types(model, graph, node)
        if all(type_.dtype is not None for type_ in found) or (shown := _shown(model, graph)) is None:
            return found
        kinds = [tensor.dtype for tensor in shown[node.index]]
        kinds += [None] * (len(found) - len(kinds))
        return [Type(type_.dtype or kind, type_.shape) for type_, kind in zip(found, kinds, strict=False)]

    def listed_at(self, model: Model, offset: int) -> Target | None:
        """The node that an element of arg_nodes or heads names."""
        path = model.document.place_at(offset).path
        graphs = (graph for graph in model.graph.walk() if graph.nodes)  # one that could not be read has no view
        graph = next((graph for graph in graphs if is_in_list(path, graph.view.path, _LISTS)), None)  # type: ignore[attr-defined]
        if graph is None:
            return None
        value = model.document.value_at(path[: len(graph.view.path) + 2])  # type: ignore[attr-defined]
        number, output, *_ = (*value, None, None) if isinstance(value, list) else (value, None)
        if type(number) is not int or not 0 <= number < len(graph.nodes):
            return None
        return Target(graph, graph.nodes[number], output if type(output) is int else None)

    def mentions(self, model: Model, target: Target) -> Iterator[Mention]:
        yield from super().mentions(model, target)
        view = target.graph.view  # type: ignore[attr-defined]
        for k, number in enumerate(view.arg_nodes):
            if number == target.node.index:
                yield Mention(Place((*view.path, "arg_nodes", k)), "reference")

    def is_name(self, place: Place) -> bool:
        return place.path[-1:] == ("name",)  # all else says indices, and a node may have a number for a name

    def names_tensors(self, target: Target) -> bool:
        return False

    def choices(self, model: Model, token: NodeToken) -> Iterator[Choice]:
        node = token.target.node
        if token.part.startswith("attr_key:") and node.op == "null":
            return iter(Choice(key, "attribute") for key in ("__shape__", "__dtype__", "__init__", "__lr_mult__"))
        return super().choices(model, token)

    def suppression(self, model: Model, span: Span, code: str) -> Edit | None:
        """An attribute of the node, which MXNet ignores."""
        found = self.node_at(model, span.start)
        if found is None or KEY in attributes_of(model.document.value_at(found[1].path)):
            return None
        return super().suppression(model, span, code)

    def source_choice(self, graph: Graph, producer: Node, output: int, name: str | None) -> Choice:
        return Choice(f"[{producer.index}, {output}, 0]", "node", f"{producer.name} ({producer.op})")


def _shown(model: Model, graph: Graph) -> Sequence[Outputs] | None:
    """Return all types of a graph as people are shown them, worked out once a lint."""
    types = getattr(model.types, "types", {}).get(id(graph))
    if not types:
        return None
    known = state_of(model).shown
    if id(graph) not in known:
        from irlint.formats.nnvm.dryrun import mapping_of

        mapping = mapping_of(model)
        known[id(graph)] = _assumed(mapping, graph, mapping.shown(graph, types))
    return known[id(graph)]


def _assumed(mapping: Mapping, graph: Graph, types: Sequence[Outputs]) -> Sequence[Outputs]:
    """Return the types that follow if inputs without a declared type are float32, as MXNet and `irlint run` assume."""
    from irlint.dryrun.tensor import Tensor

    nodes = [feed.node for feed in mapping.feeds(graph) if types[feed.node] and types[feed.node][0].dtype is None]
    if not nodes:
        return types
    assumed = list(types)
    for node in nodes:
        assumed[node] = (Tensor(ASSUMED, types[node][0].shape),)
    return mapping.shown(graph, assumed)


NAVIGATION = NnvmNavigation()
