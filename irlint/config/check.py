"""What is wrong in a configuration, in words, at its place in the file."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from irlint.config.selectors import UnknownSelector, resolve
from irlint.config.source import MOST, ConfigError, KeyPath, Mark, Source
from irlint.operators import nearest
from irlint.resources import load_json
from irlint.rules.declared import DeclaredRule, selectable

SCHEMA = "irlint-config.schema.json"

_KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "null": "nothing",
    "integer": "a whole number",
    "number": "a number",
    "object": "keys with values",
    "string": "text",
}


class Checker:
    """Collects the mistakes of one configuration file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.mistakes: list[tuple[Mark | None, str]] = []

    def report(self, at: KeyPath, message: str) -> None:
        self.mistakes.append((self.source.locate(at), message))
        if len(self.mistakes) > MOST:  # to look for what each was meant to be takes its time
            self.finish()

    def finish(self) -> None:
        """Raises what was collected, in file order."""
        if self.mistakes:
            raise ConfigError(self.source.path, sorted(self.mistakes, key=lambda mistake: mistake[0] or Mark(0, 0)))

    def against_schema(self) -> None:
        """Keys and types."""
        try:
            for error in _validator().iter_errors(self.source.values):
                self._explain(error)
        except ValueError:  # a date, an infinity: nothing that JSON knows
            self.report((), "holds a value of a kind that no setting takes")

    declared: tuple[DeclaredRule, ...] = ()  # rules that words may name besides

    def selectors(self, words: Iterable[str], *at: str | int) -> tuple[str, ...]:
        """The rules that words select; an unknown word is a mistake at its own place."""
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
        """Every name must be a known one."""
        choices = list(known)
        for name in found:
            self.name(name, choices, what, (*at, name))

    def name(self, name: str, known: list[str], what: str, at: KeyPath) -> None:
        """A name must be a known one."""
        if name not in known:
            self.report(at, f"no {what} is called {name!r} ({did_you_mean(name, known)})")

    def _explain(self, error: Any) -> None:
        at, kind = tuple(error.instance_path), error.kind
        match kind.name:
            case "additionalProperties":
                known = _keys(at)
                for key in kind.unexpected:
                    self.report((*at, key), f"unknown key {key!r} ({did_you_mean(key, known)})")
            case "type":
                wanted = " or ".join(_KINDS.get(word, word) for word in kind.types)
                self.report(at, f"{_named(at)} must be {wanted}, found {_shown(error.instance)}")
            case "enum":
                self.report(at, f"{_named(at)} must be {' or '.join(kind.options)}, found {_shown(error.instance)}")
            case "required":
                self.report(at, f"{_named(at)} needs `{kind.property}`")
            case "minLength" | "minItems" | "minProperties":
                self.report(at, f"{_named(at)} must not be empty")
            case "pattern" if at[-1:] == ("code",):
                self.report(at, f"{_named(at)} must be U and three digits, found {_shown(error.instance)}")
            case "pattern" if at[-1:] == ("name",):
                self.report(at, f"{_named(at)} must be one word, found {_shown(error.instance)}")
            case "anyOf":
                self.report(at, f"{_named(at)} cannot be {_shown(error.instance)}")
            case _:
                self.report(at, error.message)


def did_you_mean(word: str, words: list[str]) -> str:
    close = nearest(word, words)
    return f"did you mean {close!r}?" if close else f"there are: {', '.join(words)}"


def _keys(at: KeyPath) -> list[str]:
    """The keys that there are at a place of the configuration."""
    schema = load_json(SCHEMA)
    if at[:1] == ("rules",):
        schema = schema["$defs"]["match" if "match" in at else "rule"]
    elif at[:1] == ("extensions",):
        schema = schema["$defs"]["attribute" if "attributes" in at[3:] else "operation"]
    return list(schema["properties"])


def _named(at: KeyPath) -> str:
    names = [str(step) for step in at if isinstance(step, str)]
    name = f"`{'.'.join(names)}`" if names else "the configuration"
    return f"an item of {name}" if at and isinstance(at[-1], int) else name


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (dict, list)):
        return _KINDS["object" if isinstance(value, dict) else "array"]
    return "nothing" if value is None else repr(value)[:60]


@cache
def _validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(load_json(SCHEMA))
