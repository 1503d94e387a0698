"""How a format maps its nodes for the dry run: their operators, attributes and the values of leaves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

from irlint.codes import RuleRow
from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor
from irlint.findings import Severity
from irlint.graph import Graph, Node, Shape, Source, Type
from irlint.records import NamedTuple
from irlint.tools import later

if TYPE_CHECKING:
    from irlint.findings import Fix
    from irlint.rules.base import Model
    from irlint.text.base import Document, Path


# In what a declared shape contradicts the inferred one: in its rank, in sizes, only in the first size, or only in the bounds of a size
Difference = Literal["rank", "sizes", "first", "last", "bounds"]


class Keys(Protocol):
    """What the file calls each keyword, if that is not its name."""

    def get(self, keyword: str, default: str, /) -> str: ...


_CODE = later(r"`(\w+)`")

Complete = Callable[[Sequence[Tensor]], dict[int, Shape]]


class FromAttr(NamedTuple):
    """An operand that the format writes as an attribute; with a `name`, an array that its loader reads from elsewhere
    (`Mapping.added`), and `key` is the attribute that says how large it is.
    """

    key: str
    tensor: Tensor
    name: str = ""


class Held(NamedTuple):
    """An array of weights that belongs to a call, and for which the graph has no node: operand `place` of the call."""

    node: Node
    place: int
    operand: FromAttr


class Call:
    """An operator with its attributes, ready for operands.

    `inputs` is the origin of each operand, if they are not the node's inputs in order. `keys` names the file's
    attribute for each keyword whose name differs. `pick` lists the outputs of the node, if not all.
    `complete` returns types of operands, by position among the node's inputs, that follow from the others. `demands` are
    signatures (see `signature`) that the format's runtime checks the node's inputs against first.
    `folds`: the format's loader computes the result where all operands are known, so that shapes may depend on it.
    `apart`: a value that is used as two operands must have the shapes of both.
    """

    __slots__ = (
        "apart",
        "attrs",
        "complete",
        "demands",
        "folds",
        "inputs",
        "keys",
        "memo",
        "operator",
        "pick",
        "ports",
    )

    def __init__(
        self,
        operator: Operator,
        attrs: dict[str, Any] | None = None,
        inputs: Sequence[int | FromAttr | None] | None = None,
        keys: Keys | None = None,
        pick: Sequence[int] | None = None,
        complete: Complete | None = None,
        apart: bool = False,
    ) -> None:
        self.demands: Sequence[tuple[str, Sequence[str]]] = ()  # each with the names of the inputs
        self.ports: Sequence[
            str
        ] = ()  # what the format calls the node's inputs, if that is not what the operator calls them
        self.folds = False
        self.operator = operator
        self.attrs = attrs or {}
        self.inputs = inputs
        self.keys: Keys = {} if keys is None else keys
        self.pick = pick
        self.complete = complete
        self.apart = apart
        self.memo: dict[Any, Any] = {}

    def attrs_for(self, types: Sequence[Tensor]) -> dict[str, Any]:
        """Return the attributes of an operator with nested graphs, with the copies of these that are for such types."""
        parts = self.attrs.get("parts", ())
        if not any(part is not None and part.variants for part in parts):
            return self.attrs
        return {**self.attrs, "parts": [part._replace(graph=part.variants.of(types)) for part in parts]}

    def spelled(self, message: str) -> str:
        """Return a message with the format's names for operands: of inputs, and of attributes that hold operands or settings."""
        count = len(self.operator.names)
        names = {keyword: self.keys.get(keyword, keyword) for keyword in self.attrs} if self.ports else {}
        for k, origin in enumerate(range(count) if self.inputs is None else self.inputs):
            if isinstance(origin, FromAttr):
                name = "" if origin.name else origin.key
            else:
                name = self.ports[origin] if origin is not None and origin < len(self.ports) else ""
            if name:
                names[self.operator.input_name(k)] = name
        return _CODE.sub(lambda match: f"`{names.get(match[1], match[1])}`", message) if names else message


class Feed(NamedTuple):
    """A variable or constant that a run may be given: its names (the first is the usual one), and its declared type."""

    node: int
    names: tuple[str, ...]
    type: Type
    needed: bool = True  # a run needs it
    weight: bool = False  # drawn like a weight if it is not given
    example: str = "1,3,224,224"  # a shape that such an input may have
    is_named: bool = True  # False: its only name is that of its node, by which programs do not find it


class State(NamedTuple):
    """A variable: the node that outputs its value, and the node whose value it has after a run (None: it stays)."""

    name: str
    reader: int
    writer: int | None
    grows: bool = False  # by what every run appends, as a KV cache does


class Mapping(ABC):
    """The mapping of one model's nodes to operators."""

    blind = False  # no shapes are known to infer others from
    counts_outputs = False  # the loader refuses a node that declares more outputs than its operator has

    usual: str | None = None  # the element type of variables without a declared type

    example = "1,3,224,224"  # a shape that an input may have

    has_batch = True  # False: values are those of one sample, without a dimension for several

    declares = True  # files declare types of what nodes output

    declares_outputs = False  # also of what the graph outputs, and loaders refuse element types that contradict

    bodies_declare = True  # loaders check nested graphs with the declared types of their variables

    unforeseen: tuple[type[Exception], ...] = ()  # exceptions of `call` for values that the format's own rules report

    @abstractmethod
    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        """Return the outputs of a variable or constant."""

    @abstractmethod
    def call(self, graph: Graph, node: Node) -> Call | None:
        """Return the operator of a call; None if it is unknown. Raises ShapeError, Undecided or an exception in `unforeseen`."""

    def call_of(self, graph: Graph, node: Node) -> Call | None:
        """Return `call(...)`, cached for each node and for nodes that are alike."""
        own = self._of_nodes.get(id(node))
        if own is not None and own[0] is node and own[1] is node.attrs and own[2] is node.inputs:
            return own[3]
        if self.contextual(node):
            return self.call(graph, node)
        found = self._of_kind(graph, node)
        self._of_nodes[id(node)] = node, node.attrs, node.inputs, found
        return found

    def _of_kind(self, graph: Graph, node: Node) -> Call | None:
        kind = self.kind(graph, node)
        like = self._like.get(kind)
        if like is not None and (like[0] is node.attrs or like[0] == node.attrs):
            return like[1]
        key = (kind, *node.attrs.items())
        try:
            found = self._known[key]
        except KeyError:
            found = self._known[key] = self.call(graph, node)
        self._like[kind] = node.attrs, found
        return found

    def sound_call(self, graph: Graph, node: Node) -> Call | None:
        """Return `call_of(...)`; None where there is none: for inputs, unknown operators, wrong attributes."""
        try:
            return self.call_of(graph, node) if node.kind == "call" else None
        except (ShapeError, Undecided, *UNFORESEEN):
            return None

    def random(self, graph: Graph) -> list[int]:
        """Return the nodes of a graph whose results are drawn."""
        known = self._drawn.get(id(graph))
        if known is None or known[0] is not graph:
            calls = ((node.index, self.sound_call(graph, node)) for node in graph.nodes)
            drawn = [index for index, call in calls if call is not None and call.operator.is_random]
            known = self._drawn[id(graph)] = graph, drawn
        return known[1]

    def kind(self, graph: Graph, node: Node) -> tuple[Any, ...]:
        """Return what `call` uses of a node besides its attributes, unless it is contextual."""
        return node.op, node.version, len(node.inputs)

    def demands(self, graph: Graph, node: Node) -> Sequence[tuple[str, Sequence[str]]]:
        """Return signatures of the inputs of a node that has no `call`, as `Call.demands` has them."""
        return ()

    def shaping(self, graph: Graph, node: Node) -> Call | None:
        """Return `call_of(...)`, or a call without the attributes on which no shape depends."""
        return self.call_of(graph, node)

    @cached_property
    def schedules(self) -> dict[int, Any]:
        """Return how runs go through each graph (`schedule.Schedule`), by its id()."""
        return {}

    @cached_property
    def _of_nodes(self) -> dict[int, tuple[Node, dict[str, Any], Sequence[Source], Call | None]]:
        """Return the calls of nodes, by their id()."""
        return {}

    @cached_property
    def _drawn(self) -> dict[int, tuple[Graph, list[int]]]:
        return {}

    @cached_property
    def _known(self) -> dict[Any, Call | None]:
        return {}

    @cached_property
    def _like(self) -> dict[Any, tuple[dict[str, Any], Call | None]]:
        """Return the attributes of the last node of each kind, and its call."""
        return {}

    def contextual(self, node: Node) -> bool:
        """Return whether `call` uses more of a node than its attributes and what `kind` returns."""
        return bool(node.graphs)

    def sound(self, model: Model, broken: Collection[Path]) -> bool:
        """Return whether a quick check shows that all types of the model are correct; `broken` are the paths of
        known errors: nodes that contain one are skipped."""
        return False

    def declaring(self, variable: Node, rule: RuleRow, reader: Node, place: int) -> str | None:
        """Return the part of a variable that declares what an error of such a rule at a user's input is about."""
        return None

    def given(self, graph: Graph, node: Node) -> bool:
        """Return whether the shape of a variable is that of actual data, not a declaration that a loader may ignore."""
        return False

    def counts(self, graph: Graph, node: Node, outputs: int) -> bool:
        """Return whether the loader refuses a node that declares more than its `outputs`."""
        return self.counts_outputs

    def declared_severity(self, graph: Graph, node: Node, output: int, differs: Difference) -> Severity:
        """Return how severe it is if the declared shape of a node contradicts the inferred one."""
        return Severity.WARNING

    def rewritten(self, node: Node, value: Sequence[Any]) -> Callable[[Document], Fix | None] | None:
        """Return a fix that writes other elements of a constant; None if the format has none."""
        return None

    def dead(self, graph: Graph) -> Iterable[int]:
        """Return the nodes that the format's loader never reads."""
        return ()

    def array(self, node: Node) -> Any:
        """Return the data of a constant, or of a variable with data; raises LookupError if there is none,
        ValueError if it cannot be read.
        """
        raise LookupError(node.name)

    def stored(self, node: Node) -> bytes:
        """Return the bytes of a constant as the file stores them; raises what `array` does."""
        data: bytes = self.array(node).tobytes()
        return data

    def packed(self, node: Node) -> Any:
        """Return the data of a large constant of a short element type, not yet unpacked (`packed.Packed`); None for others."""
        return None

    def held(self, graph: Graph) -> Iterator[Held]:
        """Yield the weights that the loader reads for calls, in the order of the nodes."""
        return iter(())

    def added(self, node: Node, place: int) -> tuple[str, Any]:
        """Return the name, and the data if there is any, of an operand that the loader adds."""
        return f"{node.name}_{place}", None

    def names(self, node: Node) -> tuple[str, ...]:
        """Return the names by which users know a variable or constant; the first is the usual one."""
        return tuple(dict.fromkeys([*[value.name for value in node.outputs if value.name], node.name]))

    def feeds(self, graph: Graph) -> list[Feed]:
        """Return the variables that a run needs values for."""
        nodes = [graph.nodes[k] for k in graph.inputs]
        return [Feed(n.index, self.names(n), self.leaf(graph, n)[0].type, example=self.example) for n in nodes]

    def replaceable(self, graph: Graph) -> list[Feed]:
        """Return the other variables and constants: a run has values for them or draws them, and users may give others."""
        fed = {feed.node for feed in self.feeds(graph)}
        nodes = [node for node in graph.nodes if node.kind != "call" and node.index not in fed and node.outputs]
        return [Feed(n.index, self.names(n), self.leaf(graph, n)[0].type, False, True) for n in nodes]

    def shown(self, graph: Graph, types: Sequence[tuple[Tensor, ...]]) -> Sequence[tuple[Tensor, ...]]:
        """Return the types to show to users: with inferred types of variables that checks do not use."""
        return types

    def outputs(self, graph: Graph) -> Sequence[Source]:
        """Return the outputs of a run of the graph."""
        return graph.outputs

    def output_names(self, graph: Graph) -> list[str]:
        """Return the names of the outputs, in order."""
        return [f"output{k}" for k in range(len(self.outputs(graph)))]

    def aliases(self, graph: Graph) -> list[tuple[str, ...]]:
        """Return all names of each output, in order; the first is the usual one."""
        return [(name,) for name in self.output_names(graph)]

    def states(self, graph: Graph) -> list[State]:
        """Return what the model keeps from one run to the next."""
        return []

    def unique_names(self, graph: Graph) -> list[str]:
        """Return the names of the outputs, made unique with a number."""
        found: dict[str, None] = {}
        for name in self.output_names(graph):
            number, unique = 0, name
            while unique in found:
                number += 1
                unique = f"{name}.{number}"
            found[unique] = None
        return list(found)
