"""The types of all values of a model, as people are shown them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from irlint.dryrun.dims import compatible, merge, show
from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor
from irlint.formats.base import by_name
from irlint.graph import Graph, Node, Shape, Type
from irlint.rules.base import Model

Known = Sequence[tuple[Tensor, ...]]


def type_text(type_: Type) -> str:
    """Return an element type and a shape, as far as they are known."""
    return " ".join(part for part in (type_.dtype, None if type_.shape is None else show(type_.shape)) if part)


def mapping_of(model: Model) -> Mapping | None:
    """Return how the dry run sees the model; None for a format or dialect that it does not know."""
    format_ = by_name(model.format)
    return format_.dryrun(model) if format_ else None


def refined(inferred: Shape | None, declared: Shape | None) -> Shape | None:
    """Return an inferred shape with what the file declares of its open dimensions; as it is if the two contradict each other."""
    if inferred is None or declared is None:
        return declared if inferred is None else inferred
    if len(inferred) != len(declared) or not all(map(compatible, inferred, declared)):
        return inferred
    return tuple(map(merge, inferred, declared))


def type_lookup(model: Model) -> Callable[[Graph, Node, int], Type]:
    """Return a function that looks types up: as inferred by the dry run, else as declared in the file."""
    types = model.types
    inferred = types if isinstance(types, Inference) else None

    def type_of(graph: Graph, node: Node, output: int) -> Type:
        declared = node.outputs[output].type if output < len(node.outputs) else Type()
        found = inferred.outputs(graph, node) if inferred else ()
        if output >= len(found):
            return declared
        dtype, shape = found[output].type
        return Type(dtype or declared.dtype, refined(shape, declared.shape))

    return type_of


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
        declared = node.outputs[k].type.shape if k < len(node.outputs) else None
        yield f"{tensor.dtype or '?'} {show(tensor.shape if tensor.shape is None else refined(tensor.shape, declared))}"
