"""Writes graphs in the layout of MXNet's own writer, with room for tokens and keys that no proper writer would make."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any


class Raw(str):
    """Text that goes into the file as it stands."""


class Pairs(list):  # type: ignore[type-arg]
    """An object as a list of (key, value), so that keys can repeat."""


def items(value: Any) -> Iterable[tuple[str, Any]]:
    return value if isinstance(value, Pairs) else value.items()


def inline(value: Any) -> str:
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, (dict, Pairs)):
        return "{" + ", ".join(f"{key(k)}: {inline(v)}" for k, v in items(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def key(name: Any) -> str:
    return str(name) if isinstance(name, Raw) else json.dumps(name, ensure_ascii=False)


def _block(value: Any, indent: int) -> str:
    """An object with a line for each member."""
    if isinstance(value, Raw) or not isinstance(value, (dict, Pairs)) or not value:
        return inline(value)
    pad = " " * indent
    lines = [f"{pad}  {key(k)}: {_member(k, v, indent + 2)}" for k, v in items(value)]
    return "{\n" + ", \n".join(lines) + "\n" + pad + "}"


def _member(name: str, value: Any, indent: int) -> str:
    if name in ("attrs", "attr", "param") or isinstance(value, Pairs):
        return _block(value, indent)
    if name in ("nodes", "subgraphs") and isinstance(value, list) and value and not isinstance(value, Raw):
        pad = " " * indent
        return "[\n" + ", \n".join(f"{pad}  {_block(v, indent + 2)}" for v in value) + "\n" + pad + "]"
    return inline(value)


def render(graph: Any) -> str:
    return _block(graph, 0)
