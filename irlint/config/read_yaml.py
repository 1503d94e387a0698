"""YAML with positions. Only plain data: no tag runs code, and aliases cannot blow up a file."""

from __future__ import annotations

from typing import Any

from irlint.config.source import LONGEST, ConfigError, ConfigSource, KeyPath, LineColumn
from irlint.text.yaml import YamlError, compose

MAX_VALUES = 20_000  # aliases counted as often as they are used
MAX_DEPTH = 20

_TAG = "tag:yaml.org,2002:"
_CONSTANTS = {"true": True, "false": False}


def read_yaml(path: str, data: bytes) -> ConfigSource:
    """Return the mapping in a YAML file; an empty file is an empty mapping."""
    try:
        root = compose(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(path, [(None, f"not valid UTF-8 (byte {error.start + 1})")]) from error
    except YamlError as error:
        raise ConfigError(path, [(_mark(error.mark), error.words)]) from error
    reader = _Reader(path)
    values = {} if root is None else reader.value(root, ())
    if values is None:
        values = {}
    if not isinstance(values, dict):
        reader.mistakes.append((LineColumn(1, 1), "expected a mapping, such as `select: [R, O]`"))
    if reader.mistakes:
        raise ConfigError(path, reader.mistakes)
    return ConfigSource(path, values, reader.marks.get)


def _mark(mark: Any) -> LineColumn | None:
    return LineColumn(mark.line + 1, mark.column + 1) if mark is not None else None


class _Reader:
    """A conversion of YAML nodes into values that records their places."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.marks: dict[KeyPath, LineColumn | None] = {}
        self.mistakes: list[tuple[LineColumn | None, str]] = []

    def value(self, node: Any, at: KeyPath) -> Any:
        self.marks.setdefault(at, _mark(node.start_mark))
        if len(self.marks) > MAX_VALUES or len(at) > MAX_DEPTH:
            raise ConfigError(
                self.path, [(_mark(node.start_mark), "too large or nested too deeply for a configuration")]
            )
        match type(node).__name__, str(node.tag).removeprefix(_TAG):
            case "MappingNode", "map":
                return self._mapping(node, at)
            case "SequenceNode", "seq":
                return [self.value(item, (*at, index)) for index, item in enumerate(node.value)]
            case "ScalarNode", tag:
                return self._scalar(node, tag, at)
            case _, tag:
                self.mistakes.append((_mark(node.start_mark), f"unsupported tag `{tag[:60]}`"))
                return None

    def _mapping(self, node: Any, at: KeyPath) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in node.value:
            mark = _mark(key.start_mark)
            if type(key).__name__ != "ScalarNode":
                self.mistakes.append((mark, "expected a plain word as a key"))
                continue
            name = key.value
            path = (*at, name)
            if name in found:
                first = self.marks[path]
                where = f"; first defined on line {first.line}" if first else ""
                self.mistakes.append((mark, f"duplicate key `{name}`{where}"))
                continue
            self.marks[path] = mark
            found[name] = self.value(value, path)
        return found

    def _scalar(self, node: Any, tag: str, at: KeyPath) -> Any:
        text = str(node.value)
        if tag == "str" or (at[:1] == ("targets",) and tag in ("int", "float")):  # 2024.10 is a version, not 2024.1
            return text
        try:
            match tag:
                case "null":
                    return None
                case "bool":
                    return _CONSTANTS[text.lower()]
                case "int" if len(text) <= LONGEST:
                    return int(text.replace("_", ""), 0)
                case "float":
                    return float(text.replace("_", "").replace(".inf", "inf").replace(".nan", "nan"))
        except (KeyError, ValueError):
            pass
        words = f"expected a string, a number, `true` or `false`, got `{text[:40]}`"
        self.mistakes.append((_mark(node.start_mark), words))
        return None
