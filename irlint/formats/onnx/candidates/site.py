"""Where in a model an error is: a node, the names and types that it can see, and how changes of it are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from irlint.dryrun.tensor import Tensor
from irlint.findings import EVIDENT, Candidate
from irlint.formats.onnx.candidates.model import WholeModel
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.opset_guess import others_that_fit
from irlint.formats.onnx.opsets import (
    DEFAULT,
    domain_of,
    domains_with,
    in_opset,
    is_deprecated,
    moved,
    newest_opset,
    opset_of,
    port_at,
    resolve,
    successor,
    types_of_port,
    with_attribute,
)
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.formats.onnx.read import source_of, value_of
from irlint.formats.onnx.text.edits import with_part
from irlint.formats.onnx.trees import names_of
from irlint.formats.onnx.wire import ATTRIBUTE_NUMBERS, ATTRIBUTE_TYPES, DTYPE_NUMBERS, DTYPES
from irlint.graph import NOWHERE, Graph, Node, Shape
from irlint.operators import Attribute, Operator, table
from irlint.repairs import site
from irlint.repairs.values import is_of
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree

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


class OnnxSite(site.Site):
    """A node, or an input or initializer, which are nodes, too."""

    adding = "Insert `{0}` with `{1}`"

    def __init__(self, whole: WholeModel, graph: Graph, node: Node) -> None:
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
        tree, judged = self.document.tree, state_of(self.whole.model).imports
        if self.path[0] != "functions":
            return usable_imports(tree) if judged is None else dict(judged)
        return usable_imports(tree["functions"][self.path[1]])

    @property
    def domain(self) -> str:
        return domain_of(self.tree.get("domain", ""))

    @property
    def opset(self) -> int | None:
        return opset_of(self.domain, self.imports)

    @cached_property
    def operator(self) -> Operator | None:
        return resolve(self.op, self.domain, self.imports)

    @property
    def is_known(self) -> bool:
        return bool(domains_with(self.op)) or successor(self.op, self.domain) is not None

    def operators(self) -> Iterator[tuple[str, Operator]]:
        opset = self.opset or newest_opset(DEFAULT) or 1
        for name in table("onnx").raw["versions"] if self.domain == DEFAULT else ():
            operator = None if "." in name else in_opset(name, DEFAULT, opset)
            if operator is not None and not is_deprecated(operator):
                yield name, operator

    @cached_property
    def attributes(self) -> dict[str, Any]:
        return _values(self.tree)

    @property
    def inputs(self) -> list[str]:
        found: list[str] = self.tree.get("input", [])
        return found

    @property
    def undefined(self) -> list[str]:
        return self.whole.undefined

    def is_misnamed(self, name: str, wanted: str) -> bool:
        return self.whole.is_misnamed(name, wanted)

    def sources(self, k: int) -> Iterator[site.Output]:
        """Yield the names that the node can read; weights that other calls read are theirs."""
        weights = set(names_of(self.document.tree.get("graph", {}).get("initializer", ())))
        for name in self.visible():
            if name not in self.outputs:
                yield site.Output(name, repr(name), name, bool(self.whole.read[name]), name in weights)

    def siblings(self) -> Iterator[dict[str, Any]]:
        for call in self.whole.calls:
            if call is not self.tree and call.get("op_type") == self.op:
                yield _values(call)

    def shape(self, k: int) -> Shape | None:
        return self.input_type(k).shape

    def input_type(self, k: int) -> Tensor:
        """Return the inferred type of an input."""
        return self.whole.type_of(self.graph, *(self.node.inputs[k] if k < len(self.node.inputs) else NOWHERE))

    def source(self, k: int) -> Node | None:
        """Return the node that an input comes from, in the same graph."""
        return source_of(self.graph, self.node, k)

    def allowed(self, k: int) -> frozenset[str]:
        """Return the element types that an input may have."""
        if self.operator is None or not self.operator.inputs:
            return frozenset()
        return types_of_port(self.operator, port_at(self.operator.inputs, k))

    def visible(self) -> list[str]:
        """Return the names that the node can read, the nearest first."""
        found: list[str | None] = []
        graph: Graph | None = self.graph
        node: Node | None = self.node
        while graph is not None and node is not None:
            leaves = [one for one in graph.nodes[node.index :] if one.kind == "var" or one.op == "Initializer"]
            seen = [one for one in (*graph.nodes[: node.index], *leaves) if one.op != "Outer"]
            found += reversed([value.name for one in seen for value in one.outputs])
            node = graph.parent
            graph = self.whole.homes.get(id(node))
        return [name for name in dict.fromkeys(found) if name]

    # values

    def kind(self, record: Attribute | None, old: Any) -> site.Kind | None:
        if record is not None and record.kind == "int" and (record.name in _FLAGS or _is_type(record.name)):
            return site.Kind("choice")
        return None if record is None else _KINDS.get(record.kind)

    def is_unchecked(self, record: Attribute | None, kind: site.Kind) -> bool:
        return kind.item in ("float", "word")

    def is_lost(self, name: str, record: Attribute | None) -> bool:
        """Return whether a model may mean something else without an attribute: it became an input, is of an opset that fits all
        other nodes, too, or another one of its kind is not set."""
        if record is not None or self.operator is None or self.opset is None:
            return True  # what the default gives is another model
        if with_attribute(self.op, self.domain, name):
            return moved(self.op, self.domain, name, self.opset) is not None or any(
                name in operator.attributes for operator in others_that_fit(self.document.tree, self.op, self.domain)
            )
        unset = (self.kind(one, None) for one in self.operator.attributes.values() if one.name not in self.attributes)
        return any(kind is not None and is_of(kind, self.attributes[name]) for kind in unset)  # which may be its name

    def spelled(self, value: Any, record: Attribute | None, old: Any) -> Any:
        return value

    def per_axis(self, name: str) -> int:
        known = self.operator.attributes if self.operator is not None else {}
        return int(known[name].facts.get("per_axis", 0)) if name in known else 0

    def may_be_added(self, record: Attribute) -> bool:
        return record.required or record.name in _SHAPING

    def evidence(self, name: str, record: Attribute | None, old: Any) -> Iterator[site.Value]:
        """Yield what declared types and shapes say: of element types, flags, groups, numbers of outputs."""
        if record is None:
            return
        if _is_type(name):
            declared = self.node.outputs[0].type.dtype if self.node.outputs else None
            yield from ((number, 0 if DTYPES[number] == declared else 2) for number in _types(declared))
        elif name in _FLAGS:
            likelihood = 2 if old is not None and old not in (0, 1) else 1 if old is not None else 0
            yield from ((flag, 1 if flag == record.default else likelihood) for flag in (1, 0))
        elif name in _EVIDENCE:
            yield from _EVIDENCE[name](self)

    def _padding(self) -> Iterator[site.Value]:
        if "pads" in self.attributes:
            yield "NOTSET", EVIDENT

    def _hidden(self) -> Iterator[site.Value]:
        recurrent = self.shape(2)
        if recurrent and isinstance(recurrent[-1], int):
            yield recurrent[-1], EVIDENT

    def _outputs(self) -> Iterator[site.Value]:
        yield len(self.outputs), EVIDENT

    def _groups(self) -> Iterator[site.Value]:
        data, weights, is_conv = self.shape(0) or (), self.shape(1) or (), self.op == "Conv"
        if min(len(data), len(weights)) < 2:
            return
        channels, per_group = data[1], weights[1 if is_conv else 0]
        if isinstance(channels, int) and isinstance(per_group, int) and per_group > 0:
            is_by_channel = (
                is_conv and per_group == 1 and weights[0] == channels
            )  # no other number of groups fits these weights
            yield channels // per_group if is_conv else 1, EVIDENT if is_by_channel else 1
            yield channels, 1

    # writing

    def with_attribute(self, name: str, value: Any) -> site.Edits:
        rows = self.tree.get("attribute", [])
        names = names_of(rows)
        assert self.operator is not None
        new = written(name, self.operator.attributes[name].kind, value)
        if name in names:
            return self._changed(("attribute", names.index(name), new))
        return self._changed(("attribute", [*rows, new]))

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


_EVIDENCE: dict[str, Callable[[OnnxSite], Iterator[site.Value]]] = {
    "auto_pad": OnnxSite._padding,
    "group": OnnxSite._groups,
    "hidden_size": OnnxSite._hidden,
    "num_outputs": OnnxSite._outputs,
    "num_scan_inputs": OnnxSite._outputs,
}


def site_at(whole: WholeModel, path: Path) -> OnnxSite | None:
    """Return the site that a path is in."""
    places = (path[:size] for size in range(len(path), 1, -1))
    return next((OnnxSite(whole, *whole.nodes[at]) for at in places if at in whole.nodes), None)


def _types(declared: str | None) -> list[int]:
    """Return the numbers of the usual types, and that of one that is declared."""
    return list(dict.fromkeys((*_TYPES, *((DTYPE_NUMBERS[declared],) if declared in DTYPE_NUMBERS else ()))))


def _values(call: Tree) -> dict[str, Any]:
    return {one.get("name", ""): value_of(one) for one in call.get("attribute", ())}


def _is_type(name: str) -> bool:
    """Return whether an attribute is the number of an element type."""
    return name == "to" or name.endswith("dtype")


def _bytes(text: Any) -> bytes:
    return str(text).encode("utf-8", "surrogateescape")


_WRITTEN: dict[str, Callable[[Any], Any]] = {"int": int, "float": float, "string": _bytes}


def written(name: str, kind: str, value: Any) -> Tree:
    """Return an attribute of a value."""
    number, write = ATTRIBUTE_NUMBERS[kind], _WRITTEN[kind.rstrip("s")]
    plain = list(map(write, value)) if kind.endswith("s") else write(value)
    return {"name": name, ATTRIBUTE_TYPES[number][1]: plain, "type": number}


def cast_to(number: int) -> Tree:
    """Return a Cast to an element type, without inputs and outputs."""
    return {"op_type": "Cast", "attribute": [written("to", "int", number)]}


def renamed(names: Iterable[str], old: str, new: str) -> list[str]:
    return [new if name == old else name for name in names]
