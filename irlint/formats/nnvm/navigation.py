"""What editors need to know of NNVM graphs: entries `[12, 0, 0]`, arg_nodes and heads, all by index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from irlint.formats.navigation import Choice, Mention, Navigation, NodeToken, Target
from irlint.formats.nnvm.reading.json_values import as_dict
from irlint.formats.nnvm.state import state_of
from irlint.formats.nnvm.suppress import KEY, AttributeIgnores, holder_of
from irlint.graph import Graph, Node, Type
from irlint.rules.base import Model
from irlint.text.base import Edit, Place, Span
from irlint.text.json.document import JsonDocument

if TYPE_CHECKING:
    from irlint.dryrun.infer import Outputs
    from irlint.dryrun.mapping import Mapping

ASSUMED = "float32"


class NnvmNavigation(Navigation):
    def types(self, model: Model, graph: Graph, node: Node) -> list[Type]:
        """With the types that parameters have in their file, or that follow from other operands."""
        found = super().types(model, graph, node)
        if all(type_.dtype is not None for type_ in found) or (shown := _shown(model, graph)) is None:
            return found
        kinds = [tensor.dtype for tensor in shown[node.index]]
        kinds += [None] * (len(found) - len(kinds))
        return [Type(type_.dtype or kind, type_.shape) for type_, kind in zip(found, kinds, strict=False)]

    def referent(self, model: Model, offset: int) -> Target | None:
        return super().referent(model, offset) or self._listed(model, offset)

    def _listed(self, model: Model, offset: int) -> Target | None:
        """The node that an element of arg_nodes or heads names."""
        path = model.document.place_at(offset).path
        for graph in model.graph.walk():
            if not graph.nodes:
                continue  # perhaps one that could not be read at all, and has no view
            base = graph.view.path  # type: ignore[attr-defined]
            rest = path[len(base) :]
            if path[: len(base)] != base or len(rest) < 2 or rest[0] not in ("arg_nodes", "heads"):
                continue
            value = model.document.value_at(path[: len(base) + 2])
            number, output, *_ = [*value, None, None] if isinstance(value, list) else [value, None]
            if type(number) is int and 0 <= number < len(graph.nodes):
                return Target(graph, graph.nodes[number], output if type(output) is int else None)
        return None

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
        document, how = model.document, AttributeIgnores()
        if not model.dialect.startswith("mxnet") or not isinstance(document, JsonDocument):
            return None
        path = how.anchor(document, span)
        if not path:
            return None
        node = document.value_at(path)
        if KEY in as_dict(node.get(holder_of(node))):
            return None
        return how.edits(document, path, f"ignore[{code}]")[0]

    def source_choice(self, graph: Graph, producer: Node, output: int, name: str | None) -> Choice:
        return Choice(f"[{producer.index}, {output}, 0]", "node", f"{producer.name} ({producer.op})")


def _shown(model: Model, graph: Graph) -> Sequence[Outputs] | None:
    """Return all types of a graph as people are shown them, worked out once a lint."""
    types = getattr(model.types, "types", {}).get(id(graph))
    if not types:
        return None
    known = state_of(model).shown
    if id(graph) not in known:
        from irlint.formats.nnvm.dryrun.mapping import mapping_of

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
