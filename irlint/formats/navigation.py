"""Which token of a file refers to which node or tensor: what editors need of a format.

The default answers from the graph and its places alone. A format adds what its graph does not say: tokens outside of
the nodes (an edge, a list of arguments), and the operator and types of a node where its own tables know them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Literal

from irlint.graph import UNKNOWN, Graph, Node, Source, Type
from irlint.operators import Attribute, Operator
from irlint.records import NamedTuple, dataclass
from irlint.rules.base import Model
from irlint.settings.ignores import CommentIgnores, Ignores
from irlint.text.base import Document, Edit, Path, Place, Span

PARTS = ("name", "op", "version", "id")


class Target(NamedTuple):
    """A node, or with `output` one of its values."""

    graph: Graph
    node: Node
    output: int | None = None

    def is_read_by(self, source: Source) -> bool:
        return source[0] == self.node.index and self.output in (None, source[1])


class NodeToken(NamedTuple):
    """One token of a node: which part of it, and where. `part` is spelled as in irlint.graph.Graph."""

    target: Target
    part: str
    span: Span


class Mention(NamedTuple):
    """A place that refers to a target; `role` says whether it is where the target is defined."""

    place: Place
    role: Literal["definition", "reference"]


class NamedGraph(NamedTuple):
    """A graph that has a name of its own and belongs to no node, such as a function."""

    graph: Graph
    name: str
    detail: str
    whole: Span
    at: Span  # its name


class Choice(NamedTuple):
    """Something that could stand at a place. `text` is what the file would hold, quotes and escapes left out; `label` is what
    people look for, where that is something else."""

    text: str
    kind: Literal["operator", "attribute", "value", "tensor", "node"]
    detail: str = ""
    doc: str = ""
    label: str = ""


@dataclass(frozen=True)
class Rename:
    """Either edits, or why there are none."""

    edits: tuple[Edit, ...] = ()
    refusal: str = ""


class Navigation:
    """The default for any format."""

    comment = ""  # what begins a comment up to the end of its line; findings can then be suppressed in a line above
    is_table = False  # nodes are rows: what is shown between or in them disturbs the columns

    def graphs(self, model: Model) -> list[Graph]:
        """All graphs whose nodes are in the text."""
        return model.graphs()

    def sections(self, model: Model) -> Iterator[NamedGraph]:
        """Those of `graphs` that have a symbol of their own."""
        return iter(())

    def folds(self, model: Model) -> Iterator[Span]:
        """What can be folded besides nodes."""
        return iter(())

    def tokens(self, model: Model, graph: Graph, node: Node) -> Iterator[NodeToken]:
        """Every token of a node that means something."""
        target = Target(graph, node)
        keys = {
            "input": range(len(node.inputs)),  # before the attribute that it may be the value of
            "attr_key": node.attrs,
            "attr": node.attrs,
            "input_name": range(len(node.input_names or ())),
            "output": range(len(node.outputs)),
        }
        parts = [*PARTS, *(f"{word}:{key}" for word in keys for key in keys[word])]
        seen = {model.document.span(Place(node.path))}
        for part in parts:
            place = self.place(model, graph, node, part)
            span = model.document.span(place) if place is not None else None
            if span is not None and span not in seen:
                seen.add(span)
                yield NodeToken(target, part, span)

    def place(self, model: Model, graph: Graph, node: Node, part: str) -> Place | None:
        """The place of a part; None if this format has no such token."""
        at = None if part in ("version", "id") else graph.place(node, part)
        return None if part == "name" and at == graph.place(node, "op") else at  # nodes have no names

    def token_at(self, model: Model, offset: int) -> NodeToken | None:
        """The token at an offset, the smallest where they are nested."""
        found = self.node_at(model, offset)
        if found is None:
            return None
        tokens = [t for t in self.tokens(model, *found) if t.span.start <= offset <= t.span.end]
        return min(tokens, key=lambda t: t.span.end - t.span.start, default=None)

    def node_at(self, model: Model, offset: int) -> tuple[Graph, Node] | None:
        """The node in whose text an offset lies, the innermost."""
        by_path = index(model, self.graphs)
        path = model.document.place_at(offset).path
        while path and path not in by_path:
            path = path[:-1]
        if not path:
            return None
        graph, k = by_path[path]
        return graph, graph.nodes[k]

    def referent(self, model: Model, offset: int) -> Target | None:
        """What the token at an offset refers to, or defines."""
        token = self.token_at(model, offset)
        return self.listed_at(model, offset) if token is None else self.refers_to(model, token)

    def refers_to(self, model: Model, token: NodeToken) -> Target | None:
        """What a token of a node refers to, or defines."""
        graph, node = token.target.graph, token.target.node
        word, _, number = token.part.partition(":")
        if word == "input":
            source = node.inputs[int(number)]
            return None if source.node < 0 else Target(graph, graph.nodes[source.node], source.output)
        if word == "output":
            return Target(graph, node, int(number))
        is_named = word == "op" and self.place(model, graph, node, "name") is None
        return Target(graph, node) if word in ("name", "id") or is_named else None

    def listed_at(self, model: Model, offset: int) -> Target | None:
        """What is referred to outside of the nodes: by an edge, or in a list of arguments."""
        return None

    def defined_at(self, model: Model, offset: int) -> Place | None:
        """Where that is defined which the token at an offset names."""
        target = self.referent(model, offset)
        return None if target is None else self.definition(model, target)

    def definition(self, model: Model, target: Target) -> Place:
        """The token that names a target."""
        return target.graph.place(target.node, f"output:{target.output}" if self._is_tensor(target) else "name")

    def names_tensors(self, target: Target) -> bool:
        """Whether a value is named apart from its node."""
        output = target.output or 0
        return output < len(target.node.outputs) and target.node.outputs[output].name not in (None, target.node.name)

    def _is_tensor(self, target: Target) -> bool:
        return target.output is not None and self.names_tensors(target)

    def mentions(self, model: Model, target: Target) -> Iterator[Mention]:
        """Where a target is defined and every place that refers to it."""
        graph, node = target.graph, target.node
        yield Mention(self.definition(model, target), "definition")
        if node.kind == "var" and graph.place(node, "name") != self.definition(model, target):
            yield Mention(graph.place(node, "name"), "definition")
        for user in sorted(set(consumers(model, graph)[node.index])):
            reader = graph.nodes[user]
            for k, source in enumerate(reader.inputs):
                if target.is_read_by(source):
                    yield Mention(graph.place(reader, f"input:{k}"), "reference")
        for k, source in enumerate(graph.outputs):
            if target.is_read_by(source):
                yield Mention(graph.locate_output(k), "reference")

    def name_of(self, target: Target) -> str:
        """The name that a rename changes."""
        node = target.node
        return (node.outputs[target.output or 0].name or "") if self._is_tensor(target) else node.name

    def taken(self, model: Model, target: Target) -> set[str]:
        """Names that a target cannot get."""
        nodes = target.graph.nodes
        names = {node.name for node in nodes}
        if not self._is_tensor(target):
            return names
        values = {value.name for node in nodes for value in node.outputs if value.name}
        is_of_node = target.node.kind == "var" and target.node.name == self.name_of(target)
        return values | names if is_of_node else values  # what defines a variable gets the name, too

    def is_name(self, place: Place) -> bool:
        """Return whether a mention is a name, not a number that looks like one."""
        return True

    def unfit(self, name: str) -> str:
        """Why nothing can have a name; empty where it can."""
        if not name.strip():
            return "a name cannot be empty"
        if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in name):
            return "a name cannot hold line ends or control characters"
        return ""

    def rename(self, model: Model, target: Target, new: str) -> Rename:
        """Return the edits that rename a target everywhere."""
        old, document = self.name_of(target), model.document
        if not old:
            return Rename(refusal="this node has no name")
        if new == old:
            return Rename()
        if refusal := self.unfit(new):
            return Rename(refusal=refusal)
        if new in self.taken(model, target):
            return Rename(refusal=f"the name {new!r} is taken")
        places = [place for place in self._named_at(model, target) if _spells(document, place, old)]
        if not places:
            return Rename(refusal=f"{old!r} is not written in this file as a name")
        edits = {edit.span: edit for place in places for edit in document.write(place, new)}
        return Rename(tuple(sorted(edits.values())))

    def _named_at(self, model: Model, target: Target) -> Iterator[Place]:
        """Yield where a target may be named. Who reads a node names a tensor, even if that is called as the node is."""
        outputs = range(len(target.node.outputs)) if target.output is None else ()
        apart = any(self.names_tensors(target._replace(output=k)) for k in outputs)
        for mention in self.mentions(model, target):
            if self.is_name(mention.place) and not (apart and mention.role == "reference"):
                yield mention.place

    def operator(self, model: Model, node: Node) -> Operator | None:
        return model.operators.get(node.op) if model.operators else None

    def operator_names(self, model: Model, node: Node) -> list[str]:
        """Operators that could stand where this node's does."""
        return model.operators.names if model.operators else []

    def attributes(self, model: Model, node: Node) -> dict[str, Attribute]:
        operator = self.operator(model, node)
        return operator.attributes if operator else {}

    def types(self, model: Model, graph: Graph, node: Node) -> list[Type]:
        """The types of a node's outputs, inferred where they could be, else as declared."""
        from irlint.dryrun.infer import Inference
        from irlint.dryrun.known import known_type

        types = model.types if isinstance(model.types, Inference) else None
        return [known_type(types, graph, node, k) for k in range(len(node.outputs))]

    def type_of(self, model: Model, target: Target) -> Type:
        types = self.types(model, target.graph, target.node)
        output = target.output or 0
        return types[output] if output < len(types) else UNKNOWN

    def choices(self, model: Model, token: NodeToken) -> Iterator[Choice]:
        """What could stand in the place of a token."""
        graph, node = token.target.graph, token.target.node
        word, _, key = token.part.partition(":")
        if word == "op":
            yield from (Choice(name, "operator") for name in self.operator_names(model, node))
        elif word == "attr_key":
            yield from self.attribute_choices(model, node, key)
        elif word == "attr" and (attribute := self.attributes(model, node).get(key)):
            words = attribute.values or (("True", "False") if attribute.kind in ("bool", "boolean") else ())
            for value in dict.fromkeys((*words, *attribute.meanings)):
                yield Choice(value, "value", attribute.meanings.get(value, attribute.kind))
        elif word == "input":
            yield from self.source_choices(model, graph, node)

    def attribute_choices(self, model: Model, node: Node, but: str = "") -> Iterator[Choice]:
        for name, attribute in self.attributes(model, node).items():
            if name not in node.attrs or name == but:
                yield Choice(name, "attribute", describe(attribute), str(attribute.facts.get("doc", "")))

    def source_choices(self, model: Model, graph: Graph, node: Node) -> Iterator[Choice]:
        """Values that a node may read."""
        last = node.index if graph.ordered else len(graph.nodes)
        for producer in graph.nodes[:last]:
            if producer is not node:
                for k, value in enumerate(producer.outputs):
                    yield self.source_choice(graph, producer, k, value.name)

    def source_choice(self, graph: Graph, producer: Node, output: int, name: str | None) -> Choice:
        return Choice(name or producer.name, "tensor", producer.op)

    def choices_at(self, model: Model, offset: int) -> Iterator[Choice]:
        """What could stand at an offset that is in no node."""
        return iter(())

    def hints(self, model: Model, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Names to be shown behind offsets of a range that lie in no node."""
        return iter(())

    def suppression(self, model: Model, span: Span, code: str) -> Edit | None:
        """What silences a code at a span, but not in the whole file: a comment is on the line before."""
        how, document, order = self.ignores(model), model.document, f"ignore[{code}]"
        if how is None and self.comment:
            return self._commented(document, span, code)
        if how is None or (anchor := how.anchor(document, span)) is None or how.is_whole(document, anchor):
            return None
        if isinstance(how, CommentIgnores):
            return how.above(document, anchor, order)
        return how.edits(document, anchor, order)[0]

    def ignores(self, model: Model) -> Ignores | None:
        """How suppressions are written, as the format says."""
        return None

    def _commented(self, document: Document, span: Span, code: str) -> Edit:
        """The comment on the line before."""
        lines = document.lines
        start = lines.start(lines.position(span.start).line)
        end = "\r\n" if "\r\n" in lines.text else "\n"
        return Edit(Span(start, start), f"{self.comment} irlint: ignore[{code}]{end}")

    def outline(self, model: Model, graph: Graph, node: Node) -> Span:
        """All text of a node."""
        return model.document.whole(node.path)


DEFAULT = Navigation()


def describe(attribute: Attribute) -> str:
    """An attribute in a few words: what its name means if that is a number, kind, default, whether it must be there."""
    words = [attribute.label, attribute.kind] if attribute.label else [attribute.kind]
    least, default = attribute.facts.get("min"), attribute.default
    if attribute.required or (type(least) is int and type(default) is int and default < least):
        words.append(f"required{condition(attribute.facts)}")
    elif default is not None:
        words.append(f"default {default}")
    return ", ".join(words)


_LIMITS = {
    "min": "at least {}",
    "least": "at least {}",
    "max": "at most {}",
    "most": "at most {}",
    "multiple_of": "a multiple of {}",
    "length": "{} elements",
    "layout": "{}",
    "doc": "{}",
    "since": "since {}",
    "until": "until {}",
}


def limits(attribute: Attribute) -> Iterator[str]:
    """What a table says of values, in words; not what only a program can make something of."""
    for fact, text in _LIMITS.items():
        if (value := attribute.facts.get(fact)) is not None and not (isinstance(value, str) and _CODE.search(value)):
            yield text.format(str(value).replace(" * ", " \N{MULTIPLICATION SIGN} "))


_CODE = re.compile(r"[=\][]|\w\(|\bif\b|//")


_NAME = r"[^\W\d]\w*"
_IF = re.compile(rf"{_NAME}(?: and {_NAME})*")
_UNLESS = re.compile(rf"not {_NAME}(?: and not {_NAME})*")


def condition(facts: Mapping[str, Any]) -> str:
    """Return ` unless x is set` for what a table demands when `not x`."""
    when = str(facts.get("when", ""))
    names = [part.removeprefix("not ") for part in when.split(" and ")]
    if _UNLESS.fullmatch(when):
        return f" unless {' or '.join(names)} is set"
    if _IF.fullmatch(when):
        return f" if {' and '.join(names)} {'is' if len(names) == 1 else 'are'} set"
    return " in some cases" if when else ""


def _spells(document: Document, place: Place, name: str) -> bool:
    """Whether a place holds a name and nothing else."""
    span = document.span(place)
    text = document.text[span.start : span.end]
    if text in (name, f"'{name}'", f'"{name}"'):
        return True
    try:
        return bool(document.value_at(place.path) == name)
    except LookupError:
        return False


def is_in_list(path: Path, home: Path, names: Collection[str]) -> bool:
    """Return whether a path is that of an item, or of a part of one, of a list of a graph."""
    size = len(home)
    return path[:size] == home and len(path) > size + 1 and path[size] in names


def index(model: Model, graphs: Callable[[Model], list[Graph]]) -> dict[Path, tuple[Graph, int]]:
    """Every node by its path, made once per model."""
    if model.by_path is None:
        model.by_path = {node.path: (graph, node.index) for graph in graphs(model) for node in graph.nodes}
    return model.by_path


def consumers(model: Model, graph: Graph) -> list[list[int]]:
    """Return the consumers of each node, found once per model."""
    known = model.consumers
    if id(graph) not in known:
        known[id(graph)] = graph.consumers()
    return known[id(graph)]
