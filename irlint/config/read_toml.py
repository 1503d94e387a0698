"""The table [tool.irlint] of a pyproject.toml."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import cache

from irlint.config.source import LONGEST, ConfigError, ConfigSource, KeyPath, LineColumn

_Keys = tuple[str | int, ...]

_MOST_PARTS = 100  # of a dotted key: what tomllib does with it grows with their square
_QUOTED = re.compile(r'''"""(?:[^\\]|\\.)*?"""|'{3}.*?'{3}|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*'|#[^\n]*''', re.DOTALL)
_LONG_NUMBER = re.compile(rf"\b0[xob]\w{{{LONGEST}}}")
_DOTTED = re.compile(r"[\w\-. \t]+")

# [tool.irlint], tool.irlint.select, [tool], tool = {: whether a file is worth parsing, and, where no parser is installed, worth a complaint
_MENTIONED = re.compile(
    rb"""^(?:\xef\xbb\xbf)?[ \t[]*["']?tool["']?[ \t]*(?:\.[ \t]*["']?irlint|[\]=])""", re.MULTILINE
)

_TABLE: _Keys = ("tool", "irlint")
_HEADER = re.compile(r"\s*\[(\[?)([^\[\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


def read_toml(path: str, data: bytes) -> ConfigSource | None:
    """Return the content of the table; None if the file has no such table."""
    if not _MENTIONED.search(data):
        return None
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        text = data.decode("utf-8")
        bare = _QUOTED.sub("q", text)
        if any(run.count(".") >= _MOST_PARTS for run in _DOTTED.findall(bare)):
            raise RecursionError
        if _LONG_NUMBER.search(bare):
            raise ValueError
        values = tomllib.loads(text, parse_float=str)  # 2024.10 is a version, not 2024.1
    except UnicodeDecodeError as error:
        raise ConfigError(path, [(None, f"not valid UTF-8 (byte {error.start + 1})")]) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(path, [(None, f"not valid TOML: {error}")]) from error
    except ValueError as error:  # int() raises it, too
        raise ConfigError(path, [(None, "number with thousands of digits")]) from error
    except RecursionError as error:
        raise ConfigError(path, [(None, "nested too deeply")]) from error
    tool = values.get("tool")
    if not isinstance(tool, dict) or "irlint" not in tool:
        return None
    table = tool["irlint"]
    if not isinstance(table, dict):
        raise ConfigError(path, [(None, "expected a table for `tool.irlint`")])
    marks = cache(lambda: _marks(text))  # asked for only where there are mistakes
    return ConfigSource(path, table, lambda at: _locate(marks(), at))


def _locate(marks: dict[_Keys, LineColumn], at: KeyPath) -> LineColumn | None:
    """Return the line of a key, or of the nearest key around it."""
    wanted = (*_TABLE, *at)
    lengths = range(len(wanted), len(_TABLE) - 1, -1)
    return next((marks[wanted[:length]] for length in lengths if wanted[:length] in marks), None)


def _marks(text: str) -> dict[_Keys, LineColumn]:
    """Return the places of keys. A scan of lines is enough to locate errors."""
    found: dict[_Keys, LineColumn] = {}
    table: _Keys = ()
    last: dict[_Keys, int] = {}  # item of an array of tables
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            *around, name = _parts(header[2]) or ("",)
            here = (*_indexed((), around, last), name)
            if header[1]:
                last[here] = last.get(here, -1) + 1
            table = keys = (*here, last[here]) if here in last else here
            column = header.start(2) + 1
        elif key := _KEY.match(line):
            keys = (*table, *_parts(key[1]))
            column = key.start(1) + 1
        else:
            continue
        found.setdefault(keys, LineColumn(number, column))
    return found


def _indexed(table: _Keys, names: Iterable[str], last: dict[_Keys, int]) -> _Keys:
    """Return the keys of a table, with the number of the item after each name of an array."""
    for name in names:
        table = (*table, name)
        table = (*table, last[table]) if table in last else table
    return table


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))
