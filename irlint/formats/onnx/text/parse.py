"""The textual form read: a model's tree, and where each part of it is in the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from irlint.codes import R
from irlint.formats.onnx.tensors import FIELDS, HALVES, half_bits, rounded
from irlint.formats.onnx.text import plain_lines
from irlint.formats.onnx.text.show import INDENT
from irlint.formats.onnx.wire.messages import ATTRIBUTE_NUMBERS, ATTRIBUTE_TYPES, DTYPES, ELEMENT_NUMBERS
from irlint.formats.onnx.wire.reader import Tree
from irlint.records import NamedTuple
from irlint.text.base import Path, Span, Step, Trouble

# One of the alternatives always matches, so that no space is ever given back
_TOKEN = re.compile(
    r'(?:[ \t\r\n\v\f]+|#[^\n]*)*(?:(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<number>-?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|(?:inf|infinity|nan)\b))|(?P<sign>=>|\.\.\.|.)|(?P<end>\Z))",
    re.DOTALL | re.ASCII,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_UNKNOWN = re.compile(r"type([0-9]{1,10})")
_TYPES = ("seq", "map", "optional", "sparse_tensor", "opaque")
_BITS = re.compile(r"-?[0-9]+")  # of a float16 or bfloat16, as onnx.parser and onnx.printer write it
_SPECIAL = ("inf", "infinity", "nan")
_LISTS = {"ints": "int", "floats": "float", "strings": "string", "tensors": "tensor", "graphs": "graph"}
_LISTS |= {"sparse_tensors": "sparse_tensor", "type_protos": "type_proto"}
_INTEGERS = ("ir_version", "model_version")
LISTS = ("opset_import", "metadata_props")
MOST_DEPTH = 100


class Token:
    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind, self.text, self.start, self.end = kind, text, start, end


class Known(NamedTuple):
    """A record that was read before: its text, and what it is."""

    text: str
    kind: str
    tree: Tree


KnownRecords = Mapping[Step, Mapping[str, Known]]  # by the list that they are in, and their first lines


class Unexpected(Exception):
    """A token that cannot be there."""

    def __init__(self, expected: str, token: Token) -> None:
        super().__init__(expected)
        self.expected, self.token = expected, token


class TooDeep(Unexpected):
    """Graphs or types that are nested deeper than protobuf reads."""


def tokens(text: str) -> list[Span]:
    """Return where the tokens of a text are."""
    found: list[Span] = []
    at = 0
    while (match := _TOKEN.match(text, at)) is not None and match.lastgroup != "end":
        found.append(Span(*match.span(match.lastgroup or "")))
        at = match.end()
    return found


class Parser:
    """Reads a range of a text. `marks` collects the spans of all its parts, if given. `known` are records that need not be read
    again.
    """

    def __init__(
        self,
        text: str,
        start: int = 0,
        end: int | None = None,
        marks: dict[Path, Span] | None = None,
        known: KnownRecords | None = None,
    ) -> None:
        self.text, self.end = text, len(text) if end is None else end
        self.marks, self.known = marks, known
        self.taken: set[int] = set()  # known records, each of which is one of the new text
        self.records: dict[Path, Span] = {}
        self.troubles: list[Trouble] = []
        self.depth = 0
        self.last = start
        self.token = self._scan(start)

    # tokens

    def _scan(self, at: int) -> Token:
        match = _TOKEN.match(self.text, at, self.end)
        assert match is not None
        kind = match.lastgroup or ""
        text, (start, end) = match[kind], match.span(kind)
        if text == '"':
            return Token("open", self.text[start : self.end], start, self.end)
        return Token(kind, text, start, end)

    def take(self) -> Token:
        taken = self.token
        self.last = taken.end
        self.token = self._scan(taken.end)
        return taken

    def at(self, *signs: str) -> bool:
        return self.token.kind == "sign" and self.token.text in signs

    def matches(self, sign: str) -> bool:
        if self.at(sign):
            self.take()
            return True
        return False

    def expect(self, sign: str) -> Token:
        if not self.at(sign):
            raise Unexpected(f"`{sign}`", self.token)
        return self.take()

    def mark(self, path: Path | None, start: int, end: int | None = None) -> None:
        if self.marks is not None and path is not None:
            self.marks[path] = Span(start, self.last if end is None else end)

    def name(self, path: Path | None, what: str = "a name") -> str:
        """Return a name; its mark is without the quotes."""
        token = self.token
        if token.kind == "string":
            self.take()
            self.mark(path, token.start, token.end)
            return _unquoted(token.text)
        if token.kind != "word":
            raise Unexpected(what, token)
        self.take()
        self.mark(path, token.start, token.end)
        return token.text

    def string(self, path: Path) -> str:
        if self.token.kind != "string":
            raise Unexpected("a string in double quotes", self.token)
        return self.name(path)

    def integer(self, path: Path) -> int:
        token = self.token
        try:
            value = int(token.text) if token.kind == "number" and len(token.text) < 30 else None
        except ValueError:
            value = None
        if value is None:
            raise Unexpected("an integer", token)
        self.take()
        self.mark(path, token.start, token.end)
        return value

    def number(self, path: Path, is_double: bool = False) -> float:
        """Return a number, rounded as the model holds it."""
        token = self.token
        if token.kind != "number" and token.text.lower() not in _SPECIAL:
            raise Unexpected("a number", token)
        self.take()
        self.mark(path, token.start, token.end)
        value = float(token.text)
        return value if is_double else rounded(value)

    # the whole text

    def model(self) -> Tree:
        """Return the tree of a whole text; what cannot be read becomes a trouble, and reading goes on at the next line."""
        model: Tree = {}
        try:
            model.update(self.header((), LISTS))
            if self.token.kind != "end":
                model["graph"] = self.graph(("graph",), True)
        except Unexpected as error:
            self.report(error)
            return model
        functions: list[Tree] = []
        while self.token.kind != "end":
            try:
                functions.append(self.function(("functions", len(functions))))
            except Unexpected as error:
                self.report(error)
                break
        if functions:
            model["functions"] = functions
        return model

    def report(self, error: Unexpected) -> None:
        token = error.token
        if isinstance(error, TooDeep):
            self.troubles.append(Trouble(R.too_deep, Span(token.start, token.end), str(error)))
            return
        if token.kind == "end":
            self.troubles.append(
                Trouble(
                    R.truncated_file, Span(token.start, token.end), f"the text ends where {error.expected} is expected"
                )
            )
            return
        found = "a string that does not end" if token.kind == "open" else f"`{token.text[:40]}`"
        span = Span(token.start, token.start + 1 if token.kind == "open" else token.end)
        self.troubles.append(Trouble(R.syntax_error, span, f"expected {error.expected}, got {found}"))

    def header(self, path: Path, lists: tuple[str, ...]) -> Tree:
        found: Tree = {}
        if not self.matches("<"):
            return found
        while not self.at(">"):
            self.entry(path, found, lists)
            if not self.matches(","):
                break
        self.expect(">")
        return found

    def entry(self, path: Path, found: Tree, lists: tuple[str, ...] = LISTS) -> None:
        """Read what a model or a function says of itself under one key."""
        start = self.token
        key = self.name(None)
        self.expect(":")
        place = (*path, key)
        if key in _INTEGERS:
            found[key] = self.integer(place)
        elif key in lists:
            found[key] = self.entries(place, key == "opset_import")
        else:
            found[key] = self.string(place)
        self.records[place] = Span(start.start, self.last)

    def entries(self, path: Path, versions: bool) -> list[Tree]:
        found: list[Tree] = []
        start = self.expect("[").start
        while not self.at("]"):
            place = (*path, len(found))
            first = self.token.start
            key = self.string((*place, "domain" if versions else "key"))
            self.expect(":")
            if versions:
                found.append({"domain": key, "version": self.integer((*place, "version"))})
            else:
                found.append({"key": key, "value": self.string((*place, "value"))})
            self.mark(place, first)
            if not self.matches(","):
                break
        self.expect("]")
        self.mark(path, start)
        return found

    def function(self, path: Path) -> Tree:
        function = self.header(path, ("opset_import",))
        function["name"] = self.record((*path, "name"), self.name)
        if self.matches("<"):
            while not self.at(">"):
                self.formal(path, function)
                if not self.matches(","):
                    break
            self.expect(">")
        infos: list[Tree] = []
        function["input"] = self.parameters((*path, "input"), infos)
        self.expect("=>")
        function["output"] = self.parameters((*path, "output"), infos)
        if self.matches("<"):
            while not self.at(">"):
                infos.append(self.record((*path, "value_info", len(infos)), self.value))
                if not self.matches(","):
                    break
            self.expect(">")
        if infos:
            function["value_info"] = infos
        function["node"] = self.nodes((*path, "node"), True)
        return {key: value for key, value in function.items() if value != []}

    def formal(self, path: Path, function: Tree) -> None:
        """Read a parameter of a function that is an attribute: a name, or an attribute with its usual value."""
        start = self.token
        name = self.name(None)
        if self.at(":", "="):
            listed = function.setdefault("attribute_proto", [])
            place = (*path, "attribute_proto", len(listed))
            listed.append(self.attribute_of(name, start, place))
        else:
            listed = function.setdefault("attribute", [])
            place = (*path, "attribute", len(listed))
            listed.append(name)
        self.records[place] = Span(start.start, self.last)

    def parameters(self, path: Path, infos: list[Tree]) -> list[str]:
        found: list[str] = []
        self.expect("(")
        while not self.at(")"):
            kind = self.type((*path, len(found), "type")) if self.is_type() else None
            found.append(self.record((*path, len(found)), self.name))
            if kind is not None:
                infos.append({"name": found[-1], "type": kind})
            if not self.matches(","):
                break
        self.expect(")")
        return found

    def record(self, path: Path, read: Any) -> Any:
        start = self.token.start
        found = read(path)
        self.records[path] = Span(start, self.last)
        return found

    # graphs

    def graph(self, path: Path, is_top: bool = False) -> Tree:
        if self.depth > MOST_DEPTH:
            raise TooDeep(f"graphs are nested more than {MOST_DEPTH} deep", self.token)
        self.depth += 1
        graph: Tree = {"name": self.record((*path, "name"), self.name) if is_top else self.name((*path, "name"))}
        initializers: list[Tree] = []
        graph["input"] = self.values((*path, "input"), "(", ")", initializers, path, is_top)
        self.expect("=>")
        graph["output"] = self.values((*path, "output"), "(", ")", None, path, is_top)
        if self.at("<"):
            infos = self.values((*path, "value_info"), "<", ">", initializers, path, is_top, graph)
            graph["value_info"] = infos
        graph["initializer"] = initializers
        graph["node"] = self.nodes((*path, "node"), is_top)
        self.depth -= 1
        return {key: value for key, value in graph.items() if value != []}

    def values(
        self,
        path: Path,
        start: str,
        end: str,
        initializers: list[Tree] | None,
        graph: Path,
        is_top: bool,
        owner: Tree | None = None,
    ) -> list[Tree]:
        """Return values with their types; those with data are initializers, those of an input list both."""
        found: list[Tree] = []
        lists: dict[Step, tuple[list[Tree], Path]] = {path[-1]: (found, path)}
        if initializers is not None:
            lists["initializer"] = initializers, (*graph, "initializer")
        self.expect(start)
        while not self.at(end):
            if is_top and self.known is not None and self._take_known(path[-1], ",", lists):
                if not self.matches(","):
                    break
                continue
            begin, place = self.token, (*path, len(found))
            value = self.value(place)
            has_data = initializers is not None and self.at("=")
            if initializers is not None and has_data:
                if owner is not None and begin.text == "sparse_tensor":
                    listed = owner.setdefault("sparse_initializer", [])
                    at: Path = (*graph, "sparse_initializer", len(listed))
                else:
                    listed, at = initializers, (*graph, "initializer", len(initializers))
                listed.append(self.initializer(value, begin, place, at))
                self.done(at, begin.start, is_top)
            if owner is None or not has_data:
                found.append(value)
                self.done(place, begin.start, is_top)
            if not self.matches(","):
                break
        self.expect(end)
        return found

    def initializer(self, value: Tree, begin: Token, place: Path, at: Path) -> Tree:
        """Return the tensor of a value that has data; marks of the value's type become the tensor's."""
        self.expect("=")
        if begin.text == "sparse_tensor":
            return self.sparse_data(value.get("type", {}), value["name"])
        if self.marks is not None:
            for path in [path for path in self.marks if path[: len(place)] == place]:
                self.marks[_of_tensor(at, path[len(place) :])] = self.marks.pop(path)
        return {**self.data(at, _dense(value.get("type", {}), begin)), "name": value["name"]}

    def sparse_data(self, kind: Tree, name: str = "") -> Tree:
        self.skip_braces()
        inner = kind.get("sparse_tensor_type", {})
        dims = [dim.get("dim_value", 0) for dim in inner.get("shape", {}).get("dim", ())]
        named = {"name": name} if name else {}
        return {"values": {**named, "data_type": inner.get("elem_type", 0), "cut": True}, "dims": dims, "cut": True}

    def skip_braces(self) -> None:
        self.expect("{")
        while not self.at("}"):
            if self.token.kind == "end":
                raise Unexpected("`}`", self.token)
            self.take()
        self.take()

    def _take_known(self, kind: Step, separator: str, lists: Mapping[Step, tuple[list[Tree], Path]]) -> bool:
        """Take over all records from here on that have not changed; return whether there is one."""
        assert self.known is not None
        text, records, known = self.text, self.records, self.known.get(kind, {})
        between = f"{separator}\n{INDENT}"
        at, last = self.token.start, -1
        while True:
            end = text.find("\n", at)
            line = text[at : len(text) if end < 0 else end]
            row = known.get(line.removesuffix(separator))
            if row is None or id(row.tree) in self.taken or not text.startswith(row.text, at):
                break
            self.taken.add(id(row.tree))
            listed, path = lists[row.kind]
            last = at + len(row.text)
            place = (*path, len(listed))
            records[place] = Span(at, last)
            listed.append(row.tree)
            if not text.startswith(between, last):
                break
            at = last + len(between)
        if last < 0:
            return False
        self.last, self.token = last, self._scan(last)
        if self.at("<", "="):  # it goes on, and is another than it was
            listed.pop()
            self.token = self._scan(self.records.pop((*path, len(listed))).start)
            return False
        return True

    def _plainly(self, read: Callable[[str, int, int], tuple[Tree, int] | None]) -> Tree | None:
        """Read what comes next at once; None if that cannot be, or if somebody asks where its parts are."""
        plain = read(self.text, self.token.start, self.end) if self.marks is None else None
        if plain is None:
            return None
        found, self.last = plain
        self.token = self._scan(self.last)
        return found

    def done(self, path: Path, start: int, is_top: bool) -> None:
        self.mark(path, start)
        if is_top:
            self.records[path] = Span(start, self.last)

    def value(self, path: Path) -> Tree:
        if (plain := self._plainly(plain_lines.value)) is not None:
            return plain
        kind = self.type((*path, "type")) if self.is_type() else None
        name = self.name((*path, "name"), "a type or a name" if kind is None else "a name")
        return {"name": name} if kind is None else {"name": name, "type": kind}

    def nodes(self, path: Path, is_top: bool) -> list[Tree]:
        found: list[Tree] = []
        lists: dict[Step, tuple[list[Tree], Path]] = {"node": (found, path)}
        self.expect("{")
        while not self.at("}"):
            if is_top and self.known is not None and path[0] == "graph" and self._take_known("node", "", lists):
                continue
            start = self.token
            try:
                if start.kind == "end":
                    raise Unexpected("a node or `}`", start)
                node = self.node((*path, len(found)))
            except Unexpected as error:
                if not is_top or error.token.kind == "end":
                    raise
                self.report(error)
                if not self.recover(start):
                    return found
                continue
            found.append(node)
            self.done((*path, len(found) - 1), start.start, is_top)
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
                self.last = at
                self.token = self._scan(at)
                return True
            at = self.text.find("\n", at + 1)
        return False

    def node(self, path: Path) -> Tree:
        if (plain := self._plainly(plain_lines.node)) is not None:
            return plain
        node: Tree = {}
        if self.matches("["):
            node["name"] = self.name((*path, "name"))
            self.expect("]")
        node["output"] = self.names((*path, "output"), "=")
        self.expect("=")
        self.operator(path, node)
        if self.at("<"):
            node["attribute"] = self.attributes((*path, "attribute"))
        self.expect("(")
        node["input"] = self.names((*path, "input"), ")")
        self.expect(")")
        if self.at("<") and "attribute" not in node:
            node["attribute"] = self.attributes((*path, "attribute"))
        return {key: value for key, value in node.items() if value != []}

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
        """Return names separated by commas; nothing between commas is an empty name."""
        found: list[str] = []
        while not self.at(end):
            if self.at(","):
                found.append("")
                self.mark((*path, len(found) - 1), self.token.start, self.token.start)
            else:
                found.append(self.name((*path, len(found))))
            if not self.matches(","):
                break
        return found

    # attributes

    def attributes(self, path: Path) -> list[Tree]:
        found: list[Tree] = []
        self.expect("<")
        while not self.at(">"):
            start = self.token
            place = (*path, len(found))
            name = self.name((*place, "name"), "an attribute")
            found.append(self.attribute_of(name, start, place))
            self.mark(place, start.start)
            if not self.matches(","):
                break
        self.expect(">")
        return found

    def attribute_of(self, name: str, start: Token, path: Path) -> Tree:
        self.mark((*path, "name"), start.start, start.end)
        kind = ""
        if self.matches(":"):
            token = self.token
            kind = self.name((*path, "type"))
            if kind not in ATTRIBUTE_NUMBERS and kind != "undefined" and not _UNKNOWN.fullmatch(kind):
                raise Unexpected("a type of attributes such as int, floats or tensor", token)
        self.expect("=")
        first = self.token.start
        attribute: Tree = {"name": name}
        if self.matches("@"):
            attribute["ref_attr_name"] = self.name((*path, "ref_attr_name"))
            found = kind or "undefined"
        else:
            found, value = self.attribute_value(kind, path)
            field = ATTRIBUTE_TYPES[ATTRIBUTE_NUMBERS[found]][1]
            if value != []:
                attribute[field] = value
            self.mark((*path, field), first)
        self.mark((*path, "value"), first)
        said = kind or found
        other = _UNKNOWN.fullmatch(said)
        number = int(other[1]) if other else ATTRIBUTE_NUMBERS.get(said, 0)
        if number:
            attribute["type"] = number
        return attribute

    def attribute_value(self, kind: str, path: Path) -> tuple[str, Any]:
        if not self.matches("["):
            return self.single(_plain(kind), path)
        found: list[Any] = []
        one = _LISTS.get(kind, "")
        field = kind if kind in _LISTS else ""
        while not self.at("]"):
            at = (*path, field or "value", len(found))
            first = self.token
            kind_of_one, value = self.single(one, at)
            if found and kind_of_one != one:
                if (one, kind_of_one) != ("int", "float"):
                    raise Unexpected(f"a value of type {one}", first)
                found = [float(number) for number in found]
            one = kind_of_one
            self.mark(at, first.start)
            found.append(value)
            if not self.matches(","):
                break
        token = self.expect("]")
        plural = next((name for name, single in _LISTS.items() if single == one), "")
        if not plural:
            raise Unexpected("a type before an empty list", token)
        return plural, found

    def single(self, expected: str, path: Path) -> tuple[str, Any]:
        """Return the type of an attribute's value, and the value."""
        token = self.token
        if token.kind == "string":
            return "string", self.name(path).encode("utf-8", "surrogateescape")
        if token.kind == "number" or (token.kind == "word" and token.text.lower() in _SPECIAL):
            is_int = token.kind == "number" and token.text.lstrip("-").isdigit()
            if is_int and expected != "float":
                return "int", self.integer(path)
            return "float", self.number(path)
        if self.is_type():
            return self.tensor_or_type(expected, path)
        if token.kind == "word":
            return "graph", self.graph((*path, "g") if path[-1] != "g" else path)
        if self.at("{"):
            self.skip_braces()
            return "sparse_tensor", {"cut": True}
        raise Unexpected("a value", token)

    def tensor_or_type(self, expected: str, path: Path) -> tuple[str, Any]:
        begin, field = self.token, (*path, "t") if path[-2] in ("attribute", "attribute_proto") else path
        kind = self.type((*field, "type") if self.marks is None else (*path, "tp"))
        named = self.token.kind in ("word", "string")
        if not named and not self.at("{", "=", "["):
            return "type_proto", kind
        name = self.name((*field, "name")) if named else ""
        self.matches("=")
        if begin.text == "sparse_tensor":
            return "sparse_tensor", self.sparse_data(kind, name)
        if self.marks is not None:
            for place in [place for place in self.marks if place[: len(path) + 1] == (*path, "tp")]:
                self.marks[_of_tensor(field, ("type", *place[len(path) + 1 :]))] = self.marks.pop(place)
        tensor = self.data(field, _dense(kind, begin))
        return "tensor", {**tensor, "name": name} if name else tensor

    # types and data

    def is_type(self) -> bool:
        token = self.token
        return token.kind == "word" and (
            token.text in ELEMENT_NUMBERS
            or token.text in _TYPES
            or token.text == "undefined"
            or bool(_UNKNOWN.fullmatch(token.text))
        )

    def type(self, path: Path) -> Tree:
        start, word = self.token, self.token.text
        if self.depth > MOST_DEPTH:
            raise TooDeep(f"types are nested more than {MOST_DEPTH} deep", start)
        self.depth += 1
        if word in ("seq", "optional"):
            self.take()
            self.expect("(")
            field = "sequence_type" if word == "seq" else "optional_type"
            found: Tree = {field: {"elem_type": self.type((*path, field, "elem_type"))}}
            self.expect(")")
        elif word == "map":
            self.take()
            self.expect("(")
            key = self.element((*path, "map_type", "key_type"))
            self.expect(",")
            found = {"map_type": {"key_type": key, "value_type": self.type((*path, "map_type", "value_type"))}}
            self.expect(")")
        elif word == "sparse_tensor":
            self.take()
            self.expect("(")
            found = {"sparse_tensor_type": self.dense((*path, "sparse_tensor_type"))}
            self.expect(")")
        elif word == "opaque":
            self.take()
            self.expect("(")
            words = [""]
            while not self.at(")"):
                if self.matches(","):
                    words.append("")
                else:
                    words[-1] += "." if self.matches(".") else self.name((*path, "opaque_type", "name"))
            self.expect(")")
            found = {"opaque_type": {"name": words[-1], **({"domain": words[0]} if len(words) > 1 else {})}}
        else:
            found = {"tensor_type": self.dense((*path, "tensor_type"))}
        self.mark(path, start.start)
        self.depth -= 1
        return found

    def element(self, path: Path) -> int:
        token = self.token
        other = _UNKNOWN.fullmatch(token.text)
        number = int(other[1]) if other else 0 if token.text == "undefined" else ELEMENT_NUMBERS.get(token.text)
        if number is None or token.kind != "word":
            raise Unexpected("an element type such as float or int64", token)
        self.take()
        self.mark(path, token.start, token.end)
        return number

    def dense(self, path: Path) -> Tree:
        number = self.element((*path, "elem_type"))
        found: Tree = {"elem_type": number} if number else {}
        start = self.token.start
        if not self.matches("["):
            return {**found, "shape": {}}
        if self.matches("]"):
            return found
        dims: list[Tree] = []
        while not self.at("]"):
            place = (*path, "shape", "dim", len(dims))
            if self.matches("?"):
                dims.append({})
                self.mark(place, self.last - 1)
            elif self.token.kind == "number":
                dims.append({"dim_value": self.integer(place)})
            else:
                dims.append({"dim_param": self.name(place, "a dimension")})
            if not self.matches(","):
                break
        self.expect("]")
        self.mark((*path, "shape"), start)
        return {**found, "shape": {"dim": dims}}

    def data(self, path: Path, tensor: Tree) -> Tree:
        """Read the data of a tensor whose type and dims are known."""
        start = self.token.start
        if self.at("["):
            tensor["data_location"] = 1
            tensor["external_data"] = self.entries((*path, "external_data"), False)
            self.mark((*path, "data"), start)
            return tensor
        self.expect("{")
        number = tensor.get("data_type", 0)
        dtype = DTYPES.get(number, "")
        field, values = FIELDS.get(dtype, "int32_data"), list[Any]()
        while not self.at("}"):
            if self.matches("..."):
                tensor["cut"] = True
                break
            place = (*path, "data", len(values))
            if dtype == "string":
                values.append(self.string(place).encode("utf-8", "surrogateescape"))
            elif field in ("float_data", "double_data"):
                values.append(self.number(place, field == "double_data"))
            elif dtype in HALVES and not _BITS.fullmatch(self.token.text):
                values.append(half_bits(self.number(place, True), dtype))
            else:
                values.append(self.integer(place))
            if not self.matches(","):
                break
        self.expect("}")
        self.mark((*path, "data"), start)
        if values or not tensor.get("cut"):
            tensor[field] = values
        return tensor


def _plain(kind: str) -> str:
    return kind if kind in ATTRIBUTE_NUMBERS and kind not in _LISTS else ""


def _unquoted(text: str) -> str:
    inner = text[1:-1]
    return _ESCAPE.sub(r"\1", inner) if "\\" in inner else inner


def _dense(kind: Tree, token: Token) -> Tree:
    """Return a tensor of a type whose shape is known."""
    inner = kind.get("tensor_type")
    dims = (inner or {}).get("shape", {}).get("dim", ())
    if inner is None or "shape" not in inner or not all("dim_value" in dim for dim in dims):
        raise Unexpected("the type of a tensor with known sizes", token)
    tensor: Tree = {"dims": [dim["dim_value"] for dim in dims]} if dims else {}
    if inner.get("elem_type"):
        tensor["data_type"] = inner["elem_type"]
    return tensor


def _of_tensor(tensor: Path, path: Path) -> Path:
    """Return the path of a part of a tensor that was read as a part of its type."""
    rest = path[1:]
    if path[:1] != ("type",):
        return (*tensor, *path)
    if rest == ("tensor_type", "elem_type"):
        return (*tensor, "data_type")
    if rest[:2] == ("tensor_type", "shape"):
        return (*tensor, "dims", *rest[3:])
    return (*tensor, *path)
