"""Errors of users' schemas as problems, each at its token."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from irlint.codes import R
from irlint.findings import Problem
from irlint.records import NamedTuple
from irlint.schema.errors import SchemaError
from irlint.schema.explain import WORDED, plain, shown, subject, visit, worded
from irlint.text.base import Document, Path, Place, Span
from irlint.text.json.values import dump
from irlint.text.safe import brief, visible
from irlint.user_schemas.process import ask

if TYPE_CHECKING:
    from irlint.settings import UserSchema

_WORDS = {  # by keyword; others have jsonschema's own
    "pattern": "expected a match of {limit} for {name}, got {found}",
    "format": "expected the format {limit} for {name}, got {found}",
    "required": "missing key {key} in {name}",
    "additionalProperties": "unknown key {key} in {name}",
    "unevaluatedProperties": "unknown key {key} in {name}",
    "uniqueItems": "expected different elements in {name}",
    "multipleOf": "expected a multiple of {limit} for {name}, got {found}",
    "oneOf": "expected {name} to match one of the alternatives of the schema, got {found}",
    "anyOf": "expected {name} to match one of the alternatives of the schema, got {found}",
    "contains": "expected another element in {name}",
    "not": "{name} is not allowed, got {found}",
    None: "{name} is not allowed",
}


_OF_KEYS = ("required", "additionalProperties", "unevaluatedProperties")


class Error(NamedTuple):
    """An error of a JSON value. `key`: of an object's member that it is about, which is missing if `is_missing`."""

    path: Path
    key: str | None
    keyword: str | None

    @property
    def is_missing(self) -> bool:
        return self.keyword == "required"


Located = tuple["Place | Span", "str | None"]  # a place and the name of the node


def json_problems(schema: UserSchema, value: Any, place: Callable[[Error], Located]) -> Iterator[Problem]:
    """Yield the errors of a value."""
    errors, left_out, has_more = ask(schema.path, schema.base, schema.formats, (value,), schema.digest)[1]
    for record in errors:
        for key in record["keys"] or [None]:
            error = Error(record["path"], key, record["keyword"])
            at, node = place(error)
            yield problem(schema, at, _message(value, error, record), node)
    for pattern in left_out:
        yield incomplete(schema, f"the regular expression {plain(pattern)} takes too long and was left out")
    yield from _rest(schema, has_more)


def xml_problems(schema: UserSchema, document: Document) -> Iterator[Problem]:
    """Yield the errors of an XML document."""
    errors, _, has_more = ask(schema.path, schema.base, schema.formats, (document.encode(),), schema.digest)[1]
    for record in errors:
        at: Place | Span = Place(record["path"], record["part"])
        if "at" in record:  # the syntax, of which irlint's own reader may have told
            if document.troubles:
                return
            line, column = record["at"]
            start = document.lines.start(min(line, len(document.lines.starts))) + column - 1
            at = Span(min(start, len(document.text)), min(start + 1, len(document.text)))
        yield problem(schema, at, visible(_noted(record["message"], record["note"])))
    yield from _rest(schema, has_more)


def problem(schema: UserSchema, at: Place | Span, message: str, node: str | None = None) -> Problem:
    return Problem(R.user_schema, at, f"{message} (by {visible(schema.name)})", node, severity=schema.severity)


def incomplete(schema: UserSchema, what: str) -> Problem:
    return Problem(R.check_incomplete, Span(0, 0), f"the check is incomplete: {what} (by {visible(schema.name)})")


def _rest(schema: UserSchema, has_more: bool) -> Iterator[Problem]:
    if has_more:
        yield incomplete(schema, "further errors are not listed")


def _message(root: Any, error: Error, record: dict[str, Any]) -> str:
    """Return the words of the schema's author, or ours for the keyword and the author's note."""
    notes = record["notes"]
    own = notes["errorMessage"]
    if isinstance(own, dict):  # by keyword, as in ajv-errors
        own = own.get(record["keyword"], own.get("_"))
        own = own.get(error.key) if isinstance(own, dict) else own
    if isinstance(own, str) and own:
        return visible(own)
    value, owner, _ = visit(root, error.path)
    message = _noted(_worded(root, error, value, record), notes["description"] or notes["title"])
    return f"{owner}: {message}" if owner else message


def _worded(root: Any, error: Error, value: Any, record: dict[str, Any]) -> str:
    """Return what is wrong by a keyword."""
    keyword, limit = record["keyword"], record["limit"]
    if keyword in ("minimum", "maximum") and value == limit:  # draft 4
        keyword = f"exclusive{keyword.capitalize()}"
    elif keyword in ("const", "enum"):
        keyword, limit = "enum", [_json(word) for word in (limit if keyword == "enum" else [limit])]
    if error.key is not None and keyword not in _OF_KEYS:  # propertyNames
        return f"key {plain(error.key)} is not allowed in {subject(error.path)}: {visible(record['message'])}"
    if keyword in WORDED and limit != []:
        return worded(root, SchemaError(keyword, error.path, value, {keyword: limit}))
    if keyword in _WORDS:
        name, key = subject(error.path), plain(error.key)
        return _WORDS[keyword].format(name=name, found=shown(value), limit=plain(limit), key=key)
    return visible(record["message"])


def _json(word: Any) -> Any:
    return dump(word) if isinstance(word, (bool, dict, list)) or word is None else word


def _noted(message: str, note: Any) -> str:
    note = brief(visible(" ".join(note.split()).rstrip(".")), 200) if isinstance(note, str) else ""
    return f"{message}; {note}" if note else message


def json_place(error: Error, root: Any) -> Located:
    """Return the token of an error in a JSON document."""
    value, _, node = visit(root, error.path)
    if error.key is not None and isinstance(value, dict) and error.key in value:
        return Place((*error.path, error.key), "key"), node
    if error.keyword is None and error.path and isinstance(error.path[-1], str):
        return Place(error.path, "key"), node
    return Place(error.path, "open" if isinstance(value, (dict, list)) else "value"), node
