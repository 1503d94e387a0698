"""The format-neutral graph of a file, built only when somebody asks for it: a clean lint never does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import repeat
from typing import Any

from irlint.findings import Fix
from irlint.formats.nnvm import counts
from irlint.formats.nnvm import dialect as dialects
from irlint.formats.nnvm.hidden import DTYPES
from irlint.formats.nnvm.values import Bad, leading_int, leading_shape, read
from irlint.formats.nnvm.view import View, attributes
from irlint.graph import NOWHERE, UNNAMED, Graph, Node, Source, Type, Value
from irlint.operators import OperatorTable
from irlint.rules.base import Model
from irlint.rules.memory import MOST, changed
from irlint.text.base import Document, Path, Place

_DTYPE_NAMES = {number: name for name, number in DTYPES.items() if number >= 0}


class Kept:
    """Nodes that somebody has asked for, handed on to the graph of the text after an edit."""

    def __init__(self) -> None:
        self.last: tuple[View, list[Node]] | None = None


class LazyGraph(Graph):
    """Graph whose nodes appear on first use."""

    def __init__(
        self, model: Model, views: list[View], at: int = 0, parent: Node | None = None, kept: Kept | None = None
    ) -> None:
        self._model, self._views, self._at, self._kept = model, views, at, kept
        self.name = ""
        self.ordered = model.dialect == dialects.TVM
        self.reorder: Callable[[int], Callable[[Document], Fix | None]] | None = None
        self.parent = parent

    @property
    def view(self) -> View:
        return self._views[self._at]

    @cached_property
    def nodes(self) -> list[Node]:  # type: ignore[override]
        kept = self._kept if len(self._views) == 1 else None
        nodes = _nodes(self._model, self._views, self._at, kept.last if kept is not None else None)
        if kept is not None:
            kept.last = self.view, nodes
        return nodes

    @cached_property
    def inputs(self) -> list[int]:  # type: ignore[override]
        return [i for i, op in enumerate(self.view.ops) if op == "null"]

    @cached_property
    def outputs(self) -> list[Source]:  # type: ignore[override]
        count = len(self.view.nodes)
        return [Source(e[0], e[1]) if 0 <= e[0] < count else NOWHERE for e in self.view.heads]

    def nesting(self) -> list[Node]:
        inside = _nested(self._model, self._views).get(self.view.path, {})
        return [self.nodes[i] for i in sorted(inside)] if inside else []

    def locate(self, graph: Graph, node: int, part: str) -> Place:
        return self.view.place(node, part)

    def locate_output(self, k: int) -> Place:
        return self.view.head_place(k)


class LazyNode(Node):
    """A node as the file has it; what takes longer to tell than operator and name is told once somebody asks."""

    __slots__ = ("_raw", "_reader")

    def __init__(self, index: int, raw: dict[str, Any], reader: Reader) -> None:
        self.index, self._raw, self._reader = index, raw, reader
        self.op = op = raw["op"]
        self.name = raw["name"]
        self.kind = "var" if op == "null" else "call"

    def __getattr__(self, name: str) -> Any:  # of a slot that nothing has been put into
        if name == "attrs":
            found = self.attrs = attributes(self._raw)
            return found
        if name not in _LATE:
            raise AttributeError(name)
        if name == "graphs":
            self.graphs: Sequence[Graph] = ()
        else:
            self._reader.fill(self, self._raw)
        return getattr(self, name)


_LATE = frozenset(("graphs", "input_names", "inputs", "outputs", "path", "version"))


class Reader:
    """What the nodes of one graph are read by. It does not hold the model, as nodes outlive it."""

    def __init__(self, model: Model, view: View) -> None:
        self.path, self.count = (*view.path, "nodes"), len(view.nodes)
        self.dialect, self.table = model.dialect, model.operators
        self.widths: dict[tuple[Any, ...], int] = {}

    def fill(self, node: Node, raw: dict[str, Any]) -> None:
        node.path = (*self.path, node.index)
        node.input_names = node.version = None
        op, attrs, count = node.op, node.attrs, self.count
        if op == "null":
            node.inputs, node.outputs = (), (Value(node.name, declared_type(attrs)),)
            return
        node.inputs = [Source(e[0], e[1]) if 0 <= e[0] < count else NOWHERE for e in raw["inputs"]]
        key = (op, *attrs.items())
        width = self.widths.get(key)
        if width is None:
            width = self.widths[key] = _width(self.dialect, self.table, op, attrs)
        node.outputs = UNNAMED if width == 1 else (Value(),) * width


def _nodes(model: Model, views: list[View], at: int, before: tuple[View, list[Node]] | None) -> list[Node]:
    """All nodes; those `before` which an edit did not touch are taken over."""
    view = views[at]
    nested = _nested(model, views).get(view.path, {})
    reader = Reader(model, view)

    def make(i: int) -> Node:
        node = LazyNode(i, view.nodes[i], reader)
        if i in nested and node.kind == "call":
            node.graphs = [LazyGraph(model, views, k, node) for k in nested[i]]
        return node

    indices = changed(before[0].nodes, view.nodes, MOST) if before is not None else None
    if before is None or indices is None:
        if nested:
            return list(map(make, range(reader.count)))
        return list(map(LazyNode, range(reader.count), view.nodes, repeat(reader)))
    nodes = before[1].copy()
    for i in indices:
        nodes[i] = make(i)
    return nodes


def _nested(model: Model, views: list[View]) -> dict[Path, dict[int, list[int]]]:
    """For each graph and each node in it that has subgraphs the positions of their views."""
    known = model.extra.get("nested views")
    if known is not None and known[0] is views and known[1] == len(views):
        return known[2]  # type: ignore[no-any-return]
    found: dict[Path, dict[int, list[int]]] = {}
    for k, view in enumerate(views):
        if len(view.path) >= 4:
            index = view.path[-3]
            assert isinstance(index, int)
            found.setdefault(view.path[:-4], {}).setdefault(index, []).append(k)
    model.extra["nested views"] = views, len(views), found
    return found


def _width(dialect: str, table: OperatorTable | None, op: str, attrs: dict[str, str]) -> int:
    """How many outputs a node has, at least the ones that it hands out."""
    if dialect == dialects.TVM:
        text = attrs.get("num_outputs", "1").strip()
        return int(text) if text.isdecimal() and len(text) < 7 else 1
    operator = table.get(op) if table else None
    if operator is None:
        return 1

    def value(name: str) -> Any:
        attribute = operator.attributes[name]
        text = attrs.get(name, attribute.default)
        return None if text is None else read(attribute, text)

    try:
        outputs = counts.outputs(operator, value)
    except Bad:
        return 1
    return max(outputs.total or outputs.visible or 1, 1)


def declared_type(attrs: dict[str, str]) -> Type:
    """What a variable's hidden keys say of its type."""
    return _declared_type(attrs.get("__shape__"), attrs.get("__dtype__"))


@lru_cache(maxsize=4096)
def _declared_type(shape_text: str | None, dtype_text: str | None) -> Type:
    """A 0 in a shape means unknown, and so does a shape without numbers."""
    dtype, shape = None, None
    with suppress(Bad):
        dtype = None if dtype_text is None else _DTYPE_NAMES.get(leading_int(dtype_text))
    with suppress(Bad):
        numbers = None if shape_text is None else leading_shape(shape_text)
        shape = None if not numbers else tuple(n if n > 0 else None for n in numbers)
    return Type(dtype, shape)
