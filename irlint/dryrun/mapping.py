"""What a format tells the dry run about its nodes: which operator, with which attributes, and what its leaves hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.codes import RuleRow
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Graph, Node, Shape, Source, Type
from irlint.records import NamedTuple

if TYPE_CHECKING:
    from irlint.rules.base import Model
    from irlint.text.base import Path

Complete = Callable[[Sequence[Tensor]], dict[int, Shape]]


class FromAttr(NamedTuple):
    """An operand that the format writes as an attribute."""

    key: str
    tensor: Tensor


class Call:
    """An operator with its attributes, ready for operands.

    `inputs` says where each operand comes from, if they are not the node's inputs in order. `keys` names the file's
    attribute for each keyword whose name differs. `pick` lists the outputs that the node hands out, if not all.
    `complete` gives types of operands, by place among the node's inputs, that follow from the others. `demands` are
    signatures (see `signature`) that the format's runtime holds the node's inputs against, before anything else.
    `folds`: the format's loader computes the result where all operands are known, so that shapes may depend on it.
    `apart`: a value that is taken as two operands must have the shapes of both.
    """

    __slots__ = ("apart", "attrs", "complete", "demands", "folds", "inputs", "keys", "memo", "operator", "pick")

    def __init__(
        self,
        operator: Operator,
        attrs: dict[str, Any] | None = None,
        inputs: Sequence[int | FromAttr | None] | None = None,
        keys: dict[str, str] | None = None,
        pick: Sequence[int] | None = None,
        complete: Complete | None = None,
        apart: bool = False,
    ) -> None:
        self.demands: Sequence[tuple[str, Sequence[str]]] = ()  # each with the names of the inputs
        self.folds = False
        self.operator = operator
        self.attrs = attrs or {}
        self.inputs = inputs
        self.keys = keys or {}
        self.pick = pick
        self.complete = complete
        self.apart = apart
        self.memo: dict[Any, Any] = {}


class Feed(NamedTuple):
    """A variable without data: its names (the first is the usual one), and its type as far as the file tells it."""

    node: int
    names: tuple[str, ...]
    type: Type
    needed: bool = True  # a run makes no sense without it
    weight: bool = False  # drawn as weights are, if it is not given


class Mapping(ABC):
    """How the nodes of one model become operators."""

    blind = False  # no shape is known that others could follow from
    counts_outputs = False  # the loader refuses a node that declares more outputs than its operator has

    usual: str | None = None  # the element type of variables of which the model does not tell it

    local = False  # of a node nothing matters but its operator, version, attributes, inputs and declared outputs

    bodies_declare = True  # loaders look at nested graphs by the types that their variables declare

    unforeseen: tuple[type[Exception], ...] = ()  # what `call` may raise of values that the format's own rules speak of

    @abstractmethod
    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        """The outputs of a variable or constant."""

    @abstractmethod
    def call(self, graph: Graph, node: Node) -> Call | None:
        """The operator of a call; None if it is not known. Raises ShapeError, Undecided or what is in `unforeseen`."""

    def call_of(self, graph: Graph, node: Node) -> Call | None:
        """`call`, asked once for all nodes that are alike."""
        if self.contextual(node):
            return self.call(graph, node)
        like = self._like.get(node.op)
        if like is not None:
            other, found = like
            same = other.attrs is node.attrs or other.attrs == node.attrs
            if same and len(other.inputs) == len(node.inputs) and other.version == node.version:
                return found
        key = (node.op, node.version, len(node.inputs), *node.attrs.items())
        try:
            found = self._known[key]
        except KeyError:
            found = self._known[key] = self.call(graph, node)
        self._like[node.op] = node, found
        return found

    @cached_property
    def _known(self) -> dict[Any, Call | None]:
        return {}

    @cached_property
    def _like(self) -> dict[str, tuple[Node, Call | None]]:
        """The last node of each operator, and its call."""
        return {}

    def contextual(self, node: Node) -> bool:
        """Whether `call` looks at more of a node than op, version, attributes and number of inputs."""
        return bool(node.graphs)

    def sound(self, model: Model, broken: Collection[Path]) -> bool:
        """Whether a quick look is enough to tell that nothing is wrong with any type of the model; `broken` are the paths of
        what is called wrong already: nodes in which that lies are passed over."""
        return False

    def declaring(self, variable: Node, rule: RuleRow, reader: Node, place: int) -> str | None:
        """The part of a variable in which the file says what a mistake of such a rule is about, at a reader's input."""
        return None

    def given(self, graph: Graph, node: Node) -> bool:
        """Whether the shape of a variable is that of data at hand, and no declaration that a loader may pass over."""
        return False

    def counts(self, graph: Graph, node: Node, outputs: int) -> bool:
        """Whether the loader refuses a node that declares more than its `outputs`."""
        return self.counts_outputs

    def dead(self, graph: Graph) -> Iterable[int]:
        """Nodes that the format's loader never looks at."""
        return ()

    def array(self, node: Node) -> Any:
        """The data of a constant, or of a variable that comes with data; raises LookupError if there is none,
        ValueError if it cannot be read.
        """
        raise LookupError(node.name)

    def added(self, node: Node, place: int) -> tuple[str, Any]:
        """The name, and the data if there is any, of an operand that the file leaves out and its loader adds."""
        return f"{node.name}_{place}", None

    def feeds(self, graph: Graph) -> list[Feed]:
        """The variables that a run has to be given values of."""
        return []

    def shown(self, graph: Graph, types: Sequence[tuple[Tensor, ...]]) -> Sequence[tuple[Tensor, ...]]:
        """The types as people are shown them: with what follows for variables, although no mistake follows from it."""
        return types

    def outputs(self, graph: Graph) -> Sequence[Source]:
        """What a run of the graph gives."""
        return graph.outputs

    def output_names(self, graph: Graph) -> list[str]:
        """What these are called, in order."""
        return [f"output{k}" for k in range(len(self.outputs(graph)))]

    def unique_names(self, graph: Graph) -> list[str]:
        """The same, each once: what comes again has a number behind it."""
        found: dict[str, None] = {}
        for name in self.output_names(graph):
            number, unique = 0, name
            while unique in found:
                number += 1
                unique = f"{name}.{number}"
            found[unique] = None
        return list(found)
