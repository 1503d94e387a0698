"""Errors of a configuration, at their places in the file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from irlint.config import UnknownSelector, resolve
from irlint.config.source import MOST, ConfigError, ConfigSource, KeyPath, LineColumn
from irlint.operators import nearest
from irlint.rules.declared import DeclaredRule, selectable
from irlint.schema.errors import SchemaError, errors

SCHEMA = "irlint-config.schema.json"

_KINDS = {
    "array": "a list",
    "boolean": "a boolean",
    "null": "null",
    "integer": "an integer",
    "number": "a number",
    "object": "a mapping",
    "string": "a string",
}


class Checker:
    """The errors collected from one configuration file."""

    def __init__(self, source: ConfigSource) -> None:
        self.source = source
        self.mistakes: list[tuple[LineColumn | None, str]] = []

    def report(self, at: KeyPath, message: str) -> None:
        self.mistakes.append((self.source.locate(at), message))
        if len(self.mistakes) > MOST:  # suggestions take their time
            self.finish()

    def finish(self) -> None:
        """Raise the collected errors, in file order."""
        if self.mistakes:
            raise ConfigError(
                self.source.path, sorted(self.mistakes, key=lambda mistake: mistake[0] or LineColumn(0, 0))
            )

    def against_schema(self) -> dict[str, Any]:
        """Check keys and types; return the values by key without those in which something is wrong."""
        wrong: set[str | int | None] = set()
        for error in errors(SCHEMA, self.source.values):
            self._explain(error)
            if error.path or error.keyword != "additionalProperties":
                wrong.add(error.path[0] if error.path else None)
        if not wrong.isdisjoint((None, "rules")):  # other keys name these rules
            self.finish()
        return {key: value for key, value in self.source.values.items() if key not in wrong}

    declared: tuple[DeclaredRule, ...] = ()  # further rules that selectors may name

    def selectors(self, words: Iterable[str], *at: str | int) -> tuple[str, ...]:
        """Return the codes that selectors stand for; an unknown one is reported at its own place."""
        return tuple(self.selector(word, *at, index) for index, word in enumerate(words))

    def selector(self, word: str, *at: str | int) -> str:
        if (code := selectable(word, self.declared)) is not None:
            return code
        try:
            return resolve(word)
        except UnknownSelector as error:
            self.report(at, str(error))
            return word

    def names(self, found: Iterable[str], known: Iterable[str], what: str, *at: str) -> None:
        """Report every unknown name."""
        choices = list(known)
        for name in found:
            self.name(name, choices, what, (*at, name))

    def name(self, name: str, known: list[str], what: str, at: KeyPath) -> None:
        """Report an unknown name."""
        if name not in known:
            self.report(at, f"unknown {what} `{name}`; {did_you_mean(name, known)}")

    def _explain(self, error: SchemaError) -> None:
        at, limit, found = error.path, error.limit, error.value
        match error.keyword:
            case "additionalProperties":
                known = list(error.schema["properties"])
                for key in (key for key in found if key not in known):
                    self.report((*at, key), f"unknown key `{key}`; {did_you_mean(key, known)}")
            case "required":
                for key in (key for key in limit if key not in found):
                    self.report(at, f"missing key `{key}` in {_named(at)}")
            case "minLength" | "minItems" | "minProperties":
                self.report(at, f"expected a non-empty value for {_named(at)}")
            case "type" | "enum" | "pattern" if (wanted := _expected(error)) is not None:
                self.report(at, f"expected {wanted} for {_named(at)}, got {_shown(found)}")
            case keyword:
                what = "invalid" if keyword == "anyOf" else "unexpected"
                self.report(at, f"{what} value for {_named(at)}: {_shown(found)}")


_PATTERNS = {"code": "`U` and three digits", "name": "one word"}  # by the key whose value has to match


def _expected(error: SchemaError) -> str | None:
    """Return what a value has to be, in words."""
    if error.keyword == "type":
        return " or ".join(_KINDS[word] for word in ([error.limit] if isinstance(error.limit, str) else error.limit))
    if error.keyword == "enum":
        return f"one of {', '.join(f'`{option}`' for option in error.limit)}"
    return _PATTERNS.get(str(error.path[-1])) if error.path else None


def did_you_mean(word: str, words: list[str]) -> str:
    """Return a suggestion for an unknown word: the nearest one, else all of them."""
    close = nearest(word, words)
    return f"did you mean `{close}`?" if close else f"expected one of {', '.join(words)}"


def _named(at: KeyPath) -> str:
    names = [str(step) for step in at if isinstance(step, str)]
    name = f"`{'.'.join(names)}`" if names else "the configuration"
    return f"an item of {name}" if at and isinstance(at[-1], int) else name


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, (dict, list)):
        return _KINDS["object" if isinstance(value, dict) else "array"]
    return "null" if value is None else f"`{(repr if isinstance(value, str) else str)(value)[:60]}`"
