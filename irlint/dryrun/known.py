"""What is known of a value's type: what is inferred, and what the file declares where that leaves something open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irlint.dryrun.dims import compatible, merge
from irlint.graph import UNKNOWN, Dim, Graph, Node, Shape, Type

if TYPE_CHECKING:
    from irlint.dryrun.infer import Inference


class DeclaredType(Type):
    """The declared type of a value whose type could not be inferred because of an error."""

    __slots__ = ()


def refined(inferred: Shape | None, declared: Shape | None) -> Shape | None:
    """Return an inferred shape with what the file declares of its open dimensions, names before ranges; as it is if the two contradict
    each other."""
    if inferred is None or declared is None:
        return declared if inferred is None else inferred
    if len(inferred) != len(declared) or not all(map(compatible, inferred, declared)):
        return inferred
    return tuple(map(_refined, inferred, declared))


def _refined(inferred: Dim, declared: Dim) -> Dim:
    is_named = isinstance(declared, str) and not isinstance(inferred, int | str)
    return declared if is_named else merge(inferred, declared)


def known_type(types: Inference | None, graph: Graph, node: Node, output: int) -> Type:
    declared = node.outputs[output].type if output < len(node.outputs) else UNKNOWN
    found = () if types is None else types.outputs(graph, node)
    dtype, shape = found[output].type if output < len(found) else UNKNOWN
    if shape is None and declared.shape is not None and types is not None and types.has_mistakes:
        return DeclaredType(dtype or declared.dtype, declared.shape)
    return Type(dtype or declared.dtype, refined(shape, declared.shape))
