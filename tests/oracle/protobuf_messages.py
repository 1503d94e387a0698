"""The messages of a schema in protobuf's language, as tables in schemas/companions have them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

HOME = Path(__file__).parents[2] / "schemas/companions"
KINDS = {
    1: "double", 2: "float", 3: "int", 4: "uint", 5: "int", 6: "uint", 7: "uint", 8: "Bool", 9: "string", 12: "bytes",
    13: "uint", 15: "int", 16: "int", 17: "int", 18: "int",
}  # fmt: skip
SHORT = (5, 7, 13, 15, 17)
BOOL = {"false": 0, "true": 1, "False": 0, "True": 1, "f": 0, "t": 1}

Named = Callable[[str], str]


class Messages:
    """Messages and enumerations by name; `named` returns the short form of a full name."""

    def __init__(self, named: Named) -> None:
        self.named = named
        self.rows: dict[str, list[str]] = {}
        self.enums: dict[str, dict[str, int]] = {"Bool": BOOL}

    def add(self, roots: Iterable[Any]) -> None:
        """Add messages with all that they have. What an older version of a schema had as well is kept."""
        waiting, seen = list(roots), set[str]()
        while waiting:
            message = waiting.pop(0)
            name = self.named(message.full_name)
            if name in seen:
                continue
            seen.add(name)
            own = self._fields(message)
            known = {field.name for field in message.fields}
            older = [word.strip("()").replace("+", "") for word in " ".join(self.rows.get(name, ())).split()]
            self.rows[name] = [*own, *(word for word in older if word.split(":")[0] not in known)]
            for field in message.fields:
                waiting += [] if field.message_type is None else [field.message_type]
                if field.enum_type is not None:
                    values = {value.name: value.number for value in field.enum_type.values}
                    self.enums.setdefault(self.named(field.enum_type.full_name), {}).update(values)

    def _fields(self, message: Any) -> list[str]:
        """Return the fields; those of which a message has one are together in parentheses."""
        found, done = [], set()
        for field in message.fields:
            group = field.containing_oneof
            if group is None or len(group.fields) == 1:
                found.append(self._word(field))
            elif group.name not in done:
                done.add(group.name)
                found.append(f"({' '.join(map(self._word, group.fields))})")
        return found

    def _word(self, field: Any) -> str:
        if field.message_type is not None:
            kind = self.named(field.message_type.full_name)
        elif field.enum_type is not None:
            kind = self.named(field.enum_type.full_name)
        else:
            kind = KINDS[field.type]
        many = field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED
        needed = field.is_required if hasattr(field, "is_required") else field.label == field.LABEL_REQUIRED
        return f"{field.name}:{field.number}:{kind}{'*' * bool(many)}{'+' * bool(needed)}{'~' * (field.type in SHORT)}"

    def write(self, file: str, root: str, source: str) -> None:
        """Write the messages into a table, whose other parts are kept."""
        target = HOME / file
        table = json.loads(target.read_text())
        table |= {"source": source, "root": root, "enums": dict(sorted(self.enums.items())), "messages": self.rows}
        target.write_text(_text(table))


def _text(table: dict[str, Any]) -> str:
    """Return a table with a line for each message, enumeration and demand."""
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {_lines(value)}" for key, value in table.items()) + "\n}\n"


def _lines(value: Any) -> str:
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"  {json.dumps(key)}: {json.dumps(row)}" for key, row in value.items()) + "\n }"
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"  {json.dumps(row)}" for row in value) + "\n ]"
    return json.dumps(value)
