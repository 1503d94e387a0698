"""From a model's tree to its graphs: names become edges, types become types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.external import ExternalFiles, state_of
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.trees import graphs_of, names_of, numbers_of
from irlint.formats.onnx.wire import ATTRIBUTE_TYPES, CONSTANT_NAMES, DTYPES
from irlint.graph import NOWHERE, UNKNOWN, Dim, Graph, Node, Shape, Source, Type, Value
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.prototext.messages import Tree

new = tuple.__new__  # a named tuple, for half of what it costs to call its class
GRAPHS = ("g", "graphs")
_PARTS = {
    "op": ("op_type",), "version": ("domain",), "attrs": ("op_type",), "node": (), "attr": ("op_type",), "attr_key": ("op_type",),
}  # fmt: skip
_OF_ATTRIBUTES = {"attr": "value", "attr_key": "name"}
_LEAVES = ("Input", "Initializer", "Outer")


class ReadableNames(NamedTuple):
    """The names that a graph can read: its own, and those of the graphs around it."""

    names: Mapping[str, Source]
    around: ReadableNames | None

    def has(self, name: str) -> bool:
        return name in self.names or (self.around is not None and self.around.has(name))


def read(model: Model, document: OnnxDocument) -> Iterator[Problem]:
    """Fill model.graph, and model.functions with the graphs of the model's own functions."""
    if document.crowd is not None:
        return iter((Problem(R.missing_key, Place(document.crowd.path), document.crowd.message),))
    tree = document.tree
    reader = GraphReader(model)
    reader.fill(model.graph, tree.get("graph", {}), ("graph",), None)
    model.functions = [
        reader.function(function, ("functions", k)) for k, function in enumerate(tree.get("functions", ()))
    ]
    return iter(())


_KINDS = {("Constant", ""): "const"}  # by operator and domain; others are calls


class GraphReader:
    """Makes the graphs of one model."""

    def __init__(self, model: Model) -> None:
        self.files = ExternalFiles(model.path) if model.path is not None else None
        state_of(model).files = self.files
        self._types: dict[int, Type] = {}
        self._data_types: dict[tuple[int, tuple[int, ...]], Type] = {}
        self._attributes: dict[int, tuple[str, Any]] = {}

    def function(self, tree: Tree, path: Path) -> Graph:
        """Return the body of a function: its inputs are variables without types."""
        graph = Graph()
        as_graph = {
            "name": tree.get("name", ""),
            "input": [{"name": name} for name in tree.get("input", ())],
            "output": [{"name": name} for name in tree.get("output", ())],
            "node": tree.get("node", ()),
            "value_info": tree.get("value_info", ()),
        }
        self.fill(graph, as_graph, path, None)
        graph.locate_output = lambda k: Place((*path, "output", k))
        return graph

    def fill(self, graph: Graph, tree: Tree, path: Path, around: ReadableNames | None) -> None:
        """Fill a graph with nodes; what it reads from outside becomes variables, which `Outer` nodes stand for."""
        graph.name = tree.get("name", "")
        graph.locate = partial(_locate, cache(partial(_declared, tree, path)))
        graph.locate_output = lambda k: Place((*path, "output", k, "name"))
        nodes = graph.nodes
        defined: dict[str, Source] = {}
        infos = self._infos(tree)
        self._leaves(nodes, defined, tree, path, infos)
        graph.inputs = [node.index for node in nodes if node.kind == "var"]
        calls = tree.get("node", ())
        outer = self._outer(calls, tree.get("output", ()), defined, around)
        for name in outer:
            defined[name] = Source(len(nodes), 0)
            nodes.append(Node(len(nodes), name, "Outer", path, (), (Value(name),), None, "var"))
        first = len(nodes)
        self._define(calls, defined, first)
        find, declared, scope, plain = defined.get, infos.get, ReadableNames(defined, around), self._attribute
        for k, call in enumerate(calls):
            outputs = [new(Value, (name or None, declared(name, UNKNOWN))) for name in call.get("output", ())]
            sources = [find(name, NOWHERE) for name in call.get("input", ())]
            attrs: dict[str, Any] = {}
            is_nesting = False
            for j, one in enumerate(call.get("attribute", ())):
                if "g" in one or "graphs" in one:
                    self._graphs(one, attrs, (*path, "node", k, "attribute", j), scope)
                    is_nesting = True
                else:
                    name, value = plain(one)
                    attrs[name] = value
            op, domain = call.get("op_type", ""), call.get("domain", "")
            kind = _KINDS.get((op, domain), "call")
            if kind == "const":
                attrs = _held(call, plain)
            name = call.get("name") or next(filter(None, call.get("output", ())), "")
            graphs = inner_graphs(attrs, is_nesting)
            node = Node(first + k, name, op, (*path, "node", k), sources, outputs, attrs, kind, domain, None, graphs)
            if graphs:
                sources += self._captured(graphs, node, defined)
            nodes.append(node)
        graph.outputs = [find(value.get("name", ""), NOWHERE) for value in tree.get("output", ())]

    def _leaves(
        self, nodes: list[Node], defined: dict[str, Source], tree: Tree, path: Path, infos: Mapping[str, Type]
    ) -> None:
        """Add inputs and initializers. An initializer of an input's name is its usual value: one node. Of several initializers of
        a name, onnxruntime 1.32 uses the last."""

        def add(name: str, op: str, at: Path, kind: Type, attrs: dict[str, Any] | None) -> None:
            role = "var" if attrs is None else "const"
            if role == "const" or name not in defined:
                defined[name] = Source(len(nodes), 0)
            nodes.append(Node(len(nodes), name, op, at, (), (new(Value, (name, kind)),), attrs, role))

        initializers = tree.get("initializer", ())
        initialized = set(names_of(initializers))
        for k, value in enumerate(tree.get("input", ())):
            if value.get("name", "") not in initialized:
                add(value.get("name", ""), "Input", (*path, "input", k), self.type_of(value.get("type")), None)
        for k, tensor in enumerate(initializers):
            name, attrs = tensor.get("name", ""), {"value": TensorData(tensor, self.files)}
            kind = infos.get(name) or self._type_of_data(tensor.get("data_type", 0), tensor.get("dims", ()))
            add(name, "Initializer", (*path, "initializer", k), kind, attrs)
        for k, sparse in enumerate(tree.get("sparse_initializer", ())):
            values, at = sparse.get("values", {}), (*path, "sparse_initializer", k)
            kind = self._type_of_data(values.get("data_type", 0), sparse.get("dims", ()))
            add(values.get("name", ""), "Initializer", at, kind, {"sparse": sparse})

    def _define(self, calls: list[Tree], defined: dict[str, Source], first: int) -> None:
        for k, call in enumerate(calls, first):
            for j, name in enumerate(call.get("output", ())):
                if name and name not in defined:
                    defined[name] = new(Source, (k, j))

    def _outer(
        self, calls: list[Tree], outputs: list[Tree], defined: Mapping[str, Source], around: ReadableNames | None
    ) -> list[str]:
        """Return the names that a nested graph, or a graph in it, reads from outside."""
        if around is None:
            return []
        own = {name for call in calls for name in call.get("output", ())}
        read: dict[str, None] = {}
        _names_read(calls, outputs, read)
        return [name for name in read if name and name not in own and name not in defined and around.has(name)]

    def _captured(self, graphs: list[Graph], node: Node, defined: Mapping[str, Source]) -> list[Source]:
        """Give graphs the node that they are in, and return what they read from outside."""
        for graph in graphs:
            graph.parent = node
        names = dict.fromkeys(inner.name for graph in graphs for inner in graph.nodes if inner.op == "Outer")
        return [defined.get(name, NOWHERE) for name in names]

    def _graphs(self, attribute: Tree, attrs: dict[str, Any], at: Path, scope: ReadableNames) -> None:
        many = "graphs" in attribute
        found = []
        for j, tree in enumerate(attribute["graphs"] if many else (attribute["g"],)):
            graph = Graph()
            self.fill(graph, tree, (*at, "graphs", j) if many else (*at, "g"), scope)
            found.append(graph)
        attrs[attribute.get("name", "")] = tuple(found) if many else found[0]

    def _infos(self, tree: Tree) -> dict[str, Type]:
        """Return the declared types of values that nodes output."""
        initialized = set(names_of(tree.get("initializer", ())))
        inputs = [value for value in tree.get("input", ()) if value.get("name", "") in initialized]
        values = (*tree.get("value_info", ()), *inputs, *tree.get("output", ()))
        return {value.get("name", ""): self.type_of(value.get("type")) for value in values}

    def type_of(self, tree: Tree | None) -> Type:
        if not tree:
            return UNKNOWN
        if (found := self._types.get(id(tree))) is None:
            found = self._types[id(tree)] = type_of(tree)
        return found

    def _type_of_data(self, number: int, dims: Iterable[int]) -> Type:
        key = number, tuple(dims)
        if (found := self._data_types.get(key)) is None:
            found = self._data_types[key] = Type(DTYPES.get(key[0]), key[1])
        return found

    def _attribute(self, tree: Tree) -> tuple[str, Any]:
        if (found := self._attributes.get(id(tree))) is None:
            found = self._attributes[id(tree)] = tree.get("name", ""), value_of(tree, self.files)
        return found


def type_of(tree: Tree) -> Type:
    """Return the type of a tensor; other types are not followed, and have their kind for an element type."""
    tensor = tree.get("tensor_type")
    if tensor is None:
        kind = next((key for key in tree if key.endswith("_type")), "")
        return Type(kind.removesuffix("_type") or None, None)
    shape = tensor.get("shape")
    return Type(DTYPES.get(tensor.get("elem_type", 0)), None if shape is None else shape_of(shape))


def shape_of(tree: Tree) -> Shape:
    return tuple([_dim(dim) for dim in tree.get("dim", ())])


def _dim(dim: Tree) -> Dim:
    value = dim.get("dim_value")
    if value is not None:
        return int(value) if value >= 0 else None
    return dim.get("dim_param") or None


def value_of(tree: Tree, files: ExternalFiles | None = None) -> Any:
    """Return the value of an attribute: None where it has none, or refers to one of a function."""
    if "ref_attr_name" in tree:
        return None
    _, field = ATTRIBUTE_TYPES.get(tree.get("type", 0)) or next((row for row in _ROWS if row[1] in tree), ("", ""))
    value = tree.get(field)
    if field == "t":
        return TensorData(value or {}, files)
    if field == "tensors":
        return tuple(TensorData(one, files) for one in value or ())
    return _READERS[field](value) if field in _READERS else value


def _word(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "surrogateescape")


def _type_text(value: Tree | None) -> str:
    from irlint.formats.onnx.text.printer import type_text

    return type_text(value or {})


_ROWS = ATTRIBUTE_TYPES.values()
_READERS: dict[str, Callable[[Any], Any]] = {  # of values that may be absent
    "i": lambda value: value or 0,
    "f": lambda value: value or 0,
    "s": _word,
    "ints": lambda values: tuple(numbers_of(values) or ()),
    "floats": lambda values: tuple(numbers_of(values) or ()),
    "strings": lambda values: tuple(map(_word, values or ())),
    "tp": _type_text,
}


def source_of(graph: Graph, node: Node, k: int) -> Node | None:
    """Return the node of the graph that an input comes from; None if there is none."""
    index = node.inputs[k][0] if k < len(node.inputs) else -1
    return graph.nodes[index] if index >= 0 else None


def _names_read(calls: list[Tree], outputs: list[Tree], read: dict[str, None]) -> None:
    """Add what calls read, and what graphs in them read from outside: a name that such a graph defines is its own."""
    for call in calls:
        read.update(dict.fromkeys(call.get("input", ())))
        for _, graph in graphs_of(call):
            inner: dict[str, None] = {}
            _names_read(graph.get("node", ()), graph.get("output", ()), inner)
            own = _own_names(graph)
            read.update((name, None) for name in inner if name not in own)
    read.update(dict.fromkeys(names_of(outputs)))


def _own_names(graph: Tree) -> set[str]:
    """Return the names that a graph defines."""
    found = {name for call in graph.get("node", ()) for name in call.get("output", ())}
    found.update(names_of(graph.get("input", ())), names_of(graph.get("initializer", ())))
    found.update(one.get("values", {}).get("name", "") for one in graph.get("sparse_initializer", ()))
    return found


def _locate(declared: Callable[[], dict[str | None, Path]], graph: Graph, index: int, part: str) -> Place:
    """Return where a part of a node is."""
    node = graph.nodes[index]
    word, _, rest = part.partition(":")
    path = node.path
    if word == "type":
        return Place(declared().get(node.outputs[int(rest)].name) or (*path, "output", int(rest)))
    if node.op in _LEAVES and node.kind != "call" and path[-2:-1] != ("node",):
        if path[-2:-1] == ("sparse_initializer",):
            return Place((*path, "values", "name"))
        return Place((*path, "name") if word in ("name", "output", "op") else path)
    if word in ("input", "output"):
        return Place((*path, word, int(rest)))
    if word in _OF_ATTRIBUTES and rest in node.attrs:
        return Place((*path, "attribute", list(node.attrs).index(rest), _OF_ATTRIBUTES[word]))
    return Place((*path, *_PARTS.get(word, (word,))))


def _declared(tree: Tree, path: Path) -> dict[str | None, Path]:
    """Return where the types of values are declared, by their names."""
    found: dict[str | None, Path] = {}
    for word in ("output", "input", "value_info"):
        for k, name in enumerate(names_of(tree.get(word, ()))):
            found.setdefault(name, (*path, word, k, "type"))
    return found


def _held(call: Tree, plain: Callable[[Tree], tuple[str, Any]]) -> dict[str, Any]:
    """Return the value of a Constant: its first attribute, whatever that is called, and whatever else has its name."""
    for one in call.get("attribute", ()):
        if "g" not in one and "graphs" not in one:
            name, value = plain(one)
            return {CONSTANT_NAMES.get(one.get("type", 0), name): value}
    return {}


def inner_graphs(attrs: Mapping[str, Any], is_nesting: bool = True) -> list[Graph]:
    """Return the graphs of a node, then_branch first, in whatever order a file has its attributes: onnxruntime writes else_branch first."""
    values = (attrs[name] for name in sorted(attrs, reverse=True)) if is_nesting else ()
    listed = (value if isinstance(value, tuple) else (value,) for value in values)
    return [graph for graphs in listed for graph in graphs if isinstance(graph, Graph)]
