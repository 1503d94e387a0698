"""What editors need to know of ONNX: operators by opset, names across nested graphs, functions, what a line may hold next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from irlint.formats.navigation import Choice, Mention, NamedGraph, Navigation, NodeToken, Target, describe, is_in_list
from irlint.formats.onnx import FORMAT, as_onnx, opsets
from irlint.formats.onnx.passes.functions import function_key
from irlint.formats.onnx.passes.structure import imports, usable_imports
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.text.printer import KEYWORDS, name_of
from irlint.graph import Graph, Node
from irlint.operators import Attribute, Operator, Port, table
from irlint.records import replace
from irlint.rules.base import Model
from irlint.settings.ignores import Ignores
from irlint.text.base import Document, Path, Place, Span, Step
from irlint.text.prototext.messages import Tree

_LEAVES = ("Input", "Initializer")
_LISTED = ("input", "output", "value_info")  # what a graph lists by name
_OWN_LISTS: dict[Step, str] = {"input": "input", "output": "output"}  # all others are in one
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?')
_CALL = re.compile(r"=\s*([\w.:]+)\s*[<(]")
_OPERATOR = re.compile(r"=\s*[\w.]*$")


class OnnxNavigation(Navigation):
    is_table = True

    def ignores(self, model: Model) -> Ignores | None:
        return FORMAT.ignores(model.dialect)

    def sections(self, model: Model) -> Iterator[NamedGraph]:
        document = _document(model)
        for k, graph in enumerate(model.functions):
            found = [span for path, span in document.records.items() if path[:2] == ("functions", k)]
            if found:
                name = document.span(Place(("functions", k, "name")))
                end = document.text.find("}", found[-1].end)
                tree = document.tree["functions"][k]
                whole = Span(min(found).start, (end if end >= 0 else found[-1].end) + 1)
                yield NamedGraph(graph, tree.get("name", ""), tree.get("domain", "function"), whole, name)

    def folds(self, model: Model) -> Iterator[Span]:
        """Yield the lists of a graph: inputs, outputs, initializers and declared types."""
        document = _document(model)
        lists: dict[str, list[Span]] = {}
        for path, span in document.records.items():
            if path[0] == "graph" and len(path) == 3 and path[1] != "node":
                lists.setdefault(_OWN_LISTS.get(path[1], "locals"), []).append(span)
        for spans in lists.values():
            start = spans[0].start
            yield Span(max(document.text.rfind("(", 0, start), document.text.rfind("<", 0, start)), spans[-1].end)

    # tokens and what they refer to

    def tokens(self, model: Model, graph: Graph, node: Node) -> Iterator[NodeToken]:
        yield from super().tokens(model, graph, node)
        document = _document(model)
        if node.op in _LEAVES and node.kind != "call" and document.syntax == "onnx":
            whole = document.span(Place(node.path, "record"))
            name = document.span(graph.place(node, "name"))
            start = len(document.text[whole.start : name.start].rstrip())
            if start:
                yield NodeToken(Target(graph, node, 0), "type", Span(whole.start, whole.start + start))

    def place(self, model: Model, graph: Graph, node: Node, part: str) -> Place | None:
        if node.op in _LEAVES and node.kind != "call" and part in ("op", "name"):  # they have names and no operators
            return None if part == "op" else graph.place(node, part)
        return super().place(model, graph, node, part)

    def refers_to(self, model: Model, token: NodeToken) -> Target | None:
        target = super().refers_to(model, token)
        if target is None:
            return None
        is_value = target.output is None and target.node.op in _LEAVES
        return self._defined(model, target._replace(output=0) if is_value else target)

    def listed_at(self, model: Model, offset: int) -> Target | None:
        """Return the value whose output or declared type an offset is in."""
        path = model.document.place_at(offset).path
        graph = next((graph for graph in self.graphs(model) if is_in_list(path, _path(graph), _LISTED)), None)
        if graph is None:
            return None
        listed = _value_at(model.document, path[: len(_path(graph)) + 2])
        target = _defining(graph, listed.get("name", "") if isinstance(listed, dict) else listed)
        return None if target is None else self._defined(model, target)

    def _defined(self, model: Model, target: Target) -> Target:
        """Return where a value of a nested graph is defined that this graph reads from outside."""
        while target.node.op == "Outer" and target.graph.parent is not None:
            found = _defining(self._around(model)[id(target.graph)], target.node.name)
            if found is None:
                break
            target = found
        return target

    def defined_at(self, model: Model, offset: int) -> Place | None:
        token = self.token_at(model, offset)
        if token is not None and token.part == "op" and (function := _function(model, token.target.node)):
            return Place((*function, "name"))
        return super().defined_at(model, offset)

    def names_tensors(self, target: Target) -> bool:
        return target.output is not None

    def mentions(self, model: Model, target: Target) -> Iterator[Mention]:
        """Where a value is defined, declared and read, in nested graphs too."""
        document = _document(model)
        for mention in super().mentions(model, target):
            path = mention.place.path
            if path[-2:-1] != ("input",) or isinstance(path[-1], str) or _value_at(document, path) is not None:
                yield mention  # not what only a graph of a node reads
        if target.output is None:
            return
        name = self.name_of(target)
        yield from _declared(document, target.graph, name)
        for reader in _readers_inside(target.graph, name):
            yield from (mention for mention in self.mentions(model, reader) if mention.role == "reference")

    def taken(self, model: Model, target: Target) -> set[str]:
        if target.output is None:
            return super().taken(model, target)
        return {
            value.name for graph in self.graphs(model) for node in graph.nodes for value in node.outputs if value.name
        }

    def _around(self, model: Model) -> dict[int, Graph]:
        """Return the graph around each nested one, by id()."""
        graphs = self.graphs(model)
        return {id(inner): graph for graph in graphs for node in graph.nesting() for inner in node.graphs}

    # operators and types

    def operator(self, model: Model, node: Node) -> Operator | None:
        """Return an operator as the opset of its node has it, or the function that is called."""
        if node.path[-2:-1] != ("node",):
            return None
        domain = opsets.domain_of(node.version or "")
        if (function := _function(model, node)) is not None:
            return _of_function(_document(model).value_at(function))
        known = _known(model, node)
        operator = opsets.resolve(node.op, domain, known)
        if operator is None:
            return None
        opset, since = opsets.opset_of(domain, known), operator.name.rpartition("-")[2]
        version = f"Since opset {since} of {domain}; the model imports {opset}."
        return replace(operator, doc=f"{operator.doc}. {version}" if operator.doc else version)

    def attributes(self, model: Model, node: Node) -> dict[str, Attribute]:
        operator = self.operator(model, node)
        return operator.attributes if operator else {}

    def operator_names(self, model: Model, node: Node) -> list[str]:
        """Return the operators that a node's domain has in its opset."""
        return list(_operators(_known(model, node), node.version or ""))

    # completion

    def choices(self, model: Model, token: NodeToken) -> Iterator[Choice]:
        is_quoted = model.document.text[token.span.start : token.span.start + 1] == '"'
        for choice in super().choices(model, token):
            is_plain = is_quoted or choice.kind != "tensor"
            yield choice if is_plain else choice._replace(text=name_of(choice.text), label=choice.text)

    def choices_at(self, model: Model, offset: int) -> Iterator[Choice]:
        """Yield what a line may hold next. It need not be one that can be read."""
        document = _document(model)
        if document.syntax != "onnx":
            return iter(())
        start = document.text.rfind("\n", 0, offset) + 1
        line = _STRING.sub(lambda match: "_" * len(match[0]), document.text[start:offset])
        sign, call = _open(line), _CALL.search(line)
        if call and sign == "(":
            return _choices_of_inputs(model, start)
        if call and sign == "<":
            domain, _, op = call[1].rpartition(".")
            is_open = document.text[start:offset].count('"') % 2 == 1
            return _choices_in_call(opsets.resolve(op, domain, usable_imports(document.tree)), line, is_open)
        if _OPERATOR.search(line):
            return _choices_of_operators(document, line[line.rindex("=") + 1 :].strip())
        words = () if line.strip(" \tabcdefghijklmnopqrstuvwxyz0123456789_") else sorted(KEYWORDS)
        return (Choice(word, "value", "type") for word in words)


def _choices_of_inputs(model: Model, start: int) -> Iterator[Choice]:
    """Yield the values that are defined above a line."""
    above = [node for node in model.graph.nodes if model.document.start(node.path) < start]
    names = dict.fromkeys((value.name, node.op) for node in above for value in node.outputs if value.name)
    return (Choice(name_of(name), "tensor", op, label=name) for name, op in names)


def _choices_in_call(operator: Operator | None, line: str, is_open: bool) -> Iterator[Choice]:
    """Yield attributes that a call can have besides those before, or words for one; `is_open`: the word's first quote is there."""
    attributes = operator.attributes if operator else {}
    inside = line[line.rindex("<") + 1 :]
    name, is_given, _ = re.split("[<,]", inside)[-1].rpartition("=")
    if attribute := attributes.get(name.partition(":")[0].strip()):
        for word in attribute.values:
            yield Choice(word if is_open else f'"{word}"', "value", label=word)
    elif not is_given:
        given = set(re.findall(r"\b(\w+)\b\s*[:=]", inside))
        for name, attribute in attributes.items():
            if name not in given:
                yield Choice(f"{name}: {attribute.kind} = ", "attribute", describe(attribute), label=name)


def _choices_of_operators(document: OnnxDocument, written: str) -> Iterator[Choice]:
    """Yield the operators of the domain that is written, and the model's own functions."""
    for name in _operators(usable_imports(document.tree), written.rpartition(".")[0]):
        yield Choice(name, "operator")
    for function in document.tree.get("functions", ()):
        name = ".".join(filter(None, (function.get("domain", ""), function.get("name", ""))))
        yield Choice(name, "operator", "function")


def _declared(document: OnnxDocument, graph: Graph, name: str) -> Iterator[Mention]:
    """Yield where a graph declares a value: an input does so only of an initializer."""
    path = _path(graph)
    tree = _value_at(document, path) or {}
    is_initialized = any(tensor.get("name", "") == name for tensor in tree.get("initializer", ()))
    for kind in ("value_info", "input") if is_initialized else ("value_info",):
        for k, value in enumerate(tree.get(kind, ())):
            if isinstance(value, dict) and value.get("name") == name:
                yield Mention(Place((*path, kind, k, "name")), "reference")


def _readers_inside(graph: Graph, name: str) -> Iterator[Target]:
    """Yield what stands for a value in the graphs of a graph's nodes that read it."""
    for inner in (inner for node in graph.nesting() for inner in node.graphs):
        yield from (Target(inner, outer, 0) for outer in inner.nodes if (outer.op, outer.name) == ("Outer", name))


def _defining(graph: Graph, name: object) -> Target | None:
    """Return the value of a graph that has a name."""
    values = (Target(graph, node, k) for node in graph.nodes for k in range(len(node.outputs)))
    return next((target for target in values if target.node.outputs[target.output or 0].name == name), None)


def _document(model: Model) -> OnnxDocument:
    document = as_onnx(model.document)
    assert document is not None
    return document


def _path(graph: Graph) -> Path:
    """Return where a graph is: what comes before its list of outputs."""
    path = graph.locate_output(0).path
    return path[: -2 if path[-1] == 0 else -3]


def _function(model: Model, node: Node) -> Path | None:
    """Return the path of the function that a node calls."""
    tree = _document(model).tree
    if node.path[-2:-1] != ("node",) or "functions" not in tree:
        return None
    key = function_key(_document(model).value_at(node.path), "op_type")
    found = (k for k, function in enumerate(tree["functions"]) if function_key(function) == key)
    return next((("functions", k) for k in found), None)


def _value_at(document: Document, path: Path) -> Any:
    """Return a part of a document; None if it has no such part."""
    try:
        return document.value_at(path)
    except LookupError:
        return None


def _known(model: Model, node: Node) -> Mapping[str, int]:
    """Return the opsets by which a node is judged: those of its function, or of the model."""
    tree = _document(model).tree
    if node.path[:1] == ("functions",):
        return {**usable_imports(tree), **imports(tree["functions"][node.path[1]])}
    return usable_imports(tree)


def _operators(known: Mapping[str, int], domain: str) -> Iterator[str]:
    """Yield the operators of a domain's opset, without the domain."""
    opset = opsets.opset_of(domain, known)
    prefix = "" if domain in ("", opsets.DEFAULT) else f"{domain}."
    for name in table("onnx").raw["versions"] if opset is not None else ():
        op = name.removeprefix(prefix)
        if name.startswith(prefix) and "." not in op:
            found = opsets.resolve(op, domain, known)
            if found is not None and not opsets.is_deprecated(found):
                yield op


def _of_function(tree: Tree) -> Operator:
    """Return a model's own function as an operator."""

    inputs, outputs, required, optional = (
        [str(one.get("name", "") if isinstance(one, dict) else one) for one in tree.get(kind, ())]
        for kind in ("input", "output", "attribute", "attribute_proto")
    )
    return Operator(
        tree.get("name", ""),
        tuple(map(Port, inputs)),
        tuple(map(Port, outputs)),
        {name: Attribute(name, "attribute", name in required) for name in (*required, *optional)},
        "A function of this model.",
    )


def _open(line: str) -> str:
    """Return the last bracket of a line that is still open."""
    waiting: list[str] = []
    for sign in re.findall(r"=>|[<(\[{>)\]}]", line):
        if sign in "<([{":
            waiting.append(sign)
        elif sign != "=>" and waiting:
            waiting.pop()
    return waiting[-1] if waiting else ""


NAVIGATION = OnnxNavigation()
