"""A JSON Schema of any draft from 4 to 2020-12, and what it finds in a value, by jsonschema."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from irlint.user_schemas.bounds import MOST, Files, Mistake, Slow

_PATTERNS = 10  # slow ones that are left out before the whole check is
_NOTES = ("errorMessage", "description", "title")
_KEYS = 200  # of one object that are named
_LONG = 300  # characters of jsonschema's messages, which may quote whole values
_NOWHERE = "not found in this file, in one below the configuration's folder, or in a schema of irlint"

KeyPath = tuple[Any, ...]


class JsonSchema:
    is_json = True

    def __init__(self, path: str, files: Files, formats: bool, left_out: frozenset[str] = frozenset()) -> None:
        """`left_out` are regular expressions that are not checked."""
        from jsonschema import validators
        from referencing import Registry
        from referencing import jsonschema as specifications

        self.files, self._path, self._formats, self._left_out = files, path, formats, left_out
        schema = self._read(path)
        declared = str(schema.get("$schema", "")) if isinstance(schema, dict) else ""
        if "/draft-03/" in declared:
            raise Mistake(path, ("", "$schema"), "expected a schema of draft 4 or later, got draft 3")
        self._kind = validators.Draft202012Validator
        self._kind = kind = self._verified(path, schema)
        latest = specifications.DRAFT202012
        self._specification = specifications.specification_with(kind.META_SCHEMA["$schema"], default=latest)
        root = self._specification.create_resource(schema)
        at = Path(path).as_uri()
        uri = urljoin(at, root.id() or "")
        self._home = uri[: uri.rfind("/") + 1] or at
        self._retrieved, self._paths = {uri: root}, {uri: path}
        kinds: Any = Registry
        self._registry = kinds(retrieve=self._retrieve).with_resources([(at, root), (uri, root)]).crawl()
        self._verify_references()
        checker = kind.FORMAT_CHECKER if formats else None
        self._validator = kind({"$ref": uri}, registry=self._registry, format_checker=checker)

    def check(self, value: Any) -> tuple[list[dict[str, Any]], list[str], bool]:
        """Return the errors of a value, the regular expressions that took too long, and whether there are more errors."""
        left_out, schema = set[str](), self
        while True:
            try:
                found = list(islice(schema._validator.iter_errors(value), MOST + 1))
                return [_record(error) for error in found[:MOST]], sorted(left_out), len(found) > MOST
            except Slow as slow:
                if slow.pattern is None or len(left_out) == _PATTERNS:
                    raise
                left_out.add(slow.pattern)
                schema = JsonSchema(self._path, self.files, self._formats, frozenset(left_out))

    def _read(self, path: str) -> Any:
        try:
            schema = json.loads(self.files.content(path).decode("utf-8-sig"))
        except json.JSONDecodeError as error:
            raise Mistake(path, (error.lineno, error.colno), f"not valid JSON: {error.msg}") from error
        except UnicodeDecodeError as error:
            raise Mistake(path, None, f"not valid UTF-8 (byte {error.start + 1})") from error
        except RecursionError as error:
            raise Mistake(path, None, "nested too deeply") from error
        for part, _ in _parts(schema) if self._left_out else ():
            _leave_out(part, self._left_out)
        return schema

    def _verified(self, path: str, schema: Any) -> Any:
        """Return the class of a valid schema's validators."""
        from jsonschema import validators
        from jsonschema.exceptions import SchemaError

        kind = validators.validator_for(schema if isinstance(schema, dict) else {}, default=self._kind)
        try:
            kind.check_schema(schema)
        except SchemaError as error:
            while error.context:
                error = max(error.context, key=lambda inner: len(inner.absolute_path))
            raise Mistake(path, ("", *error.absolute_path), _brief(error.message)) from error
        return kind

    def _retrieve(self, uri: str) -> Any:
        """Return a schema that another one refers to. What is beside the `$id` of the first is beside its file."""
        from jsonschema_specifications import REGISTRY
        from referencing import Resource
        from referencing.exceptions import NoSuchResource

        if uri in REGISTRY:
            return REGISTRY[uri]
        location = uri[len(self._home) :] if uri.startswith(self._home) else uri
        path = self.files.path_of(location, os.path.dirname(self._path))
        if path is None or not os.path.isfile(path):
            raise NoSuchResource(uri)
        schema = self._read(path)
        if isinstance(schema, dict):
            self._verified(path, schema)
        self._paths[uri] = path
        found = Resource.from_contents(schema, default_specification=self._specification)
        return self._retrieved.setdefault(uri, found)

    def _verify_references(self) -> None:
        """Look all references up before a document needs them, and keep what they lead to."""
        from referencing.exceptions import Unresolvable

        done = set[str]()
        while left := [uri for uri in self._retrieved if uri not in done]:
            done.update(left)
            work = [(uri, self._retrieved[uri], self._registry.resolver(uri)) for uri in left]
            while work:
                uri, resource, resolver = work.pop()
                for key, reference in _references(resource.contents):
                    try:
                        resolver.lookup(reference)
                    except (Unresolvable, ValueError) as error:
                        if isinstance(mistake := error.__cause__ and error.__cause__.__cause__, Mistake):
                            raise mistake from None
                        parts = _parts(self._retrieved[uri].contents)
                        at = next((path for part, path in parts if part is resource.contents), None)
                        words = f"`{_brief(reference)}` {_NOWHERE}"
                        raise Mistake(self._paths[uri], None if at is None else ("", *at, key), words) from error
                work += [(uri, inner, resolver.in_subresource(inner)) for inner in resource.subresources()]
            self._registry = self._registry.with_resources(self._retrieved.items()).crawl()


def _references(schema: Any) -> Iterator[tuple[str, str]]:
    for key in ("$ref", "$dynamicRef") if isinstance(schema, dict) else ():
        if isinstance(reference := schema.get(key), str):
            yield key, reference


def _parts(schema: Any) -> Iterator[tuple[Any, KeyPath]]:
    """Yield every object of a schema with its path."""
    work: list[tuple[Any, KeyPath]] = [(schema, ())]
    while work:
        value, path = work.pop()
        if isinstance(value, dict):
            yield value, path
            work += [(inner, (*path, key)) for key, inner in value.items()]
        elif isinstance(value, list):
            work += [(inner, (*path, k)) for k, inner in enumerate(value)]


def _leave_out(schema: dict[str, Any], patterns: frozenset[str]) -> None:
    if schema.get("pattern") in patterns:
        del schema["pattern"]
    named = schema.get("patternProperties")
    if isinstance(named, dict) and ("|".join(named) in patterns or not patterns.isdisjoint(named)):
        schema["patternProperties"] = {"^": True}


def _record(error: Any) -> dict[str, Any]:
    """Return what is known of an error; of a choice what its likeliest branch lacks, if its author does not describe it."""
    from jsonschema.exceptions import best_match

    owner = error.schema if isinstance(error.schema, dict) else {}
    if error.context and not any(note in owner for note in _NOTES):
        error = best_match([error])
        owner = error.schema if isinstance(error.schema, dict) else {}
    limit, keys, named = error.validator_value, _keys(error, owner), owner.get("properties")
    of_key = named.get(keys[0], {}) if isinstance(named, dict) and error.validator == "required" and keys else {}
    return {
        "path": tuple(error.absolute_path),
        "keyword": error.validator,
        "limit": limit[:100] if isinstance(limit, (str, list)) else None if isinstance(limit, dict) else limit,
        "message": _brief(error.message),
        "keys": keys,
        "notes": {
            note: (of_key if isinstance(of_key, dict) and note in of_key else owner).get(note) for note in _NOTES
        },
    }


def _keys(error: Any, owner: dict[str, Any]) -> list[str]:
    """Return the keys of an object that an error is about."""
    keyword, value = error.validator, error.instance
    if keyword == "required":
        return [key for key in error.validator_value if error.message.startswith(f"{key!r} ")][:1]
    if keyword == "additionalProperties" and isinstance(value, dict):
        patterns = "|".join(owner.get("patternProperties", ()))
        known = owner.get("properties", {})
        others = (key for key in value if key not in known and not (patterns and re.search(patterns, key)))
        return list(islice(others, _KEYS))
    if keyword == "unevaluatedProperties" and isinstance(value, dict):
        return [key for key in islice(value, _KEYS) if repr(key) in error.message]
    return [value] if "propertyNames" in error.absolute_schema_path and isinstance(value, str) else []


def _brief(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG // 2]} ... {text[-_LONG // 2 :]}"
