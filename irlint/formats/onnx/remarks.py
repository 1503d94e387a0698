"""What exporters write next to the nodes of an ONNX model: PyTorch's modules and stack traces, documentation, metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.remarks import Remarks, Rows, SourceModule, ViewerId
from irlint.graph import Graph, Node
from irlint.rules.base import Model
from irlint.text.prototext.messages import Tree
from irlint.tools import later

_NAMES, _CLASSES = "pkg.torch.onnx.name_scopes", "pkg.torch.onnx.class_hierarchy"
_NAMESPACE = "namespace"
_NO_MODULE = (
    "",
    "_empty_nn_module_stack_from_metadata_hook",
)  # what PyTorch calls the model itself, and calls of which it knows no module
_DEEPEST, _LONGEST, _NAME = (
    64,
    1 << 14,
    500,
)  # modules around a node, letters of their list, of a name that is made of others
_MOST = 200  # entries of metadata that are shown of one thing
_QUOTED = later(
    r"""(?s)'((?:[^'\\]|\\.)*)\\?(?:'|\Z)|"((?:[^"\\]|\\.)*)\\?(?:"|\Z)"""
)  # linear: an open one ends at the end
_LEAVES = ("Input", "Initializer", "Outer")  # values, not nodes
_LISTS = ("input", "output", "value_info", "initializer")


class OnnxRemarks(Remarks):
    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._values: dict[int, dict[str, list[Tree]]] = {}
        self._modules: dict[tuple[str, str, str], Sequence[SourceModule]] = {}

    def _tree(self, path: Any) -> Tree:
        document = self.model.document
        try:
            found = document.value_at(path) if path and isinstance(document, OnnxDocument) else None
        except LookupError:
            return {}
        return found if isinstance(found, dict) else {}

    def modules(self, graph: Graph, node: Node) -> Sequence[SourceModule] | None:
        said = _said(self._tree(node.path)) if node.kind != "var" else {}
        key = said.get(_NAMES, ""), said.get(_CLASSES, ""), said.get(_NAMESPACE, "")
        if not any(key):
            return None
        if key not in self._modules:
            self._modules[key] = _modules(*key)
        return self._modules[key]

    def of_node(self, graph: Graph, node: Node) -> Rows:
        if node.op in _LEAVES:
            return []
        tree = self._tree(node.path)
        calls = [(one.name, one.kind) for one in _scopes(_said(tree))[-1:]]
        parsed = (_NAMES, _CLASSES, _NAMESPACE) if calls else ()
        return [*calls, *(row for row in _rows(tree) if row[0] not in parsed)]

    def of_value(self, graph: Graph, name: str) -> Rows:
        if id(graph) not in self._values:
            known: dict[str, list[Tree]] = {}
            tree = self._tree(_path(self.model, graph))
            for entry in (entry for key in _LISTS for entry in tree.get(key, ())):
                if "doc_string" in entry or "metadata_props" in entry:
                    known.setdefault(entry.get("name", ""), []).append(entry)
            self._values[id(graph)] = known
        return list(dict.fromkeys(row for tree in self._values[id(graph)].get(name, ()) for row in _rows(tree)))

    def of_model(self) -> Rows:
        return _rows(self._tree(("graph",)))

    def viewer_ids(self) -> dict[tuple[int, int], ViewerId]:
        """Return the names that the adapter of Model Explorer for ONNX gives to nodes: unique ones in each graph. It puts what is in the
        branches of an If next to that; other nested graphs are graphs of their own."""
        found: dict[tuple[int, int], ViewerId] = {}
        counts: Counter[str] = Counter()
        stack = [self._named(self.model.graph, self.model.graph.name or "<main>", "", counts, found)]
        while stack:
            inner = next(stack[-1], None)
            if inner is None:
                stack.pop()
            else:
                stack.append(self._named(*inner, counts, found))
        return found

    def _named(
        self, graph: Graph, name: str, start: str, counts: Counter[str], found: dict[tuple[int, int], ViewerId]
    ) -> Iterator[tuple[Graph, str, str]]:
        """Name the nodes of a graph, and yield the graphs in them, each with its name and what the names of its nodes begin with."""
        taken: set[str] = set()
        for node in graph.nodes:
            if node.op in _LEAVES:
                found[id(graph), node.index] = ViewerId(name, f"[value] {node.name}")
                continue
            wanted = str(self._tree(node.path).get("name") or "node")
            own = wanted
            while own in taken:
                counts[wanted] += 1
                own = f"{wanted}_{counts[wanted]}"
            taken.add(own)
            found[id(graph), node.index] = ViewerId(name, f"{start}{own}")
            for key, value in node.attrs.items() if node.graphs else ():
                inner = f"{start}{own}/{key}"
                for each in value if isinstance(value, tuple) else (value,):
                    if isinstance(each, Graph):
                        yield (each, name, f"{inner}/") if (node.op, node.version) == ("If", "") else (each, inner, "")


def _path(model: Model, graph: Graph) -> Any:
    if graph is model.graph:
        return ("graph",)
    own = next((node for node in graph.nodes if node.op != "Outer"), None)
    return own.path[:-2] if own is not None else ()


def _entries(tree: Tree) -> Iterator[tuple[str, str]]:
    entries: Iterable[Any] = tree.get("metadata_props", ())
    for entry in islice(entries, _MOST):
        if isinstance(entry, dict):
            yield str(entry.get("key", "")), str(entry.get("value", ""))


def _said(tree: Tree) -> dict[str, str]:
    return {key: value for key, value in _entries(tree) if len(value) <= _LONGEST} if "metadata_props" in tree else {}


def _rows(tree: Tree) -> Rows:
    doc = tree.get("doc_string")
    return [*([("documentation", str(doc))] if doc else []), *_entries(tree)]


def _modules(names: str, classes: str, namespace: str) -> Sequence[SourceModule]:
    """Return the modules around a node; the last scope of PyTorch's lists is the call that became the node."""
    found = _scopes({_NAMES: names, _CLASSES: classes, _NAMESPACE: namespace})
    is_of_torch = bool(names) or ": " in namespace
    return tuple(module for module in (found[:-1] if is_of_torch else found) if module.name not in _NO_MODULE)


def _scopes(said: dict[str, str]) -> list[SourceModule]:
    """Return the scopes of a node: PyTorch's two lists, or what `namespace` says, `name: class` or only names between slashes."""
    names = _strings(said.get(_NAMES, ""))
    if names:
        classes = _strings(said.get(_CLASSES, ""))
        return [SourceModule(name, classes[k] if k < len(classes) else "") for k, name in enumerate(names)]
    found: list[SourceModule] = []
    for part in said.get(_NAMESPACE, "").split("/", _DEEPEST)[:_DEEPEST]:
        name, colon, kind = part.partition(": ")
        if colon:
            found.append(SourceModule(name.strip(), kind.strip()))
        elif name and len(said[_NAMESPACE]) <= _NAME:
            found.append(SourceModule(f"{found[-1].name}/{name}" if found and found[-1].name else name))
    return found


def _strings(text: str) -> list[str]:
    """Return the strings of a Python list; nothing else is read of it."""
    return [one[1] or one[2] or "" for one in islice(_QUOTED.finditer(text), _DEEPEST)]


REMARKS = OnnxRemarks
