"""The inputs and outputs of a model, as a program that runs it has to know them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path as FilePath

from irlint.dryrun.infer import NodeShapeError, infer
from irlint.dryrun.known import known_type
from irlint.dryrun.tensor import Tensor
from irlint.findings import OtherPlace
from irlint.graph import Shape, Type
from irlint.inspection.interface import ModelEnd, interface
from irlint.inspection.types import mapping_of
from irlint.records import NamedTuple
from irlint.rules.base import Model


class ServedPort(NamedTuple):
    """An input or an output of a model, with the type that the model declares: what runtimes infer beyond that differs."""

    names: tuple[str, ...]
    type: Type
    at: OtherPlace
    is_needed: bool = True

    @property
    def name(self) -> str:
        return self.names[0]


class PortList(list[ServedPort]):
    """Inputs, or outputs: files may name many of them."""

    @cached_property
    def shown(self) -> dict[str, ServedPort]:
        """By the names that they are known by first."""
        return {port.name: port for port in reversed(self)}

    @cached_property
    def named(self) -> dict[str, ServedPort]:
        """By all names; those of tensors come before those of nodes, which may have several outputs."""
        nodes = {port.names[-1]: port for port in reversed(self)}
        return nodes | {name: port for port in reversed(self) for name in port.names[:-1]}


class Ports(NamedTuple):
    inputs: PortList
    outputs: PortList
    states: PortList = PortList()
    model: Model | None = None
    defaults: PortList = PortList()  # inputs with values of their own, which programs may replace


def ports(model: Model | None) -> Ports | None:
    """Return the inputs and outputs of a model; None if it could not be read that far."""
    if model is None or not model.graph.nodes:
        return None
    found = interface(model)
    inputs, outputs, states = (_ports(model, ends) for ends in (found.inputs, found.outputs, found.states))
    return Ports(inputs, outputs, states, model, _ports(model, found.defaults))


def ports_of(model: Model, path: FilePath) -> Ports | None:
    """Return the inputs and outputs of another file, which a model opens; None if it cannot be read that far."""
    return None if model.opens is None else ports(model.opens(path))


def completed_shapes(model: Model) -> dict[str, Shape | None]:
    """Return the shapes of the outputs of a model as a runtime has them that infers shapes: what a model declares is completed. A
    dimension that stays open is -1; None if both differ. Shapes behind branches, which runtimes merge in other ways, are left out."""
    mapping = mapping_of(model)
    if any(node.graphs for node in model.graph.nodes):
        return {}
    if mapping is not None and model.types is None:
        model.types = infer(model.graph, mapping)
    return {end.name: _completed(end.declared.shape, end.type.shape) for end in interface(model).outputs}


def _completed(declared: Shape | None, inferred: Shape | None) -> Shape | None:
    if declared is None or inferred is None or len(declared) != len(inferred):
        return None
    pairs = zip(declared, inferred, strict=True)
    both = (tuple(size if isinstance(size, int) else -1 for size in pair) for pair in pairs)
    return tuple(one if other in (-1, one) else other if one == -1 else None for one, other in both)


def ports_at(model: Model, shape: Shape) -> tuple[Ports | None, NodeShapeError | None]:
    """Return the inputs and outputs of a model with one input for another shape of this, and the first node that does not take it.
    Batches of one are added where its format has none."""
    mapping, inputs = mapping_of(model), model.graph.inputs
    if mapping is None or len(inputs) != 1:
        return None, None
    input_ = model.graph.nodes[inputs[0]]
    dtype = (input_.outputs[0].type.dtype if input_.outputs else None) or "float32"
    given = {input_.index: Tensor(dtype, shape[not mapping.has_batch :])}
    types = infer(model.graph, mapping, given)
    wrong = next((wrong for wrong in types.all_mistakes() if wrong.error.outputs is None), None)
    found = interface(model)
    batch: Shape = () if mapping.has_batch else (1,)

    def port(end: ModelEnd) -> ServedPort:
        dtype, sizes = known_type(types, model.graph, model.graph.nodes[end.node], 0)
        place = OtherPlace(model.document, end.place)
        return ServedPort(
            (*end.names, model.graph.nodes[end.node].name), Type(dtype, sizes and (*batch, *sizes)), place
        )

    return Ports(PortList(map(port, found.inputs)), PortList(map(port, found.outputs)), model=model), wrong


def _ports(model: Model, ends: Iterable[ModelEnd]) -> PortList:
    """Names of nodes count, too: some programs know the inputs and outputs of OpenVINO's models by them."""
    nodes = model.graph.nodes
    return PortList(
        ServedPort((*end.names, nodes[end.node].name), end.declared, OtherPlace(model.document, end.place), end.needed)
        for end in ends
    )


def find(known: PortList, name: str) -> ServedPort | None:
    """Return the input or output with a name."""
    return known.named.get(name)
