"""Errors of users' schemas as problems, each at its token."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from irlint.codes import R
from irlint.findings import Problem
from irlint.records import NamedTuple
from irlint.schema.errors import SchemaError
from irlint.schema.explain import WORDED, plain, shown, subject, visit, worded
from irlint.text.base import Path, Place, Span
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


def xml_problems(schema: UserSchema, text: str) -> Iterator[Problem]:
    """Yield the errors of an XML document."""
    errors, _, has_more = ask(schema.path, schema.base, schema.formats, (text,), schema.digest)[1]
    for record in errors:
        note = record["note"]
        yield problem(schema, Place(record["path"], record["part"]), visible(_noted(record["message"], note)))
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
    notes, keyword = record["notes"], record["keyword"]
    own = notes["errorMessage"]
    if isinstance(own, dict):  # by keyword, as in ajv-errors
        own = own.get(keyword, own.get("_"))
        own = own.get(error.key) if isinstance(own, dict) else own
    if isinstance(own, str) and own:
        return visible(own)
    value, owner, _ = visit(root, error.path)
    if error.key is not None and keyword not in (
        "required",
        "additionalProperties",
        "unevaluatedProperties",
    ):  # propertyNames
        message = f"key {plain(error.key)} is not allowed in {subject(error.path)}: {visible(record['message'])}"
    elif keyword in WORDED:
        message = worded(root, SchemaError(keyword, error.path, value, {keyword: record["limit"]}))
    elif keyword in _WORDS:
        words = {
            "name": subject(error.path),
            "found": shown(value),
            "limit": plain(record["limit"]),
            "key": plain(error.key),
        }
        message = _WORDS[keyword].format(**words)
    else:
        message = visible(record["message"])
    return (f"{owner}: " if owner else "") + _noted(message, notes["description"] or notes["title"])


def _noted(message: str, note: Any) -> str:
    note = brief(visible(note.strip().rstrip(".")), 200) if isinstance(note, str) else ""
    return f"{message}; {note}" if note else message


def json_place(error: Error, root: Any) -> Located:
    """Return the token of an error in a JSON document."""
    value, _, node = visit(root, error.path)
    if error.key is not None and isinstance(value, dict) and error.key in value:
        return Place((*error.path, error.key), "key"), node
    if error.keyword is None and error.path and isinstance(error.path[-1], str):
        return Place(error.path, "key"), node
    return Place(error.path, "open" if isinstance(value, (dict, list)) else "value"), node
