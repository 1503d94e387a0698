"""Tells LightNet's JSON IR from other files, and from those that LightNet's own tools use beside it."""

from __future__ import annotations

import re
from typing import Any

from irlint.formats.base import Head, Recognition
from irlint.formats.lightnet.architectures import ARCHITECTURES
from irlint.text.base import Document
from irlint.text.patterns import later

_OP_KEYS = later(r'"(?:optype|tensors_in|tensors_out)"\s*:', re.IGNORECASE)
_OPS = later(r'"ops"\s*:', re.IGNORECASE)
_RULES = later(r'"rules"\s*:\s*\[')
_OF_RULES = later(r'"(?:cond|replace|details)"\s*:')
_DESCRIPTION = later(r'"(?:mtype|ptype|realtype)"\s*:')
_MODEL = later(r'"arg_name"\s*:\s*"[^"]*"\s*,\s*"(?:name|value)"\s*:')
_LANGUAGE = later(r"^[ \t]*\w+\s*\([^()|{}]*\|[^()|]*\|", re.MULTILINE)
_OPERATOR_LANGUAGE = later(r"^[ \t]*(?:optype|tensors_in|params)\s*:", re.MULTILINE)
_OPERATOR = frozenset({"name", "optype", "tensors_in", "tensors_out", "params"})
_TOP = frozenset({"ops", "mem_sizes_h", "mem_sizes_l"})


def recognize(head: Head) -> Recognition | None:
    text = head.text
    lowered = text.lower()  # looking for words is ten times as fast as the expressions, and foreign files hold none
    if not any(word in lowered for word in ("optype", "tensors_in", "tensors_out")) or not _OP_KEYS.search(text):
        return _beside(head, '"ops"' in lowered)
    if (rules := _RULES.search(text)) and _OF_RULES.search(text, rules.end()) and not _MODEL.search(text):
        return Recognition(0, "it is a LightNet expander description (rules for a compile target), not a model")
    if _DESCRIPTION.search(text) and not _MODEL.search(text):
        return Recognition(0, "it is a LightNet operator description, from which code is made, not a model")
    if head.is_prose(".json", ("{", "[", "//", "/*")):
        return Recognition(0, "it is text with parts of a LightNet model in it")
    return Recognition(3, "operators with an optype and tensors_in")


def _beside(head: Head, mentions_ops: bool) -> Recognition | None:
    """Files without a single operator of the IR."""
    if head.name.endswith(".op") and _OPERATOR_LANGUAGE.search(head.text):
        return Recognition(0, "it is a LightNet operator description (.op), from which code is made, not a model")
    if head.name.endswith(".net") and _LANGUAGE.search(head.text):
        return Recognition(0, "it is a model in LightNet's intermediate language (.net); il2json makes JSON of it")
    if mentions_ops and _OPS.search(head.text):
        return Recognition(1, "a key 'ops'")
    return None


def dialect_of(document: Document) -> Recognition | None:
    from irlint.text.json import JsonDocument

    assert isinstance(document, JsonDocument)
    value = document.value
    if isinstance(value, dict):
        ops = value.get("ops")
        if not isinstance(ops, list):
            has_operators = any(isinstance(v, list) and any(map(_is_operator, v[:3])) for v in value.values())
            known = "ops" in value or has_operators or bool(document.damaged)
            return Recognition(2, "operators under another key", "source") if known else None
        if ops and not any(map(_is_operator, ops[:50])) and not document.damaged:
            if not value.keys() <= _TOP or not any(map(_resembles_operator, ops[:50])):
                return None
        return Recognition(3, "a list of operators", "compiled" if is_compiled(value) else "source")
    if isinstance(value, list) and any(map(_is_operator, value[:3])):
        return Recognition(2, "a bare list of operators", "source")
    return None


def _is_operator(value: Any) -> bool:
    return isinstance(value, dict) and ("optype" in value or "tensors_in" in value or "tensors_out" in value)


def _resembles_operator(value: Any) -> bool:
    """Other people's operations, as those of an editor's changes, share no more than a name with one of LightNet."""
    return isinstance(value, dict) and len({key.lower() for key in value} & _OPERATOR) > 1


def is_compiled(value: dict[str, Any]) -> bool:
    """Whether this is what LightNet writes: words with a target's suffix, and memory that has been planned."""
    if "mem_sizes_l" not in value and "mem_sizes_h" not in value:
        return False
    suffixes = tuple(f"_{name}" for name in ARCHITECTURES)
    words = [op.get("optype") for op in value["ops"] if isinstance(op, dict)]
    return sum(isinstance(word, str) and word.endswith(suffixes) for word in words) * 2 > len(words)
