"""Whether a layer matches an operation of another opset: only then is its version the mistake and not its type."""

from __future__ import annotations

from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.infer import apply
from irlint.dryrun.tensor import Tensor
from irlint.formats.openvino import opsets
from irlint.formats.openvino.blame import agrees
from irlint.formats.openvino.dryrun import OpenVinoMapping
from irlint.formats.openvino.layers import Layer
from irlint.formats.openvino.reader import Section
from irlint.graph import Node, Type
from irlint.operators import Operator


def is_at_home(section: Section, node: Node, type_: str, opset: str) -> bool:
    """Return whether the layer's name, attributes and ports agree with a type in an opset."""
    operator, layer = opsets.operator_of(type_, opset), section.layers[node.index]
    if operator is None or opsets.type_named(node.name) not in (None, type_):
        return False
    return _has_attributes(layer, operator) and _has_ports(section, node, type_, opset)


def _has_attributes(layer: Layer, operator: Operator) -> bool:
    given = set(layer.data or ())
    needed = {name for name, attribute in operator.attributes.items() if attribute.required}
    return needed <= given and (given <= set(operator.attributes) or bool(operator.facts.get("any_attributes")))


def _has_ports(section: Section, node: Node, type_: str, opset: str) -> bool:
    """Return whether the operation infers the declared outputs from the declared inputs."""
    layer = section.layers[node.index]
    try:
        made = _made(section, node, type_, opset)
    except ShapeError:
        return False
    except (Undecided, *UNFORESEEN):
        return True
    return len(made) == len(layer.outputs) and all(
        agrees(port.type, real) for port, real in zip(layer.outputs.values, made, strict=True)
    )


def _made(section: Section, node: Node, type_: str, opset: str) -> list[Type]:
    moved = Node(node.index, node.name, type_, node.path, node.inputs, node.outputs, node.attrs, version=opset)
    call = OpenVinoMapping([section], None).call(section.graph, moved)
    if call is None or node.graphs or call.operator.nested:
        raise Undecided
    taken = [Tensor(*value.type) for value in section.layers[node.index].inputs.values]
    return [made.type for made in apply(call, taken)]
