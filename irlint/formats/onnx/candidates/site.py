"""Where in a model an error is: a node, its graph, the names and types that it can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from irlint.dryrun.infer import Inference
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.findings import Candidate
from irlint.formats.onnx.opset_guess import calls_in
from irlint.formats.onnx.opsets import (
    DEFAULT,
    domain_of,
    in_opset,
    is_deprecated,
    moved,
    newest_opset,
    opset_of,
    resolve,
)
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.formats.onnx.read import value_of
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.text.edits import with_part
from irlint.formats.onnx.wire.messages import ATTRIBUTE_NUMBERS, ATTRIBUTE_TYPES, DTYPES
from irlint.formats.onnx.wire.reader import Tree
from irlint.graph import Graph, Node, Shape
from irlint.operators import Attribute, Operator, table
from irlint.repairs import site
from irlint.rules.base import Model
from irlint.text.base import Path

_KINDS = {
    "int": site.Kind("int"),
    "float": site.Kind("float"),
    "string": site.Kind("word"),
    "ints": site.Kind("int", True),
    "floats": site.Kind("float", True),
    "strings": site.Kind("word", True),
}
_SHAPING = ("kernel_shape", "strides", "dilations", "pads", "group", "axis", "transA", "transB", "perm", "broadcast")
_FLAGS = ("broadcast", "transA", "transB", "keepdims", "transBatchA", "transBatchB")
_TYPES = (1, 7, 6, 9, 10, 11, 2, 3, 16)


class Whole:
    """What candidates look up in a model."""

    def __init__(self, model: Model, document: OnnxDocument) -> None:
        self.model, self.document = model, document
        self.graphs = model.graphs()
        found = model.types
        self.types: Inference | None = found if isinstance(found, Inference) else None

    @cached_property
    def nodes(self) -> dict[Path, tuple[Graph, Node]]:
        return {node.path: (graph, node) for graph in self.graphs for node in graph.nodes if node.op != "Outer"}

    @cached_property
    def homes(self) -> dict[int, Graph]:
        """Return the graph of each node that has graphs of its own, by its identity."""
        return {id(node): graph for graph in self.graphs for node in graph.nesting()}

    @cached_property
    def calls(self) -> list[Tree]:
        tree = self.document.tree
        roots = (tree.get("graph", {}), *tree.get("functions", ()))
        return [call for root in roots for call in calls_in(root.get("node", ()))]

    @cached_property
    def read(self) -> Counter[str]:
        """Return how often each name is read anywhere."""
        found = Counter(name for call in self.calls for name in call.get("input", ()))
        for root in self.trees():
            found.update(one if isinstance(one, str) else one.get("name", "") for one in root.get("output", ()))
        return found

    @cached_property
    def defined(self) -> set[str]:
        found = {name for call in self.calls for name in call.get("output", ())}
        for root in self.trees():
            for word in ("input", "initializer"):
                found.update(one if isinstance(one, str) else one.get("name", "") for one in root.get(word, ()))
        return found

    @cached_property
    def undefined(self) -> list[str]:
        return [name for name in self.read if name and name not in self.defined]

    @cached_property
    def twice(self) -> list[tuple[Path, int, str]]:
        """Return outputs of calls whose name something else defines, too: the call, which of its outputs, and the name."""
        found: list[tuple[Path, int, str]] = []
        for graph in self.graphs:
            counts = Counter(value.name for node in graph.nodes if node.op != "Outer" for value in node.outputs)
            found += [
                (node.path, k, value.name)
                for node in graph.nodes
                if node.path[-2] == "node"
                for k, value in enumerate(node.outputs)
                if value.name and counts[value.name] > 1
            ]
        return found

    def trees(self) -> Iterator[Tree]:
        """Yield graphs and functions."""
        tree = self.document.tree
        yield from (tree.get("graph", {}), *tree.get("functions", ()))
        for call in self.calls:
            for attribute in call.get("attribute", ()):
                yield from (*attribute.get("graphs", ()), *((attribute["g"],) if "g" in attribute else ()))

    def site(self, path: Path) -> Site | None:
        """Return the site that a path is in."""
        for size in range(len(path), 1, -1):
            if (found := self.nodes.get(path[:size])) is not None:
                return Site(self, *found)
        return None

    def type_of(self, graph: Graph, node: int, output: int) -> Tensor:
        if self.types is None or node < 0:
            return UNKNOWN
        found = self.types.outputs(graph, graph.nodes[node])
        return found[output] if output < len(found) else UNKNOWN


class Site(site.Site):
    """A node, or an input or initializer, which are nodes, too."""

    adding = "Insert `{0}` with `{1}`"

    def __init__(self, whole: Whole, graph: Graph, node: Node) -> None:
        self.whole, self.graph, self.node = whole, graph, node
        self.document, self.path = whole.document, node.path
        value = self.document.value_at(node.path)
        self.tree: Tree = value if isinstance(value, dict) else {}  # an input of a function is only a name
        self.op, self.name = self.tree.get("op_type", ""), self.tree.get("name", "")
        self.outputs: list[str] = self.tree.get("output", []) if self.is_call else []

    @property
    def is_name(self) -> bool:
        """Return whether this is an input of a function, which the file only names."""
        return self.path[0] == "functions" and self.path[2] == "input"

    @property
    def is_call(self) -> bool:
        return self.path[-2] == "node"

    @cached_property
    def imports(self) -> dict[str, int]:
        tree = self.document.tree
        own = tree["functions"][self.path[1]] if self.path[0] == "functions" else tree
        return usable_imports(own)

    @property
    def domain(self) -> str:
        return domain_of(self.tree.get("domain", ""))

    @property
    def opset(self) -> int | None:
        return opset_of(self.domain, self.imports)

    @cached_property
    def operator(self) -> Operator | None:
        return resolve(self.op, self.domain, self.imports)

    def operators(self) -> Iterator[tuple[str, Operator]]:
        opset = self.opset or newest_opset(DEFAULT) or 1
        for name in table("onnx").raw["versions"] if self.domain == DEFAULT else ():
            operator = None if "." in name else in_opset(name, DEFAULT, opset)
            if operator is not None and not is_deprecated(operator):
                yield name, operator

    @cached_property
    def attributes(self) -> dict[str, Any]:
        return {one.get("name", ""): value_of(one) for one in self.tree.get("attribute", ())}

    @property
    def inputs(self) -> list[str]:
        found: list[str] = self.tree.get("input", [])
        return found

    @property
    def undefined(self) -> list[str]:
        return self.whole.undefined

    def sources(self, k: int) -> Iterator[site.Output]:
        """Yield the names that the node can read; weights that other calls read are theirs."""
        weights = {one.get("name") for one in self.document.tree.get("graph", {}).get("initializer", ())}
        for name in self.visible():
            if name not in self.outputs:
                yield site.Output(name, repr(name), name, bool(self.whole.read[name]), name in weights)

    def siblings(self) -> Iterator[dict[str, Any]]:
        for call in self.whole.calls:
            if call is not self.tree and call.get("op_type") == self.op:
                yield {one.get("name", ""): value_of(one) for one in call.get("attribute", ())}

    def shape(self, k: int) -> Shape | None:
        return self.input_type(k).shape

    def input_type(self, k: int) -> Tensor:
        """Return the inferred type of an input."""
        if k >= len(self.node.inputs):
            return UNKNOWN
        return self.whole.type_of(self.graph, *self.node.inputs[k])

    def source(self, k: int) -> Node | None:
        """Return the node that an input comes from, in the same graph."""
        found = self.node.inputs[k][0] if k < len(self.node.inputs) else -1
        return self.graph.nodes[found] if found >= 0 else None

    def visible(self) -> list[str]:
        """Return the names that the node can read, the nearest first."""
        found: list[str] = []
        graph: Graph | None = self.graph
        most = self.node.index
        while graph is not None:
            inner = [
                value.name
                for node in graph.nodes
                if (node.index < most or node.kind == "var" or node.op == "Initializer") and node.op != "Outer"
                for value in node.outputs
                if value.name
            ]
            found += reversed(inner)
            parent = graph.parent
            graph = None if parent is None else self.whole.homes.get(id(parent))
            most = 0 if parent is None else parent.index
        return list(dict.fromkeys(found))

    # values

    def kind(self, record: Attribute | None, old: Any) -> site.Kind | None:
        if record is not None and record.kind == "int" and (record.name in _FLAGS or _is_type(record.name)):
            return site.Kind("choice")
        return None if record is None else _KINDS.get(record.kind)

    def is_unchecked(self, record: Attribute | None, kind: site.Kind) -> bool:
        return kind.item in ("float", "word")

    def is_lost(self, name: str, record: Attribute | None) -> bool:
        """Return whether what an attribute says belongs into an input, so that the model means something else without it."""
        if record is not None:
            return super().is_lost(name, record)
        return self.opset is not None and moved(self.op, self.domain, name, self.opset) is not None

    def spelled(self, value: Any, record: Attribute | None, old: Any) -> Any:
        return value

    def per_axis(self, name: str) -> int:
        record = self.operator.attributes.get(name) if self.operator is not None else None
        return 0 if record is None else int(record.facts.get("per_axis", 0))

    def may_be_added(self, record: Attribute) -> bool:
        return record.required or record.name in _SHAPING

    def evidence(self, name: str, record: Attribute | None, old: Any) -> Iterator[site.Value]:
        """Yield what declared types and shapes say: of element types, flags, groups, numbers of outputs."""
        if record is None:
            return
        if name == "auto_pad" and "pads" in self.attributes:
            yield "NOTSET", 0
        elif _is_type(name):
            declared = self.node.outputs[0].type.dtype if self.node.outputs else None
            yield from ((number, 0 if DTYPES[number] == declared else 2) for number in _TYPES)
        elif name in _FLAGS:
            yield from ((flag, 1 if flag == record.default else 2) for flag in (1, 0))
        elif name == "group":
            yield from self._groups()
        elif name == "hidden_size" and (recurrent := self.shape(2)) and isinstance(recurrent[-1], int):
            yield recurrent[-1], 0
        elif name in ("num_outputs", "num_scan_inputs"):
            yield len(self.outputs), 0

    def _groups(self) -> Iterator[site.Value]:
        data, weights = self.shape(0), self.shape(1)
        if not data or not weights or len(data) < 2 or len(weights) < 2:
            return
        channels, per_group = data[1], weights[1] if self.op == "Conv" else weights[0]
        if isinstance(channels, int) and isinstance(per_group, int) and per_group > 0:
            yield channels // per_group if self.op == "Conv" else 1, 1
            yield channels, 1

    # writing

    def with_attribute(self, name: str, value: Any) -> site.Edits:
        rows = self.tree.get("attribute", [])
        k = next((k for k, one in enumerate(rows) if one.get("name", "") == name), None)
        assert self.operator is not None
        new = written(name, self.operator.attributes[name].kind, value)
        return self._changed(("attribute", [*rows, new]) if k is None else ("attribute", k, new))

    def without_attribute(self, name: str) -> site.Edits:
        return self._changed(("attribute", [one for one in self.tree["attribute"] if one.get("name", "") != name]))

    def with_operator(self, name: str) -> site.Edits:
        return self._changed(("op_type", name))

    def with_input(self, k: int, key: str) -> site.Edits:
        return self._changed(("input", k, key))

    def with_inputs(self, keys: Sequence[str]) -> site.Edits:
        return self._changed(("input", list(keys)))

    def without_input(self, k: int) -> site.Edits:
        """Return the edits that leave an input out: its name is empty if others follow."""
        return self.with_inputs([*self.inputs[:k], *([""] if k + 1 < len(self.inputs) else []), *self.inputs[k + 1 :]])

    def with_output(self, k: int, name: str) -> site.Edits:
        return self._changed(("output", k, name))

    def with_outputs(self, names: Sequence[str]) -> site.Edits:
        return self._changed(("output", list(names)))

    def renamed_duplicates(self, name: str) -> Iterator[tuple[str, site.Edits]]:
        for path, output, other in self.whole.twice:
            yield other, self.document.changed((*path, "output", output), name)

    def _changed(self, *changes: tuple[Any, ...]) -> site.Edits:
        """Return the edits of changes of the node: a part of its path each, and the new value."""
        if len(changes) == 1:
            *steps, value = changes[0]
            return self.document.changed((*self.path, *steps), value)
        tree = self.tree
        for *steps, value in changes:
            tree = with_part(tree, tuple(steps), value)
        return self.document.changed(self.path, tree)

    def candidate(self, title: str, likelihood: int, *changes: tuple[Any, ...], is_guess: bool = False) -> Candidate:
        return Candidate(title, self._changed(*changes), likelihood, is_guess)


def _is_type(name: str) -> bool:
    """Return whether an attribute is the number of an element type."""
    return name == "to" or name.endswith("dtype")


def written(name: str, kind: str, value: Any) -> Tree:
    """Return an attribute of a value."""
    number = ATTRIBUTE_NUMBERS[kind]
    if kind in ("ints", "floats"):
        plain: Any = [(int if kind == "ints" else float)(one) for one in value]
    elif kind == "strings":
        plain = [str(one).encode("utf-8", "surrogateescape") for one in value]
    else:
        plain = {"int": int, "float": float}.get(kind, lambda text: str(text).encode("utf-8", "surrogateescape"))(value)
    return {"name": name, ATTRIBUTE_TYPES[number][1]: plain, "type": number}
