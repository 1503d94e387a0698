"""What editors need to know of LightNet files: types by LightNet's own inference, comments that silence."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.formats.lightnet import FORMAT
from irlint.formats.lightnet.reading.evidence import SUFFIXES
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.navigation import Choice, Navigation, Target
from irlint.graph import Graph, Node, Type
from irlint.rules.base import Model
from irlint.settings.ignores import Ignores


class LightNetNavigation(Navigation):
    def ignores(self, model: Model) -> Ignores | None:
        return FORMAT.ignores(model.dialect)

    def types(self, model: Model, graph: Graph, node: Node) -> list[Type]:
        tensors = state_of(model).written[node.index]
        return [tensors[k].type for k in range(min(len(tensors), len(node.outputs)))]

    def names_tensors(self, target: Target) -> bool:
        return bool(target.output is not None and target.node.outputs[target.output].name)

    def unfit(self, name: str) -> str:
        awkward = any(letter.isspace() or letter == "%" for letter in name)
        return super().unfit(name) or ("weight files cannot express whitespace and percent signs" if awkward else "")

    def operator_names(self, model: Model, node: Node) -> list[str]:
        return [name for name in super().operator_names(model, node) if not name.endswith(SUFFIXES)]

    def source_choices(self, model: Model, graph: Graph, node: Node) -> Iterator[Choice]:
        return (choice for choice in super().source_choices(model, graph, node) if choice.text)


NAVIGATION = LightNetNavigation()
