"""The flat view of a model: its calls in depth-first post-order, numbered, each with its inputs, and their text in the style of
the source file. Around it are n-grams over the calls, events, and comparisons of two runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal, get_args

from irlint.graph import Graph, Node, Shape, Value
from irlint.inspection.canonical import CanonicalNames
from irlint.order import post_order
from irlint.records import dataclass
from irlint.text.base import Document
from irlint.text.listing.document import ListingDocument

NodeType = Literal["Call", "Var", "Constant"]
NODE_TYPES: tuple[NodeType, ...] = get_args(NodeType)
_WORD = re.compile(r"[^\s\[\]'\",#]+")
_KINDS: dict[str, NodeType] = {"call": "Call", "var": "Var", "const": "Constant"}


@dataclass(frozen=True, slots=True)
class FlatNode:
    """A call with its id, or a Var or Constant (no id) with its dtype and shape. `inputs` holds ids of calls and
    names of the rest.
    """

    nId: int | None
    op_name: str
    inputs: tuple[int | str, ...] = ()
    dtype: str | None = None
    shape: Shape | None = None

    def __str__(self) -> str:
        return f"{self.nId} {written(self.op_name)} [{', '.join(map(repr, self.inputs))}]"


def written(op_name: str) -> str:
    r"""Return an operator's name as one word of a listing, with whitespace and invisible characters as \x20 or \u2028."""
    if _WORD.fullmatch(op_name) and op_name.isprintable():
        return op_name
    return "".join(char if _WORD.match(char) and char.isprintable() else _escaped(char) for char in op_name) or "?"


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class Flat:
    """The flat view of one graph.

    Ids number the calls from 0 in depth-first post-order from the outputs, inputs left to right, innermost first;
    calls that no output needs follow. Which kinds of node the input lists show is chosen with `set_event_node_types`,
    once per kind; as long as none is chosen the lists are empty. An input that the file leaves open is not shown. A
    call that holds graphs of its own (a loop, a condition) is one call. A node that only marks an output (OpenVINO's
    Result) is none.
    """

    def __init__(self, graph: Graph, node_types: Iterable[str] = (), names: CanonicalNames | None = None) -> None:
        """`names` puts canonical names in the place of the file's."""
        self.graph = graph
        self._op = names.of if names else lambda node: node.op
        self._kind = names.kind_of if names else lambda node: node.kind
        marking = markers(graph)
        self.order = [i for i in post_order(graph) if i not in marking and self._kind(graph.nodes[i]) == "call"]
        self.id_of = {index: number for number, index in enumerate(self.order)}
        self._types: set[str] = set()
        for kind in node_types:
            self.set_event_node_types(kind)

    def set_event_node_types(self, kind: str) -> None:
        """Show nodes of one more kind in the input lists: "Call", "Var" or "Constant"."""
        if kind not in NODE_TYPES:
            raise ValueError(f"unknown kind of node `{kind}`; expected one of {', '.join(NODE_TYPES)}")
        self._types.add(kind)

    @property
    def node_types(self) -> tuple[str, ...]:
        return tuple(kind for kind in NODE_TYPES if kind in self._types)

    @property
    def calls(self) -> list[Node]:
        """The graph's calls by id."""
        nodes = self.graph.nodes
        return [nodes[index] for index in self.order]

    @property
    def nodes(self) -> list[FlatNode]:
        """Return the calls by id."""
        return [FlatNode(number, self._op(node), self.inputs_of(node)) for number, node in enumerate(self.calls)]

    @property
    def leaves(self) -> list[FlatNode]:
        """The Vars and Constants of the chosen kinds, in file order, with their declared types."""
        return [
            FlatNode(None, _leaf_name(node, kind), (), *_type(node))
            for node in self.graph.nodes
            if (kind := self._kind(node)) != "call" and _KINDS[kind] in self._types
        ]

    def inputs_of(self, node: Node) -> tuple[int | str, ...]:
        """Return the entries of the input list of a call."""
        nodes, types, ids = self.graph.nodes, self._types, self.id_of
        shown: list[int | str] = []
        for source in node.inputs:
            if source[0] < 0:
                continue
            below = nodes[source[0]]
            kind = self._kind(below)
            if _KINDS[kind] in types:
                shown.append(ids[below.index] if kind == "call" else _leaf_name(below, kind))
        return tuple(shown)

    def text(self, newline: str = "\n") -> str:
        """Return the listing: one call per line, each line with its line break."""
        return "".join(f"{node}{newline}" for node in self.nodes)

    def json(self) -> dict[str, Any]:
        """The same as plain data: calls by id, then what is known of the Vars and Constants."""
        leaves = self.leaves
        return {
            "node_types": list(self.node_types),
            "nodes": [{"nId": n.nId, "op_name": n.op_name, "inputs": list(n.inputs)} for n in self.nodes],
            "leaves": [{"op_name": n.op_name, "dtype": n.dtype, "shape": n.shape} for n in leaves],
        }


def flatten(graph: Graph, node_types: Iterable[str] = NODE_TYPES, names: CanonicalNames | None = None) -> Flat:
    """The flat view of a graph, with the given kinds of node in the input lists."""
    return Flat(graph, node_types, names)


def markers(graph: Graph) -> set[int]:
    """Nodes that compute nothing and only say that their one input is an output of the graph."""
    outputs = set(graph.outputs)
    return {
        node.index
        for node in graph.nodes
        if not node.outputs and not node.attrs and len(node.inputs) == 1 and node.inputs[0] in outputs
    }


def _leaf_name(node: Node, kind: str) -> str:
    """A call that only holds data goes by the name of its tensor."""
    tensor = node.outputs[0].name if node.kind == "call" and node.outputs else None
    return tensor or node.name or ("constant" if kind == "const" else "")


def _type(node: Node) -> tuple[str | None, Shape | None]:
    value: Value | None = next(iter(node.outputs), None)
    return (value.type.dtype, value.type.shape) if value else (None, None)


def listing(flat: Flat, document: Document | None = None) -> str:
    """The listing of a model; one that was read from a listing keeps its header, quotes, line ends, and its very text
    if that is equal.
    """
    nodes = flat.nodes
    if not isinstance(document, ListingDocument):
        return flat.text()
    if [(n.nId, n.op_name, list(n.inputs)) for n in nodes] == [(r.id, r.op, r.inputs) for r in document.rows]:
        return document.text
    lines = document.newline.join(_line(node, document.quote) for node in nodes)
    return document.header + lines + (document.newline if document.text.endswith(("\n", "\r")) else "")


def _line(node: FlatNode, quote: str) -> str:
    items = [str(item) if isinstance(item, int) else _quoted(item, quote) for item in node.inputs]
    return f"{node.nId} {written(node.op_name)} [{', '.join(items)}]"


def _quoted(name: str, quote: str) -> str:
    """The name as Python writes it, in the quotes asked for where those do not stand in it."""
    if quote == '"' and '"' not in name:
        return '"' + repr("'" + name)[2:]
    return repr(name)
