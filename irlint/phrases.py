"""Sentences about models: data until somebody reads them.

A Phrase is a sentence with fields; called with what the fields are, it is a Said. No code reads a sentence: what it needs to know of a
problem is a field of it. Phrases of one format are in its folder's `phrases` module, those of several rooms are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import Any

from irlint.graph import Node, label
from irlint.records import NamedTuple
from irlint.text.words import count, joined

LONGEST = 40  # characters of a value that is quoted
MOST = 12  # names that are listed


class Phrase:
    """A sentence with {fields}: {name:code} in backticks, {name:name} as a name that the author of the model chose, {n:count input} with a
    noun that agrees, {names:codes} and {parts:and} as lists. A node is shown as operator and name.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, **fields: Any) -> Said:
        return Said(self, fields)

    def fields(self) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(self.text) if name}


class Said(NamedTuple):
    """A phrase with its fields, and what is said behind it, after semicolons."""

    phrase: Phrase
    fields: Mapping[str, Any] = {}
    rest: tuple[Said, ...] = ()

    def then(self, *others: Said | None) -> Said:
        """Return this with what follows from it; None says nothing."""
        return self._replace(rest=(*self.rest, *(other for other in others if other is not None)))

    def __str__(self) -> str:
        first = _WORDS.vformat(self.phrase.text, (), self.fields)
        return "; ".join([first, *map(str, self.rest)]) if self.rest else first


def code(value: Any) -> str:
    """Return a value, key or piece of syntax in backticks; of a long one the beginning."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{text if len(text) <= LONGEST else text[: LONGEST - 3] + '...'}`"


def codes(values: Iterable[Any]) -> str:
    shown = [f"`{value}`" for value in values]
    return ", ".join([*shown[:MOST], *(["..."] if len(shown) > MOST else [])])


class _Words(Formatter):
    """Shows fields as the specifications behind their names say."""

    shown: Mapping[str, Callable[[Any], str]] = {"code": code, "name": repr, "codes": codes, "and": joined, "": str}

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Node):
            return label(value)
        how, _, noun = format_spec.partition(" ")
        return count(value, noun) if how == "count" else self.shown[how](value)


_WORDS = _Words()

DID_YOU_MEAN = Phrase("did you mean {meant:code}?")
DID_YOU_MEAN_NAME = Phrase("did you mean {meant:name}?")
EXPECTED_ONE_OF = Phrase("expected one of {names:codes}")


def meant(word: str | None) -> Said | None:
    """Return the question whether a word was meant; None where nothing is near."""
    return None if word is None else DID_YOU_MEAN(meant=word)


def meant_name(name: str | None) -> Said | None:
    return None if name is None else DID_YOU_MEAN_NAME(meant=name)
