"""The format-neutral picture of a model: nodes, values, types, nested graphs, each with its place in the document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from irlint.records import NamedTuple, dataclass, field
from irlint.text.base import Path, Place

if TYPE_CHECKING:
    from irlint.findings import Fix
    from irlint.text.base import Document

Asked = TypeVar("Asked")

Dim = int | str | tuple[int, int | None] | None  # known, symbol, range low..high, unknown
Shape = tuple[Dim, ...]


class Type(NamedTuple):
    """dtype as NumPy names it (float32, int64, bfloat16, ...) and shape; None where unknown."""

    dtype: str | None = None
    shape: Shape | None = None


UNKNOWN = Type()


class Source(NamedTuple):
    """Where an input comes from: the producing node's index in the graph (-1: not known) and which of its outputs."""

    node: int
    output: int = 0


NOWHERE = Source(-1, 0)


class Value(NamedTuple):
    """One output of a node: its tensor name, if the format has such names, and its declared type."""

    name: str | None = None
    type: Type = UNKNOWN


UNNAMED = (Value(),)  # shared by the many nodes with one output of which the file says nothing


class Node:
    """One operator, variable or constant. `kind` is "call", "var" (input or weight without data) or "const"."""

    __slots__ = (
        "attrs",
        "graphs",
        "index",
        "input_names",
        "inputs",
        "kind",
        "name",
        "op",
        "outputs",
        "path",
        "version",
    )

    def __init__(
        self,
        index: int,
        name: str,
        op: str,
        path: Path,
        inputs: Sequence[Source] = (),
        outputs: Sequence[Value] = UNNAMED,
        attrs: dict[str, Any] | None = None,
        kind: str = "call",
        version: str | None = None,
        input_names: Sequence[str] | None = None,
        graphs: Sequence[Graph] = (),
    ) -> None:
        self.index = index  # its position in graph.nodes, which is file order
        self.name = name
        self.op = op  # as the file spells it
        self.path = path
        self.inputs = inputs
        self.outputs = outputs
        self.attrs = {} if attrs is None else attrs
        self.kind = kind
        self.version = version  # of the operator, where the format has one: "opset8"
        self.input_names = input_names  # the format's argument names, one per input, where it writes them
        self.graphs = graphs

    def __repr__(self) -> str:
        return f"<{self.op} {self.name!r} #{self.index}>"


def _node_place(graph: Graph, index: int, part: str) -> Place:
    return Place(graph.nodes[index].path)


@dataclass
class Graph:
    """Nodes in file order; `inputs` are node indices, `outputs` lists the values that the graph outputs.

    `locate(graph, node index, part)` finds the place of a part of a node; parts: "node", "name", "op", "version",
    "input:K", "input_name:K", "output:K", "attr:KEY" (the value), "attr_key:KEY", "attrs".
    `locate_output(k)` finds the place of the graph's k-th output.
    """

    nodes: list[Node] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    outputs: list[Source] = field(default_factory=list)
    name: str = ""
    locate: Callable[[Graph, int, str], Place] = _node_place
    locate_output: Callable[[int], Place] = lambda k: Place(())
    ordered: bool = True  # the format demands that nodes stand before their users
    forward: bool = False  # it is known that they do
    # node index -> a fix that moves what this node reads, or the node itself, so that the order is right
    reorder: Callable[[int], Callable[[Document], Fix | None]] | None = None
    parent: Node | None = None
    mapping: Any = None  # how the dry run understands it (dryrun.mapping.Mapping), once it has been computed

    def place(self, node: Node | int, part: str = "node") -> Place:
        return self.locate(self, node if isinstance(node, int) else node.index, part)

    def consumers(self) -> list[list[int]]:
        """For each node the indices of the nodes that read it, in file order, once per reading."""
        users: list[list[int]] = [[] for _ in self.nodes]
        for node in self.nodes:
            for source in node.inputs:
                if source[0] >= 0:
                    users[source[0]].append(node.index)
        return users

    def walk(self) -> list[Graph]:
        """This graph and every graph nested in it, outermost first."""
        found, queue = [], [self]
        while queue:
            graph = queue.pop()
            found.append(graph)
            queue.extend(g for node in reversed(graph.nesting()) for g in reversed(node.graphs))
        return found

    def asked(self, asks: Mapping[str, Mapping[str, Asked]]) -> Iterator[tuple[Node, Asked]]:
        """The nodes of which something is asked, each with that: `asks` holds it by kind and operator."""
        for node in self.nodes:
            if (of_kind := asks.get(node.kind)) is not None and (found := of_kind[node.op]):
                yield node, found

    def nesting(self) -> list[Node]:
        """The nodes that have graphs of their own."""
        return [node for node in self.nodes if node.graphs]


def label(node: Node) -> str:
    """Return a node as messages name it."""
    return f"{node.op} {node.name!r}" if node.name else f"{node.op} without a name"


def above(graph: Graph, *indices: int, least: int = 0) -> set[int]:
    """The nodes, from `least` on, that nodes cannot do without."""
    seen: set[int] = set()
    stack = list(indices)
    while stack:
        for source, _ in graph.nodes[stack.pop()].inputs:
            if source >= least and source not in seen:
                seen.add(source)
                stack.append(source)
    return seen
