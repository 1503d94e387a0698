"""A JSON Schema of any draft from 4 to 2020-12, and what it finds in a value, by jsonschema."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from irlint.text.safe import brief
from irlint.user_schemas.bounds import MOST, Files, Mistake, Slow

_PATTERNS = 10  # slow ones that are left out before the whole check is
_NOTES = ("errorMessage", "description", "title")
_KEYS = 200  # of one object that are named
_LONG = 300  # characters of jsonschema's messages, which may quote whole values
_NOWHERE = "not found in this file, in one below the configuration's folder, or in a schema of irlint"

_OPTIONAL = (  # formats that jsonschema checks with further packages
    *("color", "date-time", "time", "duration", "hostname", "idn-hostname", "iri", "iri-reference", "json-pointer"),
    *("relative-json-pointer", "uri", "uri-reference", "uri-template"),
)

_HOLDERS = ("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions")

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
        try:
            uri = urljoin(at, root.id() or "")
        except ValueError as error:
            raise Mistake(path, ("", "$id"), f"not a URI: {error}") from error
        self._home = uri[: uri.rfind("/") + 1] or at
        self._retrieved, self._paths, self._sound = {uri: root}, {uri: path}, set[int]()
        kinds: Any = Registry
        self._registry = kinds(retrieve=self._retrieve).with_resources([(at, root), (uri, root)]).crawl()
        self._checker = kind.FORMAT_CHECKER if formats else None
        self._look_through()
        self._validator = kind({"$ref": uri}, registry=self._registry, format_checker=self._checker)

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
        except ValueError as error:
            raise Mistake(path, None, f"not valid JSON: {error}") from error
        except RecursionError as error:
            raise Mistake(path, None, "nested too deeply") from error
        if isinstance(schema, dict) and not isinstance(schema.get("$schema", ""), str):
            raise Mistake(path, ("", "$schema"), "expected a string for `$schema`")
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
            raise Mistake(path, ("", *error.absolute_path), brief(error.message, _LONG)) from error
        except (OverflowError, ValueError) as error:  # of a regular expression
            raise Mistake(path, None, brief(str(error), _LONG)) from error
        return kind

    def _retrieve(self, uri: str) -> Any:
        """Return a schema that another one refers to. What is beside the `$id` of the first is beside its file."""
        from jsonschema_specifications import REGISTRY
        from referencing import Resource
        from referencing.exceptions import NoSuchResource

        if uri in REGISTRY:
            self._sound.update(id(part) for part, _ in _parts(REGISTRY[uri].contents))
            return REGISTRY[uri]
        location = uri[len(self._home) :] if uri.startswith(self._home) else uri
        path = self.files.path_of(location, os.path.dirname(self._path))
        if path is None or not os.path.isfile(path):
            raise NoSuchResource(uri)
        schema = self._read(path)
        if not isinstance(schema, bool):
            self._verified(path, schema)
        self._paths[uri] = path
        found = Resource.from_contents(schema, default_specification=self._specification)
        return self._retrieved.setdefault(uri, found)

    def _look_through(self) -> None:
        """Look all references up before a document needs them, keep what they lead to, and make the schema fit for use."""
        done, seen, found = set[str](), set[int](), list[tuple[Any, str, Any]]()
        while True:
            left = [uri for uri in self._retrieved if uri not in done]
            done.update(left)
            self._registry = self._registry.with_resources(self._retrieved.items()).crawl()
            work = [(self._retrieved[uri], self._registry.resolver(uri)) for uri in left]
            if not left:
                work = list(self._elsewhere(one for one in found if id(one[2].contents) not in seen))
            found = []
            if not work:
                break
            while work:
                resource, resolver = work.pop()
                if id(resource.contents) in seen:
                    continue
                seen.add(id(resource.contents))
                found += self._referred(resource.contents, resolver)
                work += [(inner, resolver.in_subresource(inner)) for inner in resource.subresources()]
                if isinstance(resource.contents, dict):
                    self._amend(resource.contents)

    def _elsewhere(self, found: Iterable[tuple[Any, str, Any]]) -> Iterator[tuple[Any, Any]]:
        """Yield what is not where schemas are: only a reference says that it is one."""
        for holder, key, other in found:
            if not (isinstance(other.contents, bool) or self._is_valid(other.contents)):
                raise self._mistake(holder, key, "does not lead to a valid schema")
            yield self._specification.create_resource(other.contents), other.resolver

    def _is_valid(self, schema: Any) -> bool:
        return isinstance(schema, dict) and ("$schema" in schema or self._kind(self._kind.META_SCHEMA).is_valid(schema))

    def _referred(self, contents: Any, resolver: Any) -> Iterator[tuple[Any, str, Any]]:
        """Yield what the references of one part of a schema lead to, but for the metaschemas, which are sound."""
        from referencing.exceptions import Unresolvable

        for key in ("$ref", "$dynamicRef") if isinstance(contents, dict) else ():
            if isinstance(reference := contents.get(key), str):
                try:
                    found = resolver.lookup(reference)
                except (Unresolvable, ValueError) as error:
                    if isinstance(mistake := error.__cause__ and error.__cause__.__cause__, Mistake):
                        raise mistake from None
                    raise self._mistake(contents, key, _NOWHERE) from error
                if id(found.contents) not in self._sound:
                    yield contents, key, found

    def _mistake(self, contents: Any, key: str, words: str) -> Mistake:
        message = f"`{brief(contents[key], _LONG)}` {words}"
        for uri, resource in self._retrieved.items():
            for part, path in _parts(resource.contents):
                if part is contents:
                    return Mistake(self._paths[uri], ("", *path, key), message)
        return Mistake(self._path, None, message)

    def _amend(self, schema: dict[str, Any]) -> None:
        """Change a part of a schema: expressions that take too long are left out, and what is `false` gets a form whose errors have a
        place."""
        if isinstance(pattern := schema.get("pattern"), str) and pattern in self._left_out:
            del schema["pattern"]
        named = schema.get("patternProperties")
        if isinstance(named, dict) and ("|".join(named) in self._left_out or not self._left_out.isdisjoint(named)):
            schema["patternProperties"] = {"^": True}
        holders = (schema.get("properties"), schema.get("patternProperties"))
        for holder in (holder for holder in holders if isinstance(holder, dict)):
            holder.update({key: {"not": {}} for key, inner in holder.items() if inner is False})
        if schema.get("propertyNames") is False:
            schema["propertyNames"] = {"not": {}}
        if (
            self._checker is not None
            and (format_ := schema.get("format")) in _OPTIONAL
            and format_ not in self._checker.checkers
        ):
            raise ImportError(name="formats")


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


def _record(error: Any) -> dict[str, Any]:
    """Return what is known of an error; of a choice what its likeliest branch lacks, if its author does not describe it."""
    from jsonschema.exceptions import best_match

    if error.context and not any(note in _dict(error.schema) for note in _NOTES):
        error = best_match([error])
    owner = _dict(error.schema)
    keys, place, keyword = _keys(error, owner), tuple(error.absolute_path), error.validator
    if keyword in ("items", "additionalItems") and isinstance(error.instance, list) and error.validator_value is False:
        firsts = owner.get("prefixItems", owner.get("items"))
        place, keyword = (*place, len(firsts) if isinstance(firsts, list) else 0), None
    missing = _dict(_dict(owner.get("properties")).get(keys[0])) if keyword == "required" and keys else {}
    described = {note: missing[note] for note in _NOTES[1:] if note in missing}
    return {
        "path": place,
        "keyword": keyword,
        "limit": _limit(error),
        "message": brief(error.message, _LONG),
        "keys": keys,
        "notes": {note: owner.get(note) for note in _NOTES} | described,
    }


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _limit(error: Any) -> Any:
    """Return the value of a keyword as far as messages need it."""
    limit = error.validator_value
    if isinstance(limit, (str, list)):
        return limit[:100]
    return None if isinstance(limit, dict) and error.validator != "const" else limit


def _keys(error: Any, owner: dict[str, Any]) -> list[str]:
    """Return the keys of an object that an error is about."""
    keyword, value = error.validator, error.instance
    if keyword == "required":
        return [key for key in error.validator_value if error.message.startswith(f"{key!r} ")][:1]
    if keyword == "additionalProperties" and isinstance(value, dict):
        return list(islice(_others(value, owner), _KEYS))
    if keyword == "unevaluatedProperties" and isinstance(value, dict):
        return [key for key in islice(value, _KEYS) if repr(key) in error.message]
    steps = ["", *error.absolute_schema_path]
    is_name = any(step == "propertyNames" and before not in _HOLDERS for before, step in pairwise(steps))
    return [value] if is_name and isinstance(value, str) else []


def _others(value: dict[str, Any], owner: dict[str, Any]) -> Iterator[str]:
    """Yield the keys that neither a name nor a pattern allows."""
    known, patterns = owner.get("properties", {}), "|".join(owner.get("patternProperties", ()))
    return (key for key in value if key not in known and not (patterns and re.search(patterns, key)))
