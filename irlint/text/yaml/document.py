"""A YAML document with the places of its values: keys are words or whole numbers, as programs in Python see them."""

from __future__ import annotations

import re
from typing import Any

from irlint.codes import R
from irlint.text.base import Path, Span, Trouble
from irlint.text.placed import PlacedDocument
from irlint.text.yaml import YamlError, compose

MOST = 20_000  # values; aliases count as often as they are used
DEPTH = 20
_TAG = "tag:yaml.org,2002:"
_WORDS = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}
_INT = re.compile(r"[-+]?\d{1,18}")


class YamlDocument(PlacedDocument):
    syntax = "yaml"

    def __init__(self, text: str, name: str) -> None:
        self._count = 0
        values: dict[Path, Span] = {}
        keys: dict[Path, Span] = {}
        super().__init__(text, name, {}, values, keys)
        try:
            node = compose(text)
            self.tree = None if node is None else self._value_of(node, (), values, keys)
        except YamlError as error:
            start = min(getattr(error.mark, "index", 0), max(len(text) - 1, 0))
            self.troubles.append(Trouble(R.syntax_error, Span(start, start + 1), error.words))
            self.is_broken = True

    def _value_of(self, node: Any, at: Path, values: dict[Path, Span], keys: dict[Path, Span]) -> Any:
        self._count += 1
        if self._count > MOST or len(at) > DEPTH:
            raise YamlError("too large or nested too deeply", node.start_mark)
        values[at] = Span(node.start_mark.index, max(node.end_mark.index, node.start_mark.index))
        kind = type(node).__name__
        if kind == "MappingNode":
            found: dict[Any, Any] = {}
            for key, value in node.value:
                name = _scalar(key)
                if isinstance(name, str) or type(name) is int:
                    path: Path = (*at, name)
                    keys[path] = Span(key.start_mark.index, key.end_mark.index)
                    found[name] = self._value_of(value, path, values, keys)
            return found
        if kind == "SequenceNode":
            return [self._value_of(item, (*at, k), values, keys) for k, item in enumerate(node.value)]
        return _scalar(node)


def _scalar(node: Any) -> Any:
    text, tag = str(node.value), str(node.tag).removeprefix(_TAG)
    if tag == "int" and _INT.fullmatch(text):
        return int(text)
    if tag == "bool":
        return _WORDS.get(text.lower())
    if tag == "float":
        try:
            return float(text)
        except ValueError:
            return None
    return None if tag == "null" else text
