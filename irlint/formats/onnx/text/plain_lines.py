"""Nodes and values that are written as printers write them, read at once instead of token by token."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from irlint.formats.onnx.wire import ATTRIBUTE_NUMBERS, ATTRIBUTE_TYPES, ELEMENT_NUMBERS
from irlint.text.floats import rounded
from irlint.text.prototext.messages import Tree

_WORD = "[A-Za-z_][A-Za-z0-9_]*"
_NAME = rf'(?:{_WORD}|"[^"\\]*")'
_INT = "-?[0-9]{1,28}"
_DIM = rf"(?:{_INT}|{_WORD}|\?)"
_REAL = r"-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?"
_ATTRIBUTES = r'[^<>{}"@#]*(?:"[^"\\]*"[^<>{}"@#]*)*'
_NODE = re.compile(
    rf"(?:\[({_NAME})\] *)?({_NAME}(?:, *{_NAME})*) *= *({_WORD}(?:\.{_WORD})*) *"
    rf"(?:<({_ATTRIBUTES})> *)?\(({_NAME}(?:, *{_NAME})*|)\)"
    r"(?=[ \t\r\n]*[^ \t\r\n\v\f<#])",  # attributes may follow the inputs
    re.ASCII,
)
_VALUE = re.compile(rf"({_WORD})(?:\[({_DIM}(?:, *{_DIM})*)\] *| +)({_NAME})", re.ASCII)
_ATTRIBUTE = re.compile(
    rf"({_WORD}) *: *(?:int *= *(?P<int>{_INT})|float *= *(?P<float>{_REAL})|string *= *\"(?P<string>[^\"\\]*)\"|"
    rf"ints *= *\[(?P<ints>{_INT}(?:, *{_INT})*)\]|floats *= *\[(?P<floats>{_REAL}(?:, *{_REAL})*)\]) *(?:, *|\Z)",
    re.ASCII,
)
_NAMES = re.compile(_NAME, re.ASCII)


def node(text: str, start: int, stop: int) -> tuple[Tree, int] | None:
    """Return a node and where it ends; None if it has to be read with care."""
    match = _NODE.match(text, start, stop)
    if match is None or (attributes := _attributes(match[4] or "")) is None:
        return None
    found: Tree = {} if match[1] is None else {"name": _unquoted(match[1])}
    found["output"] = _names(match[2])
    domain, _, op = match[3].rpartition(".")
    if domain:
        found["domain"] = domain
    found["op_type"] = op
    if attributes:
        found["attribute"] = attributes
    if match[5]:
        found["input"] = _names(match[5])
    return found, match.end()


def value(text: str, start: int, stop: int) -> tuple[Tree, int] | None:
    """Return a value with the type of a tensor, and where it ends; None if it has to be read with care."""
    match = _VALUE.match(text, start, stop)
    if match is None or (number := ELEMENT_NUMBERS.get(match[1])) is None:
        return None
    shape: Tree = {} if match[2] is None else {"dim": [_dim(word.strip(" ")) for word in match[2].split(",")]}
    return {"name": _unquoted(match[3]), "type": {"tensor_type": {"elem_type": number, "shape": shape}}}, match.end()


def _names(text: str) -> list[str]:
    return [_unquoted(name) for name in _NAMES.findall(text)] if '"' in text else text.replace(" ", "").split(",")


def _unquoted(name: str) -> str:
    return name[1:-1] if name[0] == '"' else name


def _dim(word: str) -> Tree:
    if word == "?":
        return {}
    return {"dim_param": word} if word[0].isalpha() or word[0] == "_" else {"dim_value": int(word)}


def _attributes(text: str) -> list[Tree] | None:
    found: list[Tree] = []
    at = 0
    while at < len(text):
        match = _ATTRIBUTE.match(text, at)
        if match is None or (kind := match.lastgroup) is None:
            return None
        number = ATTRIBUTE_NUMBERS[kind]
        found.append({"name": match[1], ATTRIBUTE_TYPES[number][1]: _READERS[kind](match[kind]), "type": number})
        at = match.end()
    return found


def _single(text: str) -> float:
    return rounded(float(text))


_READERS: dict[str, Callable[[str], Any]] = {  # by the type of an attribute
    "int": int,
    "ints": lambda text: list(map(int, text.split(","))),
    "float": _single,
    "floats": lambda text: list(map(_single, text.split(","))),
    "string": lambda text: text.encode("utf-8", "surrogateescape"),
}
