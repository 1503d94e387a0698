"""The types of all values of a model, as people are shown them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from irlint.dryrun.dims import show
from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.known import DeclaredType, known_type, refined
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor
from irlint.formats.base import by_name
from irlint.graph import UNKNOWN, Graph, Node, Type
from irlint.rules.base import Model

Known = Sequence[tuple[Tensor, ...]]
TypeLookup = Callable[[Graph, Node, int], Type]


def type_text(type_: Type) -> str:
    """Return an element type and a shape, as far as they are known."""
    return " ".join(filter(None, (type_.dtype, shape_text(type_))))


def shape_text(type_: Type) -> str:
    declared = " (declared)" if isinstance(type_, DeclaredType) else ""
    return "" if type_.shape is None else show(type_.shape) + declared


def mapping_of(model: Model) -> Mapping | None:
    """Return how the dry run sees the model; None for a format or dialect that it does not know."""
    format_ = by_name(model.format)
    return format_.dryrun(model) if format_ else None


def type_lookup(model: Model) -> TypeLookup:
    """Return a function that looks types up: as inferred by the dry run, else as declared in the file."""
    types = model.types
    return partial(known_type, types if isinstance(types, Inference) else None)


def remembering(graph: Graph, mapping: Mapping | None) -> Iterator[int]:
    """Yield the calls that keep a value for the next run."""
    for node in graph.nodes if mapping is not None else ():
        call = mapping.sound_call(graph, node) if mapping is not None and node.kind == "call" and node.inputs else None
        if call is not None and call.operator.remembers:
            yield node.index


def known_types(model: Model, mapping: Mapping) -> Known:
    """Return the types of the outermost graph; they are inferred if no lint did it."""
    graph = model.graph
    types = model.types
    found = types if isinstance(types, Inference) else infer(graph, mapping)
    return mapping.shown(graph, found.types[id(graph)])


def typed_nodes(graph: Graph, known: Known) -> list[tuple[Node, str]]:
    """Return the nodes that output something, and what."""
    return [(node, ", ".join(_shown(node, known[node.index])) or "?") for node in graph.nodes if node.outputs]


def _shown(node: Node, outputs: Sequence[Tensor]) -> Iterator[str]:
    for k, tensor in enumerate(outputs):
        declared = node.outputs[k].type if k < len(node.outputs) else UNKNOWN
        if tensor.shape is None and declared.shape is not None:
            yield type_text(DeclaredType(tensor.dtype or declared.dtype or "?", declared.shape))
        else:
            yield f"{tensor.dtype or '?'} {show(refined(tensor.shape, declared.shape))}"
