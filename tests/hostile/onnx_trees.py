"""ONNX models with very much of one thing, in each of the three forms of protobuf: binary, JSON and text.

The families of empty messages and values are made from the schema: one for each field that may be repeated.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole
from irlint.text.prototext.messages import BYTES, DOUBLE, FLOAT, MESSAGE, STRING, Field, Message
from tests.hostile.family import Family

Tree = dict[str, Any]
FAMILIES: dict[str, Family] = {}

_TYPE = {"tensor_type": {"elem_type": 1, "shape": {"dim": [{"dim_value": 2}]}}}


def model(**graph: Any) -> Tree:
    """Return a small model with other parts of its graph."""
    usual = {
        "node": [{"input": ["y0"], "output": ["out"], "op_type": "Relu"}],
        "name": "g",
        "input": [{"name": "y0", "type": _TYPE}],
        "output": [{"name": "out", "type": _TYPE}],
    }
    return {"ir_version": 9, "graph": {**usual, **graph}, "opset_import": [{"domain": "", "version": 17}]}


# -- the three forms ---------------------------------------------------------------------------------------------------


def binary(tree: Tree) -> bytes:
    return whole(MODEL, tree)


def as_json(tree: Tree) -> str:
    return json.dumps(_json(MODEL, tree))


def _json(message: Message, tree: Tree) -> Tree:
    return {_camel(key): _json_value(message.fields[key], value) for key, value in tree.items()}


def _camel(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _json_value(field: Field, value: Any) -> Any:
    if isinstance(value, list):
        return [_json_value(field, one) for one in value]
    if field.message is not None:
        return _json(field.message, value)
    return b64encode(value).decode() if isinstance(value, bytes) else value


def prototext(tree: Tree) -> str:
    return "".join(_lines(MODEL, tree))


def _lines(message: Message, tree: Tree, indent: str = "") -> Iterator[str]:
    for key, value in tree.items():
        field = message.fields[key]
        for one in value if isinstance(value, list) else [value]:
            if field.message is not None:
                yield f"{indent}{key} {{\n"
                yield from _lines(field.message, one, indent + " ")
                yield f"{indent}}}\n"
            else:
                text = one.decode() if isinstance(one, bytes) else one
                yield f"{indent}{key}: {json.dumps(text) if isinstance(text, str) else text}\n"


_FORMS: dict[str, Callable[[Tree], str | bytes]] = {"binary": binary, "json": as_json, "prototext": prototext}


def add_to(families: dict[str, Family], name: str, tree: Callable[[int], Tree], size: int = 500) -> None:
    """Add a family in each form."""
    for form, write in _FORMS.items():
        families[f"onnx {form}, {name}"] = Family("onnx", partial(_written, write, tree), size)


def _written(write: Callable[[Tree], str | bytes], tree: Callable[[int], Tree], size: int) -> str | bytes:
    return write(tree(size))


# -- many of each field that may be repeated ---------------------------------------------------------------------------

_EMPTY = {MESSAGE: dict, STRING: str, BYTES: bytes, FLOAT: float, DOUBLE: float}


def _repeated() -> Iterator[tuple[Field, ...]]:
    """Yield the shortest way from a model to each field that may be repeated."""
    seen, ways = {MODEL}, list[tuple[Field, ...]]([()])
    for way in ways:
        message = MODEL if not way else way[-1].message
        assert message is not None
        for field in message.fields.values():
            if field.many:
                yield (*way, field)
            if field.message is not None and field.message not in seen:
                seen.add(field.message)
                ways.append((*way, field))


def _filled(way: tuple[Field, ...], size: int) -> Tree:
    tree = model()
    inner: Any = tree
    for field in way[:-1]:
        if field.many:
            inner = inner.setdefault(field.name, [])
            if not inner:
                inner.append({})
            inner = inner[0]
        else:
            inner = inner.setdefault(field.name, {})
    last = way[-1]
    inner[last.name] = [_EMPTY.get(last.kind, int)() for _ in range(size)]
    return tree


for _way in _repeated():
    add_to(FAMILIES, f"many {'.'.join(field.name for field in _way)}", partial(_filled, _way))
