"""Mistakes that a shape function finds, as data: which rule, what to say, which part of the node is to blame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from irlint.codes import RuleRow

if TYPE_CHECKING:
    from irlint.dryrun.tensor import Tensor


class ShapeError(Exception):
    """`part` is a part of a node as graph.place takes it; `inputs` are the operands whose origins help to understand it.

    With `outputs` the runtime goes on all the same: the mistake is a warning, and these are the types that it goes on with.
    """

    def __init__(
        self,
        rule: RuleRow,
        message: str,
        part: str = "node",
        inputs: Sequence[int] = (),
        outputs: Sequence[Tensor] | None = None,
    ) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.part = part
        self.inputs = tuple(inputs)
        self.outputs = None if outputs is None else tuple(outputs)


class Undecided(Exception):
    """Nothing can be said of this node: an attribute that cannot be read, an operator that is not known well enough."""


class NoKernel(Exception):
    """The dry run knows the operator's shapes, but cannot compute it."""


# What shape functions raise at values that none of them foresees (an attribute left out, a tuple too short): nothing can be
# said of such a node.
UNFORESEEN = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
