"""What a format tells the dry run about its nodes: which operator, with which attributes, and what its leaves hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Graph, Node


class FromAttr(NamedTuple):
    """An operand that the format writes as an attribute."""

    key: str
    tensor: Tensor


class Call:
    """An operator with its attributes, ready for operands.

    `inputs` says where each operand comes from, if they are not the node's inputs in order. `keys` names the file's
    attribute for each keyword whose name differs. `pick` lists the outputs that the node hands out, if not all.
    """

    __slots__ = ("attrs", "inputs", "keys", "memo", "operator", "pick")

    def __init__(
        self,
        operator: Operator,
        attrs: dict[str, Any] | None = None,
        inputs: Sequence[int | FromAttr | None] | None = None,
        keys: dict[str, str] | None = None,
        pick: Sequence[int] | None = None,
    ) -> None:
        self.operator = operator
        self.attrs = attrs or {}
        self.inputs = inputs
        self.keys = keys or {}
        self.pick = pick
        self.memo: dict[Any, Any] = {}


class Mapping(ABC):
    """How the nodes of one model become operators."""

    counts_outputs = False  # the loader refuses a node that declares more outputs than its operator has

    @abstractmethod
    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        """The outputs of a variable or constant."""

    @abstractmethod
    def call(self, graph: Graph, node: Node) -> Call | None:
        """The operator of a call; None if it is not known. Raises ShapeError or Undecided."""

    def contextual(self, node: Node) -> bool:
        """Whether `call` looks at more of a node than op, version, attributes and number of inputs."""
        return bool(node.graphs)

    def dead(self, graph: Graph) -> Iterable[int]:
        """Nodes that the format's loader never looks at."""
        return ()
