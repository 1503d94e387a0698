"""Messages of protobuf's schemas: their fields by name and by tag, from tables in a short notation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irlint.records import NamedTuple

INT, UINT, FLOAT, DOUBLE, STRING, BYTES, MESSAGE = range(7)
INTEGERS = (INT, UINT)
PACKED = 2  # the wire type of repeated numbers in one piece
DEPTH = 100  # of messages in messages: protobuf's own limit
_KINDS = {"int": INT, "uint": UINT, "float": FLOAT, "double": DOUBLE, "string": STRING, "bytes": BYTES}
_WIRE = {INT: 0, UINT: 0, FLOAT: 5, DOUBLE: 1, STRING: 2, BYTES: 2, MESSAGE: 2}

Tree = dict[str, Any]


class Field(NamedTuple):
    name: str
    number: int
    kind: int
    many: bool
    message: Message | None  # of a field that is one
    shared: bool = False  # equal ones are read once: a model repeats them
    names: Mapping[str, int] | None = None  # of the numbers that an enumeration has
    is_short: bool = False  # an integer of 32 bits

    @property
    def tag(self) -> int:
        """The tag with which it is written: not packed, as ONNX's own library writes attributes and dims."""
        return self.number << 3 | _WIRE[self.kind]


class Message:
    """One kind of message: its fields by tag (number and wire type) and by name, and those of which it has one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tags: dict[int, Field] = {}
        self.fields: dict[str, Field] = {}
        self.one_of: dict[str, frozenset[str]] = {}  # by each of the fields that exclude each other
        self.needed: list[str] = []
        # By their full names: those that one of any kind can be put into, as `[host/name]` or, for an extension, `[name.ext]`
        self.kinds: Mapping[str, Message] | None = None

    def field(self, written: str) -> Field | None:
        """Return a field by its name, or the message that a name in brackets stands for; None if it is not known."""
        if written in self.fields:
            return self.fields[written]
        name = "".join(written.split())
        kind = name.strip("[]").rpartition("/")[2].removesuffix(".ext")
        message = None if self.kinds is None else self.kinds.get(kind)
        return None if message is None else Field(name, 0, MESSAGE, False, message)


def messages(schema: str, enums: Mapping[str, Mapping[str, int]], package: str = "") -> dict[str, Message]:
    """Return the messages of a table: a line each, of its name and its fields; lines that are indented continue the one before.

    A field is NAME:NUMBER:KIND with a kind of number or string, an enumeration or a message, and * if it is repeated, ! if equal values are
    read once, ~ if it is an integer of 32 bits, + if a message must have it. `(A B)` are fields of which a message has one, and `[]` any
    messages that it has by their full names.
    """
    rows = [row.split() for row in schema.strip().replace("\n  ", " ").split("\n")]
    found = {row[0]: Message(row[0]) for row in rows}
    kinds = {f"{package}.{name}": message for name, message in found.items()}
    for name, *words in rows:
        message, group = found[name], None
        for word in words:
            if word == "[]":
                message.kinds = kinds
                continue
            if word.startswith("("):
                group = set[str]()
            key, number, kind = word.strip("()").rstrip("*!~+").split(":")
            field = Field(
                key,
                int(number),
                INT if kind in enums else _KINDS.get(kind, MESSAGE),
                "*" in word,
                found.get(kind),
                "!" in word,
                enums.get(kind),
                "~" in word or kind in enums,
            )
            message.fields[key] = message.tags[field.tag] = field
            if field.many and field.kind in (*INTEGERS, FLOAT, DOUBLE):
                message.tags[field.number << 3 | PACKED] = field
            message.needed += [key] * ("+" in word)
            if group is not None:
                group.add(key)
                if word.endswith(")"):
                    message.one_of.update(dict.fromkeys(group, frozenset(group)))
                    group = None
    return found


def of_table(table: Mapping[str, Any]) -> Message:
    """Return the outermost message of a published table: `messages` of a `package`, `enums` and `root`."""
    rows = "\n".join(" ".join((name, *fields)) for name, fields in table["messages"].items())
    return messages(rows, table["enums"], table.get("package", ""))[table["root"]]
