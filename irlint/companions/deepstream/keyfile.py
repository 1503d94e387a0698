"""Key files as GLib reads them: groups of keys. Only numbers may have a comment behind them; that of a name is a part of it."""

from __future__ import annotations

import re
from typing import Any

from irlint.codes import R
from irlint.text.base import Path, Span, Trouble
from irlint.text.placed import PlacedDocument

_LINE = re.compile(r"[^\r\n]+")
_GROUP = re.compile(r"[ \t]*\[([^\[\]]+)\][ \t]*")
_NAME = re.compile(r"[^\[\]]+(?:\[[\w.@-]+\])?")  # with a language
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,18}(\.[0-9]{0,18})?|(\.[0-9]{1,18}))(?=\s|$)")


class KeyFileDocument(PlacedDocument):
    """GLib stops at the first line that it does not know, and the program with it."""

    def __init__(self, text: str, name: str) -> None:
        values: dict[Path, Span] = {}
        keys: dict[Path, Span] = {}
        tree: dict[str, dict[str, Any]] = {}
        super().__init__(text, name, tree, values, keys)
        group = ""
        for line in _LINE.finditer(text):
            key, equals, value = line[0].partition("=")
            name, at = key.strip(), line.start() + len(line[0]) - len(line[0].lstrip())
            if not line[0].strip() or text[at] == "#":
                continue
            if (found := _GROUP.fullmatch(line[0])) is not None:
                group = found[1]
                keys[group,] = values[group,] = Span(line.start() + found.start(1), line.start() + found.end(1))
                tree.setdefault(group, {})
            elif group and equals and _NAME.fullmatch(name):
                start = line.start() + len(key) + len(equals) + len(value) - len(value.lstrip())
                number, value = _NUMBER.match(value.strip()), value.strip()
                keys[group, name] = Span(at, at + len(name))
                values[group, name] = Span(start, start + len(value if number is None else number[0]))
                tree[group][name] = value if number is None else _value(number)
            else:
                expected = "`key=value`, a `[group]` or a comment with `#`" if group else "a `[group]` before its keys"
                span = Span(at, line.start() + len(line[0].rstrip()))
                self.troubles.append(Trouble(R.syntax_error, span, f"expected {expected}"))
                self.is_broken = True
                break


def _value(number: re.Match[str]) -> int | float:
    return int(number[0]) if number[1] is None and number[2] is None else float(number[0])
