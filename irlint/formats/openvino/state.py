"""What is kept of an IR beside its graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irlint.records import dataclass, field
from irlint.rules.base import Model

if TYPE_CHECKING:
    from irlint.formats.openvino.passes.computed import Found
    from irlint.formats.openvino.reading.binfile import BinFile
    from irlint.formats.openvino.reading.extensions import Extensions
    from irlint.formats.openvino.reading.layers import Edge
    from irlint.formats.openvino.reading.reader import Section


class StructureProblems:
    """The layers that problems of structure are about, and the edges, as far as they can be read."""

    def __init__(self) -> None:
        self.layers: set[int] = set()
        self.edges: list[Edge] = []
        self.strangers = 0  # what was meant for a layer


@dataclass(slots=True)
class OpenVinoState:
    sections: list[Section] | None = None  # the net, then its bodies; None: there is nothing to check or to infer
    marks: dict[int, StructureProblems] = field(default_factory=dict)  # by id() of a section
    extensions: Extensions | None = None
    computed: list[Found] = field(default_factory=list)  # inputs that must be constant and depend on a Parameter
    weights: BinFile | None = None


def state_of(model: Model) -> OpenVinoState:
    found: OpenVinoState = model.state
    return found
