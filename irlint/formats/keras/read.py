"""From a configuration to a graph: a node for each call of a layer, whose inputs name a layer, one of its calls and one of its outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from irlint import schema
from irlint.checks.problems import undefined_name
from irlint.checks.signature import evaluate
from irlint.findings import Problem, Severity
from irlint.formats.keras.evidence import is_object, layers_of
from irlint.formats.keras.rules import R
from irlint.graph import NOWHERE, UNKNOWN, Graph, Node, Source, Type, Value
from irlint.operators import nearest, table
from irlint.records import NamedTuple, dataclass, field
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.words import count

_MOST_NESTED = 40  # models within models
_IMPLIED = "Input"  # the class of an input that is not listed
_SHAPES = ("batch_shape", "batch_input_shape", "shape", "input_shape")  # keys of a shape; the last two lack the batch


class Reference(NamedTuple):
    path: Path
    name: str
    call: int
    output: int


@dataclass
class Layer:
    """A layer of one model, and the nodes that are its calls."""

    value: dict[str, Any]
    path: Path
    name: str
    calls: list[tuple[Path, list[Reference]]]
    inner: Graph | None = None
    nodes: list[int] = field(default_factory=list)


def operator_name(value: dict[str, Any]) -> str:
    """Return the name under which the table has a class: functions of keras.ops have the names of layers, too."""
    module = value.get("module")
    return f"ops.{value['class_name']}" if isinstance(module, str) and ".ops" in module else str(value["class_name"])


def layer_path(node: Node) -> Path:
    """Return where the layer is of which a node is a call."""
    return node.path[: -2 if node.path[-2:-1] == ("inbound_nodes",) else None]


def read(model: Model) -> Iterator[Problem]:
    """Fill model.graph; yield what is wrong with the structure, and calls and layers that do not exist."""
    model.operators = table(model.dialect)
    value, damaged = model.document.root_value(), model.document.guesses
    if not damaged:
        yield from schema.problems(f"{model.dialect}.schema.json", value)
    reader = Reader(model)
    if is_object(value):
        model.graph = reader.graph(value, ())
    yield from reader.problems


def references(value: Any, path: Path, is_old: bool) -> Iterator[Reference]:
    """Yield what a call of a layer reads: lists of Keras 2 with a name and two numbers, or tensors of Keras 3 that have one."""
    if isinstance(value, dict):
        history = _history(value)
        if history is not None:
            yield from references(history, (*path, "config", "keras_history"), True)
        else:
            for key, one in value.items():
                if key != "mask":  # that Keras passes on by itself
                    yield from references(one, (*path, key), is_old)
    elif isinstance(value, list):
        found = value[:3] if is_old else []
        if [*map(type, found)] == [str, int, int]:
            if found[1] >= 0:  # others stand for constants
                yield Reference(path, *found)
            first = 3
        else:
            first = 0
        for k, one in enumerate(value[first:], first):
            yield from references(one, (*path, k), is_old)


def _history(value: dict[str, Any]) -> Any:
    config = value.get("config") if value.get("class_name") == "__keras_tensor__" else None
    return config.get("keras_history") if isinstance(config, dict) else None


class Reader:
    """Reads the graphs of a model and of those that are layers of it."""

    def __init__(self, model: Model) -> None:
        self.model, self.problems = model, list[Problem]()
        self.inner: dict[Path, Graph] = model.state

    def graph(self, value: dict[str, Any], path: Path, depth: int = 0) -> Graph:
        config, found = value["config"], layers_of(value)
        graph = Graph(name=str(config.get("name", "")) if isinstance(config, dict) else "", ordered=False)
        if found is None:
            return graph
        path = (*path, *found[1])
        layers = [self._layer(one, (*path, k), depth) for k, one in enumerate(found[0]) if is_object(one)]
        if isinstance(config, dict) and "input_layers" in config:
            keys = ("input_layers", "output_layers")
            starts, ends = ([*references(config.get(key), (*path[:-1], key), True)] for key in keys)
        else:
            _chain(layers, "batch_input_shape" if self.model.dialect == "keras-2" else "batch_shape")
            starts, ends = (
                ([Reference((*one.path, "class_name"), one.name, 0, 0)] for one in (layers[0], layers[-1]))
                if layers
                else ([], [])
            )
        self._join(graph, layers, starts, ends)
        graph.locate_output = lambda k: _place(ends[k]) if k < len(ends) else Place(path)
        self._twins(layers)
        return graph

    def _join(self, graph: Graph, layers: list[Layer], starts: list[Reference], ends: list[Reference]) -> None:
        """Make the nodes of a graph, and let each read what its inputs refer to."""
        reads: list[tuple[Layer, list[Reference]]] = []
        for layer in layers:
            for where, inputs in layer.calls or [(layer.path, [])]:
                layer.nodes.append(len(reads))
                graph.nodes.append(self._node(len(reads), layer, where, inputs))
                reads.append((layer, inputs))
        known = {layer.name: layer for layer in reversed(layers)}
        for node, (_, inputs) in zip(graph.nodes, reads, strict=True):
            node.inputs = [self._source(one, known) for one in inputs]
        graph.locate = _Locator(reads)
        _count_outputs(graph, [one for _, inputs in reads for one in inputs])
        borders = [(one, self._source(one, known, is_end=True)) for one in (*starts, *ends)]
        sources = [source for _, source in borders]
        graph.inputs = [one.node for one in sources[: len(starts)] if one.node >= 0]
        graph.outputs = sources[len(starts) :]
        self._ends(borders, graph, len(starts))

    def _layer(self, value: dict[str, Any], path: Path, depth: int) -> Layer:
        config, listed = value["config"], value.get("inbound_nodes")
        name = value.get("name", config.get("name") if isinstance(config, dict) else None)
        calls: list[tuple[Path, list[Reference]]] = []
        for k, call in enumerate(listed if isinstance(listed, list) else ()):
            where = (*path, "inbound_nodes", k)
            calls.append((where if k else path, [*references(call, where, isinstance(call, list))]))
        layer = Layer(value, path, name if isinstance(name, str) else "", calls)
        if layers_of(value) is not None:
            if depth < _MOST_NESTED:
                layer.inner = self.inner[path] = self.graph(value, path, depth + 1)
            else:
                at = Place((*path, "class_name"))
                self.problems.append(Problem(R.too_deep, at, f"more than {_MOST_NESTED} models within each other"))
        return layer

    def _node(self, index: int, layer: Layer, path: Path, inputs: Sequence[Reference]) -> Node:
        config, number = layer.value["config"], index - layer.nodes[0]
        attrs = config if isinstance(config, dict) else {}
        op, outputs, kind = operator_name(layer.value), [Value()], "call" if inputs or layer.calls else "const"
        if op in ("InputLayer", _IMPLIED) and not inputs:
            kind, outputs = "var", [Value(None, declared(attrs))]
        elif layer.inner is not None:
            outputs = [Value()] * max(len(layer.inner.outputs), 1)
        elif self.model.operators is not None and (known := self.model.operators.get(op)) is not None:
            values = {name: attrs.get(name, one.default) for name, one in known.attributes.items()}
            outputs = [Value()] * (evaluate(known.facts.get("returns", "0"), values) or 0)
        name = f"{layer.name}/{number}" if number else layer.name
        graphs = [layer.inner] if layer.inner is not None and not number else []
        return Node(index, name, op, path, (), outputs, attrs, kind, graphs=graphs)

    def _source(self, one: Reference, known: dict[str, Layer], is_end: bool = False) -> Source:
        if (layer := known.get(one.name)) is None:
            return NOWHERE
        calls = layer.nodes
        call = one.call
        if layer.inner is not None and (is_end or self.model.dialect == "keras-2") and call > 0:
            # a model that has inputs of its own counts them as its first call
            call -= layer.value["class_name"] != "Sequential" or self.model.dialect == "keras-2"
        if call >= len(calls):
            message = f"layer {one.name!r} has {count(len(calls), 'call')}, so there is no call {one.call}"
            is_input = (
                self.model.dialect == "keras-2" and layer.value["class_name"] == "InputLayer"
            )  # whose calls it ignores
            severity = Severity.WARNING if is_input else None
            at = Place((*one.path, 1))
            self.problems.append(Problem(R.index_out_of_range, at, message, one.name, severity=severity))
            call = 0
        return Source(calls[call], max(one.output, 0))

    def _ends(self, pairs: list[tuple[Reference, Source]], graph: Graph, inputs: int) -> None:
        """Report inputs that are not there, and outputs that layers do not have; outputs that are not there are of any format."""
        names = [node.name for node in graph.nodes]
        for k, (one, source) in enumerate(pairs):
            if source.node < 0 and k < inputs:
                at, message = Place((*one.path, 0)), f"undefined name {one.name!r} in the inputs of the model"
                self.problems.append(undefined_name(at, message, nearest(one.name, names)))
            elif source.node >= 0 and source.output >= (number := len(graph.nodes[source.node].outputs)):
                message = f"layer {one.name!r} has {count(number, 'output')}, so there is no output {one.output}"
                self.problems.append(Problem(R.index_out_of_range, Place((*one.path, 2)), message, one.name))

    def _twins(self, layers: list[Layer]) -> None:
        """Report layers whose own name another one has, although their calls have different names."""
        first = dict[str, Layer]()
        for layer in layers:
            config = layer.value["config"]
            name = config.get("name") if isinstance(config, dict) else None
            if not isinstance(name, str) or (other := first.setdefault(name, layer)) is layer:
                continue
            if other.name != layer.name:
                related = [("first defined here", Place((*other.path, "config", "name")))]
                at, message = Place((*layer.path, "config", "name")), f"duplicate name {name!r}"
                self.problems.append(Problem(R.duplicate_definition, at, message, layer.name, None, related))


def _chain(layers: list[Layer], key: str) -> None:
    """Let each layer of a Sequential read the one before; the first may declare the shape of an input that is not listed, under a key of
    its own."""
    if layers and layers[0].value["class_name"] != "InputLayer":
        first = layers[0]
        config = first.value["config"] if isinstance(first.value["config"], dict) else {}
        shape = first.inner is None and next((config[one] for one in _SHAPES if one in config), None)
        built = first.value.get("build_config")
        if not shape and isinstance(built, dict):
            shape = built.get("input_shape")
        value = {"class_name": _IMPLIED, "config": {key: shape} if shape else {}}
        layers.insert(0, Layer(value, first.path, f"{first.name}/input", []))
    for before, layer in pairwise(layers):
        layer.calls = [(layer.path, [Reference((*layer.path, "class_name"), before.name, 0, 0)])]


def declared(attrs: dict[str, Any]) -> Type:
    """Return the type that an input declares, as far as it is valid."""
    key = next((key for key in _SHAPES if isinstance(attrs.get(key), list)), None)
    dtype = attrs.get("dtype", "float32")
    shape = None if key is None else [*[attrs.get("batch_size")] * (key in _SHAPES[2:]), *attrs[key]]
    if shape is None or not all(one is None or (type(one) is int and one >= 0) for one in shape):
        return UNKNOWN._replace(dtype=dtype if isinstance(dtype, str) else None)
    return Type(dtype if isinstance(dtype, str) else None, tuple(shape))


def _count_outputs(graph: Graph, used: list[Reference]) -> None:
    """Give layers of which the table does not say how many outputs they have as many as are used."""
    most: dict[str, int] = {}
    for one in used:
        most[one.name] = max(most.get(one.name, 0), one.output)
    for node in graph.nodes:
        if not node.outputs:
            node.outputs = [Value()] * (min(most.get(node.name.partition("/")[0], 0), 1000) + 1)


def _place(one: Reference) -> Place:
    """Return where a reference names a layer; one of a Sequential is at the class of the layer that reads it."""
    return Place(one.path if one.path[-1] == "class_name" else (*one.path, 0))


class _Locator:
    """Where the parts of a node are: `class_name`, the name, the arguments in `config`, and the names in its inputs."""

    def __init__(self, nodes: list[tuple[Layer, list[Reference]]]) -> None:
        self._nodes = nodes

    def __call__(self, graph: Graph, index: int, part: str) -> Place:
        layer, inputs = self._nodes[index]
        path = layer.path
        word, _, key = part.partition(":")
        if word == "input" and inputs:
            return _place(inputs[min(int(key), len(inputs) - 1)])
        if word in ("attr", "attr_key"):
            return Place((*path, "config", key), "key" if word == "attr_key" else "value")
        if word in ("name", "output"):
            return Place((*path, "name") if "name" in layer.value else (*path, "config", "name"))
        return Place((*path, "config"), "key") if word == "attrs" else Place((*path, "class_name"))
