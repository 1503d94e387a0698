"""What tables of kernels ask of a layer of an IR: types and lengths go by ports."""

from __future__ import annotations

from typing import Any

from irlint.formats.openvino.inferred import InferredTypes, is_fixed
from irlint.formats.openvino.reading.reader import IrSection
from irlint.graph import Node, Type
from irlint.operators import Operator
from irlint.records import NamedTuple
from irlint.targets.facts import UNKNOWN, NodeFacts

_BOOLEANS = {"1": "true", "0": "false"}


class IrTypes(NamedTuple):
    """What facts of the layers of a section have in common."""

    section: IrSection
    inferred: InferredTypes
    varies: bytearray  # per node: whether its values depend on those of a Parameter
    depends: bytearray  # per node: whether it depends on a Parameter in any way
    doubtful: bytearray  # per node: whether it depends on what irlint knows less of than OpenVINO


class IrFacts(NodeFacts):
    """The facts of one layer. An attribute that is not there has its default."""

    def __init__(self, types: IrTypes, node: Node, operator: Operator) -> None:
        super().__init__(types.section.graph, node, operator)
        self._types = types

    def absent(self, name: str) -> Any:
        attribute = self.operator.attributes.get(name)
        return None if attribute is None or attribute.default is None else str(attribute.default).lower()

    def of_attribute(self, name: str) -> Any:
        if name not in self.node.attrs:
            return self.absent(name)
        attribute, value = self.operator.attributes.get(name), str(self.node.attrs[name]).lower()
        return _BOOLEANS.get(value, value) if attribute is not None and attribute.kind == "boolean" else value

    def of_input(self, name: str) -> Any:
        """Return whether an input is a constant, possibly computed: what depends on a shape alone may be one."""
        source = self.source(int(name))
        if source is None:
            return "absent"
        if self._types.varies[source[0]]:
            return "given"
        return UNKNOWN if self._types.depends[source[0]] else "constant"

    def of_lengths(self, name: str) -> Any:
        types, source = self._types, self.source(int(name))
        if source is None:
            return UNKNOWN
        if is_fixed(types.inferred.real(types.section, *source).shape):
            return "fixed"
        return "open" if types.depends[source[0]] and not types.doubtful[source[0]] else UNKNOWN

    def type_at(self, side: str, k: int) -> Type | None:
        source = self.source(k) if side == "input" else (self.node.index, k)
        return None if source is None else self._types.inferred.real(self._types.section, *source)
