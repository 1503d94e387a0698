"""The textual form read: a model's tree, and where each part of it is in the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from irlint.codes import R
from irlint.formats.onnx.text import plain_lines
from irlint.formats.onnx.text.printer import INDENT, LISTS
from irlint.formats.onnx.text.tokens import NestedTooDeep, Token, Unexpected
from irlint.formats.onnx.text.typed import TypeReader, unknown_type
from irlint.formats.onnx.wire import ATTRIBUTE_NUMBERS, ATTRIBUTE_TYPES
from irlint.records import NamedTuple
from irlint.text.base import Path, Span, Step, Trouble
from irlint.text.prototext.messages import Tree

_PLURALS = {one: many for many, one in LISTS.items()}
_INTEGERS = ("ir_version", "model_version")


class KnownRecord(NamedTuple):
    """A record that was read before: its text, and what it is."""

    text: str
    kind: str
    tree: Tree


KnownRecords = Mapping[Step, Mapping[str, KnownRecord]]  # by the list that they are in, and their first lines


class TextParser(TypeReader):
    """Reads a range of a text. Without `marks`, what is written as printers write it is read at once. `known` are records that need
    not be read again.
    """

    def __init__(
        self,
        text: str,
        start: int = 0,
        end: int | None = None,
        marks: dict[Path, Span] | None = None,
        known: KnownRecords | None = None,
    ) -> None:
        super().__init__(text, start, end, marks)
        self.known = known
        self.taken: set[int] = set()  # known records, each of which is one of the new text
        self.records: dict[Path, Span] = {}
        self.troubles: list[Trouble] = []

    # the whole text

    def model(self) -> Tree:
        """Return the tree of a whole text; what cannot be read becomes a trouble, and reading goes on at the next line."""
        model: Tree = {}
        functions: list[Tree] = []
        try:
            model |= self.header(())
            if self.token.kind != "end":
                model["graph"] = self.graph(("graph",))
            while self.token.kind != "end":
                functions.append(self.function(("functions", len(functions))))
        except Unexpected as error:
            self.report(error)
        if functions:
            model["functions"] = functions
        return model

    def report(self, error: Unexpected) -> None:
        token = error.token
        rule, span, message = R.syntax_error, Span(token.start, token.end), f"expected {error.expected}, got "
        if isinstance(error, NestedTooDeep):
            rule, message = R.too_deep, str(error)
        elif token.kind == "end":
            rule, message = R.truncated_file, f"the text ends where {error.expected} is expected"
        elif token.kind == "open":
            span = Span(token.start, token.start + 1)
            message += "a string that does not end"
        else:
            message += f"`{token.text[:40]}`"
        self.troubles.append(Trouble(rule, span, message))

    def record(self, path: Path, read: Callable[[Path], Any]) -> Any:
        start = self.token.start
        found = read(path)
        self.records[path] = Span(start, self.last)
        return found

    def header(self, path: Path) -> Tree:
        """Return what a model or a function says of itself, if anything."""
        found: Tree = {}
        for _ in self.attached():
            self.entry(path, found)
        return found

    def entry(self, path: Path, found: Tree) -> None:
        """Read what a model or a function says of itself under one key."""
        start = self.token.start
        key = self.name(None)
        self.expect(":")
        place = (*path, key)
        if key in _INTEGERS:
            found[key] = self.integer(place)
        elif key == "opset_import":
            found[key] = self.pairs(place, "domain", "version")
        elif key == "metadata_props" and not path:
            found[key] = self.pairs(place)
        else:
            found[key] = self.string(place)
        self.records[place] = Span(start, self.last)

    def function(self, path: Path) -> Tree:
        function = self.header(path)
        function["name"] = self.record((*path, "name"), self.name)
        for _ in self.attached():
            self.formal(path, function)
        infos: list[Tree] = []
        function["input"] = self.parameters((*path, "input"), infos)
        self.expect("=>")
        function["output"] = self.parameters((*path, "output"), infos)
        for _ in self.attached():
            infos.append(self.record((*path, "value_info", len(infos)), self.value))
        function["value_info"] = infos
        function["node"] = self.nodes((*path, "node"))
        return _filled(function)

    def formal(self, path: Path, function: Tree) -> None:
        """Read a parameter of a function that is an attribute: a name, or an attribute with its usual value."""
        start = self.token
        name = self.name(None)
        kind = "attribute_proto" if self.at(":", "=") else "attribute"
        listed = function.setdefault(kind, [])
        place = (*path, kind, len(listed))
        listed.append(self.attribute_of(name, start, place) if kind == "attribute_proto" else name)
        self.records[place] = Span(start.start, self.last)

    def parameters(self, path: Path, infos: list[Tree]) -> list[str]:
        """Return the names of a function's inputs or outputs; those with types are declared by that."""
        found: list[str] = []
        self.expect("(")
        for _ in self.items(")"):
            place = (*path, len(found))
            kind = self.type((*place, "type")) if self.is_type() else None
            found.append(self.record(place, self.name))
            if kind is not None:
                infos.append({"name": found[-1], "type": kind})
        return found

    # graphs

    def graph(self, path: Path) -> Tree:
        self.enter("graphs")
        at = (*path, "name")
        graph: Tree = {"name": self.record(at, self.name) if path == ("graph",) else self.name(at)}
        graph |= {kind: [] for kind in ("input", "output", "value_info", "initializer", "sparse_initializer")}
        self.expect("(")
        self.values(graph, (*path, "input"), ")")
        self.expect("=>")
        self.expect("(")
        self.values(graph, (*path, "output"), ")")
        if self.matches("<"):
            self.values(graph, (*path, "value_info"), ">")
        graph["node"] = self.nodes((*path, "node"))
        self.depth -= 1
        return _filled(graph)

    def values(self, graph: Tree, path: Path, end: str) -> None:
        """Read values with their types into a list of a graph; those with data are initializers, those of the inputs both."""
        kind = str(path[-1])
        found = graph[kind]
        for begin in self.items(end):
            place = (*path, len(found))
            if self._take_known(place, ",", graph):
                continue
            value = self.value(place)
            has_data = kind != "output" and self.at("=")
            if has_data:
                self.initializer(graph, value, begin, place)
            if kind == "input" or not has_data:
                found.append(value)
                self.done(place, begin.start)

    def initializer(self, graph: Tree, value: Tree, begin: Token, place: Path) -> None:
        """Read the data of a value, which makes it an initializer of a graph."""
        *home, listing, _ = place
        kind = "sparse_initializer" if begin.text == "sparse_tensor" and listing != "input" else "initializer"
        at = (*home, kind, len(graph[kind]))
        graph[kind].append(self.tensor_of(value, begin, place, at))
        self.done(at, begin.start)

    def tensor_of(self, value: Tree, begin: Token, place: Path, at: Path) -> Tree:
        """Return the tensor at a path that a value with data is."""
        self.expect("=")
        if begin.text == "sparse_tensor":
            return self.sparse_tensor(value.get("type", {}), value["name"])
        self.become_tensor(place, at)
        return {**self.tensor(value.get("type", {}), begin, at), "name": value["name"]}

    def value(self, path: Path) -> Tree:
        if (plain := self._plainly(plain_lines.value)) is not None:
            return plain
        kind = self.type((*path, "type")) if self.is_type() else None
        name = self.name((*path, "name"), "a type or a name" if kind is None else "a name")
        return {"name": name} if kind is None else {"name": name, "type": kind}

    def done(self, path: Path, start: int) -> None:
        self.mark(path, start)
        if is_record(path):
            self.records[path] = Span(start, self.last)

    def _plainly(self, read: Callable[[str, int, int], tuple[Tree, int] | None]) -> Tree | None:
        """Read what comes next at once; None if that cannot be, or if the places of its parts are needed."""
        plain = read(self.text, self.token.start, self.end) if self.marks is None else None
        if plain is None:
            return None
        found, end = plain
        self.go_on(end)
        return found

    def _take_known(self, path: Path, separator: str, owner: Tree) -> bool:
        """Take over all records from here on that have not changed; return whether there is one."""
        if self.known is None or len(path) != 3 or (known := self.known.get(path[1])) is None:
            return False
        text, between = self.text, f"{separator}\n{INDENT}"
        at = self.token.start
        ends: list[int] = []
        while True:
            end = text.find("\n", at)
            line = text[at : len(text) if end < 0 else end]
            row = known.get(line.removesuffix(separator))
            if row is None or id(row.tree) in self.taken or not text.startswith(row.text, at):
                break
            self.taken.add(id(row.tree))
            listed = owner[row.kind]
            place = ("graph", row.kind, len(listed))
            ends.append(at + len(row.text))
            self.records[place] = Span(at, ends[-1])
            listed.append(row.tree)
            if not text.startswith(between, ends[-1]):
                break
            at = ends[-1] + len(between)
        if not ends:
            return False
        self.go_on(ends.pop())
        if self.at("<", "="):  # the last record goes on, and is another than it was
            listed.pop()
            start = self.records.pop(place).start
            self.go_on(ends[-1] if ends else start)
            return bool(ends)
        return True

    # nodes

    def nodes(self, path: Path) -> list[Tree]:
        found: list[Tree] = []
        self.expect("{")
        while not self.at("}"):
            place = (*path, len(found))
            if self._take_known(place, "", {"node": found}):
                continue
            start, depth = self.token, self.depth
            try:
                found.append(self.node(place))
                self.done(place, start.start)
            except Unexpected as error:
                if not is_record(place) or error.token.kind == "end":
                    raise
                self.report(error)
                self.depth = depth
                if not self.recover(start):
                    return found
        self.take()
        return found

    def recover(self, start: Token) -> bool:
        """Go to the next line that is indented as the broken node is; return whether there is one."""
        begin = self.text.rfind("\n", 0, start.start) + 1
        indent = self.text[begin : start.start]
        if indent.strip():
            return False
        at = self.text.find("\n", max(self.last, start.end))
        while at >= 0:
            rest = self.text[at + 1 : at + 2 + len(indent)]
            if rest.startswith("}") or (rest.startswith(indent) and rest[len(indent) :].strip(" \t>}")):
                self.go_on(at)
                return True
            at = self.text.find("\n", at + 1)
        return False

    def node(self, path: Path) -> Tree:
        if (plain := self._plainly(plain_lines.node)) is not None:
            return plain
        if self.token.kind == "end":
            raise Unexpected("a node or `}`", self.token)
        node: Tree = {}
        if self.matches("["):
            node["name"] = self.name((*path, "name"))
            self.expect("]")
        node["output"] = self.names((*path, "output"), "=")
        self.operator(path, node)
        node["attribute"] = self.attributes((*path, "attribute"))
        self.expect("(")
        node["input"] = self.names((*path, "input"), ")")
        node["attribute"] = node["attribute"] or self.attributes((*path, "attribute"))
        return _filled(node)

    def operator(self, path: Path, node: Tree) -> None:
        start = self.token
        words = [self.name((*path, "op_type"), "an operator")]
        while self.at("."):
            end = self.take().start
            self.mark((*path, "domain"), start.start, end)
            words.append(self.name((*path, "op_type"), "a part of an operator's name"))
        if len(words) > 1:
            node["domain"] = ".".join(words[:-1])
        node["op_type"] = words[-1]
        if self.matches(":"):
            node["overload"] = self.name((*path, "overload"))

    def names(self, path: Path, end: str) -> list[str]:
        """Return the names of a list; nothing between commas is an empty name."""
        found: list[str] = []
        for first in self.items(end):
            place = (*path, len(found))
            if self.at(","):
                self.mark(place, first.start, first.start)
                found.append("")
            else:
                found.append(self.name(place))
        return found

    # attributes

    def attributes(self, path: Path) -> list[Tree]:
        """Return the attributes that come next, if any."""
        found: list[Tree] = []
        for first in self.attached():
            place = (*path, len(found))
            name = self.name((*place, "name"), "an attribute")
            found.append(self.attribute_of(name, first, place))
            self.mark(place, first.start)
        return found

    def attribute_of(self, name: str, start: Token, path: Path) -> Tree:
        """Return an attribute whose name has been read."""
        self.mark((*path, "name"), start.start, start.end)
        said = self.attribute_type((*path, "type")) if self.matches(":") else ""
        self.expect("=")
        first = self.token.start
        attribute: Tree = {"name": name}
        if self.matches("@"):
            attribute["ref_attr_name"] = self.name((*path, "ref_attr_name"))
            kind = ""
        else:
            kind, value = self.attribute_value(said, path)
            field = ATTRIBUTE_TYPES[ATTRIBUTE_NUMBERS[kind]][1]
            if value != []:
                attribute[field] = value
            self.mark((*path, field), first)
        self.mark((*path, "value"), first)
        said = said or kind
        if number := ATTRIBUTE_NUMBERS.get(said) or unknown_type(said):
            attribute["type"] = number
        return attribute

    def attribute_type(self, path: Path) -> str:
        token = self.token
        kind = self.name(path)
        if kind not in ATTRIBUTE_NUMBERS and kind != "undefined" and unknown_type(kind) is None:
            raise Unexpected("a type of attributes such as int, floats or tensor", token)
        return kind

    def attribute_value(self, said: str, path: Path) -> tuple[str, Any]:
        """Return the type of a value and the value, whose type may have been said."""
        if not self.matches("["):
            return self.one_value(said, path)
        if self.at("]") and said not in LISTS:
            raise Unexpected("a type before an empty list", self.expect("]"))
        kind = LISTS.get(said, "")
        field = said if said in LISTS else "value"
        found: list[Any] = []
        for first in self.items("]"):
            at = (*path, field, len(found))
            kind_of_one, value = self.one_value(kind, at)
            if (kind, kind_of_one) == ("int", "float"):
                found = [float(number) for number in found]
            elif found and kind_of_one != kind:
                raise Unexpected(f"a value of type {kind}", first)
            kind = kind_of_one
            self.mark(at, first.start)
            found.append(value)
        return _PLURALS[kind], found

    def one_value(self, said: str, path: Path) -> tuple[str, Any]:
        """Return the type of a single value, and the value."""
        token = self.token
        if token.kind == "string":
            return "string", self.encoded(path)
        if token.kind == "integer" and said != "float":
            return "int", self.integer(path)
        if token.is_number:
            return "float", self.single(path)
        if self.is_type():
            return self.tensor_or_type(path)
        if token.kind == "word":
            return "graph", self.graph((*path, "g") if path[-1] != "g" else path)
        if self.at("{"):
            self.sparse_tensor({}, "")
            return "sparse_tensor", {"cut": True}
        raise Unexpected("a value", token)

    def tensor_or_type(self, path: Path) -> tuple[str, Any]:
        begin, field = self.token, (*path, "t") if path[-2] in ("attribute", "attribute_proto") else path
        kind = self.type((*path, "tp"))
        named = self.token.kind in ("word", "string")
        if not named and not self.at("{", "=", "["):
            return "type_proto", kind
        name = self.name((*field, "name")) if named else ""
        self.matches("=")
        if begin.text == "sparse_tensor":
            return "sparse_tensor", self.sparse_tensor(kind, name)
        self.become_tensor((*path, "tp"), field, ("type",))
        tensor = self.tensor(kind, begin, field)
        return "tensor", {**tensor, "name": name} if name else tensor


def is_record(path: Path) -> bool:
    """Return whether a part of a graph or a function is a record: it is in no nested graph."""
    return len(path) == (3 if path[0] == "graph" else 4)


def _filled(message: Tree) -> Tree:
    """Return a message without its empty lists."""
    return {key: value for key, value in message.items() if value != []}
