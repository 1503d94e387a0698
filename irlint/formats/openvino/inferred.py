"""The types that layers really have: an IR declares most types two or three times, and they follow from the inputs of the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.dryrun.differing import fits
from irlint.dryrun.dims import show
from irlint.dryrun.errors import UNFORESEEN, Undecided
from irlint.dryrun.infer import Inference, apply
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor
from irlint.formats.openvino.reading.reader import IrSection
from irlint.graph import UNKNOWN, Node, Shape, Type
from irlint.records import NamedTuple


def agrees(declared: Type, real: Type) -> bool:
    """Return whether a value can have a declared type."""
    are_known = declared.dtype is not None and real.dtype is not None
    return not (are_known and declared.dtype != real.dtype) and fits(declared.shape, real.shape)


def shown(type_: Type) -> str:
    return f"{type_.dtype or 'unknown type'} {show(type_.shape)}"


def is_fixed(shape: Shape | None) -> bool:
    return shape is not None and all(isinstance(dim, int) for dim in shape)


class Connection(NamedTuple):
    """An input of a layer, with the type that its source declares, that it declares itself, and that is inferred."""

    place: int
    maker: int
    output: int
    given: Type
    taken: Type
    real: Type

    @property
    def is_wrong_at_source(self) -> bool:
        return not agrees(self.given, self.real)

    @property
    def is_wrong_at_input(self) -> bool:
        return not agrees(self.taken, self.real) and agrees(self.given, self.real)


class InferredTypes:
    """The inferred types of a file."""

    def __init__(self, found: Inference, sections: list[IrSection]) -> None:
        self.found, self.sections = found, sections

    def outputs(self, section: IrSection, node: int) -> Sequence[Tensor]:
        """Return what a layer outputs; nothing if that is not known, or if there is no such layer."""
        types = self.found.types.get(id(section.graph))
        return types[node] if types and node >= 0 else ()

    def real(self, section: IrSection, node: int, output: int) -> Type:
        outputs = self.outputs(section, node)
        return outputs[output].type if output < len(outputs) else UNKNOWN

    def at_input(self, section: IrSection, node: Node, place: int = 0) -> Type:
        return self.real(section, *node.inputs[place]) if place < len(node.inputs) else UNKNOWN

    def is_fixed(self, section: IrSection, node: Node, place: int) -> bool:
        """Return whether every dimension of an input is known."""
        return is_fixed(self.at_input(section, node, place).shape)

    def connections(self, section: IrSection, index: int) -> Iterator[Connection]:
        """Yield the connected inputs of a layer whose three types are not the same."""
        nodes, inputs = section.graph.nodes, section.layers[index].inputs.values
        for place, (maker, output) in enumerate(nodes[index].inputs):
            if maker >= 0:
                given, taken = nodes[maker].outputs[output].type, inputs[place].type
                real = self.real(section, maker, output)
                if not given == taken == real:
                    yield Connection(place, maker, output, given, taken, real)


def tried(mapping: Mapping, section: IrSection, node: Node) -> list[Type] | None:
    """Return what a layer outputs for the declared types of its inputs; None if that is not known. Raise ShapeError if it cannot
    have such inputs.
    """
    try:
        call = None if node.graphs else mapping.call(section.graph, node)
        if call is None or call.operator.nested:
            return None
        taken = [Tensor(*value.type) for value in section.layers[node.index].inputs.values]
        return [made.type for made in apply(call, taken)]
    except (Undecided, *UNFORESEEN):
        return None
