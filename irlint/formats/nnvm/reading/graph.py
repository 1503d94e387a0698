"""The format-neutral graph of a file, built only on demand: linting a clean file does not need it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from typing import Any

from irlint.findings import Fix
from irlint.formats.nnvm.passes import operands
from irlint.formats.nnvm.passes.variables import DTYPES
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.values import BadValue, leading_int, leading_shape
from irlint.formats.nnvm.reading.view import Entry, GraphView, attributes
from irlint.formats.nnvm.state import NestedViews, state_of
from irlint.graph import NOWHERE, UNNAMED, Asked, Graph, Node, Source, Type, Value
from irlint.operators import OperatorTable
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Place
from irlint.text.numbers import MANY, decimal

_DTYPE_NAMES = {number: name for name, number in DTYPES.items() if number >= 0}


class LazyGraph(Graph):
    """Graph whose nodes appear on first use."""

    def __init__(self, model: Model, views: list[GraphView], at: int = 0, parent: Node | None = None) -> None:
        self._model, self._views, self._at = model, views, at
        self.name = ""
        self.ordered = model.dialect == dialects.TVM
        self.reorder: Callable[[int], Callable[[Document], Fix | None]] | None = None
        self.parent = parent

    @property
    def view(self) -> GraphView:
        return self._views[self._at]

    @cached_property
    def nodes(self) -> list[RawNode]:  # type: ignore[override]
        return _nodes(self._model, self._views, self._at)

    @cached_property
    def inputs(self) -> list[int]:  # type: ignore[override]
        return self.view.variables

    @cached_property
    def outputs(self) -> list[Source]:  # type: ignore[override]
        return _sources(self.view.heads, len(self.view.nodes))

    def asked(self, asks: Mapping[str, Mapping[str, Asked]]) -> Iterator[tuple[Node, Asked]]:
        """Nodes are made on demand."""
        if "nodes" in self.__dict__ or len(self._views) > 1 or self._model.silent:
            yield from super().asked(asks)
            return
        items = enumerate(self.view.nodes)
        yield from _made(items, NodeReader(self._model, self.view), asks.get("call"), asks.get("var"))

    def nesting(self) -> list[Node]:
        inside = _nested(self._model, self._views).get(self.view.path, {})
        return [self.nodes[i] for i in sorted(inside)]

    def locate(self, graph: Graph, node: int, part: str) -> Place:
        return self.view.place(node, part)

    def locate_output(self, k: int) -> Place:
        return self.view.head_place(k)


class RawNode(Node):
    """A node, and what it was read from. `_made` makes it."""

    __slots__ = ("_raw", "_reader")
    _raw: dict[str, Any]
    _reader: NodeReader

    def complete(self) -> None:
        """Read all the rest; from then on it is a node like any other. (`__getattr__` would slow down every access.)"""
        self._reader.fill(self, self._raw)
        self.__class__ = RawNode  # last, as other threads may look at it


class _Late:
    """A part that takes longer to read than operator, name and attributes, and is read on demand."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name, self._slot = name, getattr(Node, name)

    def __set__(self, node: RawNode, value: Any) -> None:
        self._slot.__set__(node, value)

    def __get__(self, node: RawNode, owner: type) -> Any:
        node.complete()
        return getattr(node, self._name)


class LazyNode(RawNode):
    """A node of which only operator, name and attributes have been read."""

    __slots__ = ()
    graphs = _Late()
    input_names = _Late()
    inputs = _Late()
    outputs = _Late()
    path = _Late()
    version = _Late()


class NodeReader:
    """What the nodes of one graph are read by. It does not hold the model, which holds them."""

    def __init__(self, model: Model, view: GraphView) -> None:
        self.path, self.count = (*view.path, "nodes"), len(view.nodes)
        self.dialect, self.table = model.dialect, model.operators
        self.outputs: dict[tuple[Any, ...], tuple[Value, ...]] = {}
        self.room = 16 * MANY  # outputs that are listed: an attribute can ask for any number of them

    def fill(self, node: Node, raw: dict[str, Any]) -> None:
        node.path = (*self.path, node.index)
        node.graphs, node.input_names, node.version = (), None, None
        op, attrs = node.op, node.attrs
        if op == "null":
            node.inputs, node.outputs = (), (Value(node.name, declared_type(attrs)),)
            return
        node.inputs = _sources(raw["inputs"], self.count)
        key = (op, *attrs.items())
        outputs = self.outputs.get(key)
        if outputs is None:
            width = min(_width(self.dialect, self.table, op, attrs), MANY, self.room)
            self.room -= width
            outputs = self.outputs[key] = UNNAMED if width <= 1 else (Value(),) * width
        node.outputs = outputs


def _sources(entries: list[Entry], count: int) -> list[Source]:
    return [Source(e[0], e[1] if e[1] >= 0 else MANY) if 0 <= e[0] < count else NOWHERE for e in entries]


def _nodes(model: Model, views: list[GraphView], at: int) -> list[RawNode]:
    view = views[at]
    nested = _nested(model, views).get(view.path, {})
    reader = NodeReader(model, view)
    every: Mapping[str, bool] = defaultdict(lambda: True)
    nodes: list[RawNode] = [node for node, _ in _made(enumerate(view.nodes), reader, every, every)]
    for i, inner in nested.items():
        if nodes[i].kind == "call":
            nodes[i].complete()
            nodes[i].graphs = [LazyGraph(model, views, k, nodes[i]) for k in inner]
    return nodes


def _made(
    items: Iterable[tuple[int, dict[str, Any]]],
    reader: NodeReader,
    calls: Mapping[str, Asked] | None,
    variables: Mapping[str, Asked] | None,
) -> Iterator[tuple[LazyNode, Asked]]:
    """The nodes of whose operator something is asked, each with that. A call of `__init__` would take as long as all the rest."""
    make = object.__new__
    for i, raw in items:
        op = raw["op"]
        of_kind = variables if op == "null" else calls
        if of_kind is None or not (asked := of_kind[op]):
            continue
        node = make(LazyNode)
        node._reader, node._raw = reader, raw
        node.index, node.op, node.name = i, op, raw["name"]
        node.attrs = raw["attrs"] if len(raw) == 4 and "attrs" in raw else attributes(raw)
        node.kind = "var" if op == "null" else "call"
        yield node, asked


def _nested(model: Model, views: list[GraphView]) -> dict[Path, dict[int, list[int]]]:
    """For each graph and each node in it that has subgraphs the positions of their views."""
    state = state_of(model)
    known = state.nested
    if known is not None and known.views is views:
        return known.positions
    found: dict[Path, dict[int, list[int]]] = {}
    for k, view in enumerate(views):
        if len(view.path) >= 4:
            index = view.path[-3]
            assert isinstance(index, int)
            found.setdefault(view.path[:-4], {}).setdefault(index, []).append(k)
    state.nested = NestedViews(views, found)
    return found


def _width(dialect: str, table: OperatorTable | None, op: str, attrs: dict[str, str]) -> int:
    """Return how many outputs a node has, at least those that are used."""
    if dialect == dialects.TVM:
        found = decimal(attrs.get("num_outputs", "1").strip(), 6)
        return 1 if found is None else found
    operator = table.get(op) if table else None
    if operator is None:
        return 1
    outputs = operands.outputs(operands.written(operator, attrs))
    return max(outputs.total or outputs.visible or 1, 1)


def declared_type(attrs: dict[str, str]) -> Type:
    """What a variable's hidden keys say of its type."""
    return _declared_type(attrs.get("__shape__"), attrs.get("__dtype__"))


@lru_cache(maxsize=4096)
def _declared_type(shape_text: str | None, dtype_text: str | None) -> Type:
    """A 0 in a shape means unknown, and so does a shape without numbers."""
    dtype, shape = None, None
    with suppress(BadValue):
        dtype = None if dtype_text is None else _DTYPE_NAMES.get(leading_int(dtype_text))
    with suppress(BadValue):
        numbers = None if shape_text is None else leading_shape(shape_text)
        shape = None if not numbers else tuple(n if n > 0 else None for n in numbers)
    return Type(dtype, shape)
