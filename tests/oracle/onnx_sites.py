"""Where a defect can be planted in a ModelProto, and how a planted one says where it is. For the oracle's Python."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import onnx
from onnx import AttributeProto, defs


class Place(NamedTuple):
    """A line of the text on which the defect can be seen. `names` are what the line defines: outputs of a node, a tensor, a value, a domain."""

    kind: str  # node, initializer, input, output, value, import, head, function
    names: tuple[str, ...] = ()
    path: str = ""  # of the graph: outputs of the nodes around it
    index: int = -1


class Made(NamedTuple):
    what: str
    places: tuple[Place, ...] = ()


class Side(NamedTuple):
    """A file next to the model; without `data`, it is to be missing."""

    name: str
    data: bytes | None


Way = Callable[[onnx.ModelProto, random.Random], "Made | None"]


class Site(NamedTuple):
    node: onnx.NodeProto
    owner: Any  # GraphProto or FunctionProto
    index: int
    path: str

    @property
    def place(self) -> Place:
        return Place("node", tuple(name for name in self.node.output if name), self.path, self.index)

    @property
    def title(self) -> str:
        return f"{self.node.op_type} {self.node.name or next(iter(self.node.output), '')!r}"


def sites(model: onnx.ModelProto) -> list[Site]:
    """All nodes, those of nested graphs and functions as well."""
    found = list(_of(model.graph, ""))
    for function in model.functions:
        found += _of(function, f"{function.domain}.{function.name}")
    return found


def _of(owner: Any, path: str) -> Iterator[Site]:
    for index, node in enumerate(owner.node):
        yield Site(node, owner, index, path)
        for attribute in node.attribute:
            for graph in [attribute.g] * attribute.HasField("g") + list(attribute.graphs):
                yield from _of(graph, f"{path}/{next(iter(node.output), '')}")


def graphs(model: onnx.ModelProto) -> list[tuple[str, onnx.GraphProto]]:
    found = {("", id(model.graph)): model.graph}
    for site in sites(model):
        if isinstance(site.owner, onnx.GraphProto):
            found.setdefault((site.path, id(site.owner)), site.owner)
    return [(path, graph) for (path, _), graph in found.items()]


def readers(model: onnx.ModelProto, name: str) -> list[Place]:
    """Nodes that take a value as input, or of whose bodies a node does, and outputs of graphs that are the value."""
    found = [site.place for site in sites(model) if name in site.node.input]
    return found + [
        Place("output", (name,), path)
        for path, graph in graphs(model)
        if name in [value.name for value in graph.output]
    ]


def makers(model: onnx.ModelProto, name: str) -> list[Place]:
    found = [site.place for site in sites(model) if name in site.node.output]
    for path, graph in graphs(model):
        found += [Place("initializer", (name,), path) for tensor in graph.initializer if tensor.name == name]
        found += [Place("input", (name,), path) for value in graph.input if value.name == name]
    return found


def some(rng: random.Random, found: list[Any]) -> Any:
    return rng.choice(found) if found else None


def typo(rng: random.Random, word: str) -> str:
    """A slip of the keyboard."""
    if len(word) < 2:
        return f"{word}{word or 'x'}_"
    at = rng.randrange(len(word) - 1)
    made = rng.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
    )
    return made if made != word else f"{word}s"


def opset(model: onnx.ModelProto, domain: str = "") -> int:
    return next(
        (row.version for row in model.opset_import if row.domain == domain or (not domain and row.domain == "ai.onnx")),
        1,
    )


def schema(model: onnx.ModelProto, node: onnx.NodeProto) -> Any:
    """The operator's schema in the opset that the model imports."""
    try:
        return defs.get_schema(node.op_type, opset(model, node.domain), node.domain)
    except Exception:
        return None


def attributes(model: onnx.ModelProto, *types: int) -> list[tuple[Site, AttributeProto]]:
    return [
        (site, attribute)
        for site in sites(model)
        for attribute in site.node.attribute
        if (not types or attribute.type in types) and not attribute.ref_attr_name
    ]


def sides(path: Path) -> list[Path]:
    """Files that hold the model's tensors."""
    model = onnx.load(path, load_external_data=False)
    tensors = [tensor for _, graph in graphs(model) for tensor in graph.initializer]
    names = {row.value for tensor in tensors for row in tensor.external_data if row.key == "location"}
    return [file for name in sorted(names) if (file := path.parent / name).is_file()]
