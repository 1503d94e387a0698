"""What editors need to know of Keras models: a layer has a name for references and one of its own, and all its calls share both."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.formats.keras.read import layer_path, references
from irlint.formats.navigation import Mention, Navigation, NodeToken, Target
from irlint.rules.base import Model
from irlint.text.base import Place

_ENDS = ("input_layers", "output_layers")  # of a model: lists of references


class KerasNavigation(Navigation):
    def refers_to(self, model: Model, token: NodeToken) -> Target | None:
        return token.target if token.part == "attr:name" else super().refers_to(model, token)

    def listed_at(self, model: Model, offset: int) -> Target | None:
        """Return the layer that an input or output of a model refers to."""
        path = model.document.place_at(offset).path
        if (key := next((key for key in _ENDS if key in path), None)) is None:
            return None
        config = path[: path.index(key)]
        names = [
            one.name
            for one in references(model.document.value_at((*config, key)), (*config, key), True)
            if one.path == path[:-1]
        ]
        layers = (Target(graph, node) for graph in model.graphs() for node in graph.nodes if node.name in names)
        return next((one for one in layers if layer_path(one.node)[:-2] == config), None)

    def mentions(self, model: Model, target: Target) -> Iterator[Mention]:
        """Yield the names of a layer, what refers to any call of it, and the inputs of the model that are it."""
        path, config = layer_path(target.node), layer_path(target.node)[:-2]
        yield Mention(Place((*path, "config", "name")), "definition")
        for node in target.graph.nodes:
            if layer_path(node) == path:
                yield from super().mentions(model, target._replace(node=node, output=None))
        arguments = model.document.value_at(config)
        starts = arguments.get("input_layers") if isinstance(arguments, dict) else None
        for one in references(starts, (*config, "input_layers"), True):
            if one.name == self.name_of(target):
                yield Mention(Place((*one.path, 0)), "reference")

    def name_of(self, target: Target) -> str:
        """Return the name without the number of the call."""
        is_repeated = layer_path(target.node) != target.node.path
        return target.node.name.rpartition("/")[0] if is_repeated else target.node.name


NAVIGATION = KerasNavigation()
