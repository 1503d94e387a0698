"""A model in a text that has a value for each of its fields: the base of the JSON form and of protobuf's text format."""

from __future__ import annotations

from typing import Any

from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.wire import MODEL, PARTS
from irlint.text.base import Edit, Path, Place
from irlint.text.prototext.messages import Field, Message


class TreeDocument(OnnxDocument):
    def resolved(self, path: Path) -> Path:
        """Return a path in which the parts of an attribute or a tensor have their own names."""
        value: Any = self.tree
        found = []
        for step in path:
            if isinstance(value, dict) and step not in value:
                step = next((name for name in PARTS.get(str(step), ()) if name in value), step)
            found.append(step)
            try:
                value = value[step]
            except (LookupError, TypeError):
                value = None
        return tuple(found)

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        return self.changed(self.resolved(place.path), list(value) if isinstance(value, tuple) else value)


def field_of(path: Path) -> Field:
    """Return the field of a path; of an item of a list, as if it were not in one."""
    message: Message | None = MODEL
    field: Field | None = None
    for step in path:
        if isinstance(step, int) and field is not None:
            field = field._replace(many=False)
        elif message is None or step not in message.fields:
            raise LookupError(path)
        else:
            field = message.fields[str(step)]
            message = field.message
    if field is None:
        raise LookupError(path)
    return field


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
