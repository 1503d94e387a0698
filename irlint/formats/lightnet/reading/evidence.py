"""Tells LightNet's JSON IR from other files, and from those that LightNet's own tools use beside it."""

from __future__ import annotations

import re
from typing import Any

from irlint.formats.base import CERTAIN, FOREIGN, LIKELY, Head, Recognition
from irlint.text.base import Document
from irlint.tools import later

ARCHITECTURES = (
    "cpu",
    "cuda",
    "cudnn",
    "tensorrt",
    "dpu",
)  # what LightNet compiles for: words of compiled files end with one
SUFFIXES = tuple(f"_{name}" for name in ARCHITECTURES)

_OP_KEYS = later(r'"(?:optype|tensors_in|tensors_out)"\s*:', re.IGNORECASE)
_TYPED_NAME = later(r'"optype"\s*:\s*"', re.IGNORECASE)
_TYPED_TENSORS = later(r'"tensors_(?:in|out)"\s*:\s*\[\s*[\]{]', re.IGNORECASE)
_OPS = later(r'"ops"\s*:', re.IGNORECASE)
_RULES = later(r'"rules"\s*:\s*\[')
_OF_RULES = later(r'"(?:cond|replace|details)"\s*:')
_DESCRIPTION = later(r'"(?:mtype|ptype|realtype)"\s*:')
_MODEL = later(r'"arg_name"\s*:\s*"[^"]*"\s*,\s*"(?:name|value)"\s*:')
_WORDS = ("optype", "tensors_in", "tensors_out")
_OPERATOR = frozenset({"name", "params", *_WORDS})
_PLAN = frozenset({"mem_sizes_h", "mem_sizes_l"})
_TOP = _PLAN | {"ops"}
SAMPLE = 50  # as many operators decide


# LightNet's other languages: the extension, what is in such a file, and what it is
_LANGUAGES = (
    (
        ".op", later(r"^[ \t]*(?:optype|tensors_in|params)\s*:", re.MULTILINE),
        "it is a LightNet operator description (.op, for code generation), not a model",
    ),
    (
        ".net", later(r"^[ \t]*\w+\s*\([^()|{}]*\|[^()|]*\|", re.MULTILINE),
        "it is a model in LightNet's intermediate language (.net); il2json converts it to JSON",
    ),
)  # fmt: skip


def recognize(head: Head) -> Recognition | None:
    text = head.text
    lowered = text.lower()  # looking for words is ten times as fast as the expressions, and foreign files hold none
    if not any(word in lowered for word in _WORDS) or not _OP_KEYS.search(text):
        return _without_operators(head, '"ops"' in lowered)
    if not _MODEL.search(text):
        if (rules := _RULES.search(text)) and _OF_RULES.search(text, rules.end()):
            return Recognition(0, "it is a LightNet expander description (rules for a compile target), not a model")
        if _DESCRIPTION.search(text):
            return Recognition(0, "it is a LightNet operator description (for code generation), not a model")
    if head.is_prose(".json", ("{", "[", "//", "/*")):
        return Recognition(0, "it contains parts of a LightNet model")
    is_typed = '"arg_name"' in lowered and _TYPED_NAME.search(text) and _TYPED_TENSORS.search(text)
    return Recognition(CERTAIN if is_typed else LIKELY, "operators with `optype` and `tensors_in`")


def _without_operators(head: Head, mentions_ops: bool) -> Recognition | None:
    for extension, language, why in _LANGUAGES:
        if head.name.endswith(extension) and language.search(head.text):
            return Recognition(0, why)
    return Recognition(1, "a key `ops`") if mentions_ops and _OPS.search(head.text) else None


def dialect_of(document: Document) -> Recognition | None:
    from irlint.text.json.document import JsonDocument

    assert isinstance(document, JsonDocument)
    return kind_of(document.value)


def kind_of(value: Any) -> Recognition | None:
    """Return the dialect of a JSON value; None if it is not LightNet's."""
    if isinstance(value, list):
        return Recognition(LIKELY, "a bare list of operators", "source") if _operators(value) else None
    if not isinstance(value, dict):
        return None
    if isinstance(ops := value.get("ops"), list):
        dialect = "compiled" if is_compiled(value) else "source"
        score = _weigh(value, ops)
        return Recognition(score, "a list of operators", dialect) if score else None
    if any(map(_operators, value.values())):
        return Recognition(LIKELY, "operators under another key", "source")
    return Recognition(LIKELY, "a memory plan", "source") if value and value.keys() <= _PLAN else None


def _weigh(value: dict[str, Any], ops: list[Any]) -> int:
    """Return the score of a list `ops`: other programs have lists of operations, of words or of numbers."""
    sample = ops[:SAMPLE]
    if _operators(sample) * 2 >= len(sample) > 0:
        return CERTAIN
    bare = value.keys() <= _TOP and (not ops or any(map(_resembles_operator, sample)))
    named = any(isinstance(op, dict) and {"optype", "name"} <= op.keys() for op in sample)
    return LIKELY if bare or named or _operators(sample) else FOREIGN


def _operators(found: Any) -> int:
    """Return how many operators a value holds, as far as its beginning shows."""
    if isinstance(found, dict):
        found = [found, *found.values()]
    return sum(map(_is_operator, found[:SAMPLE])) if isinstance(found, list) else 0


def _is_operator(value: Any) -> bool:
    """Whether this has a list of tensors and another key of an operator; a field of a data set may have an `optype`, too."""
    if not isinstance(value, dict) or len(value.keys() & _OPERATOR) < 2:
        return False
    return list in (type(value.get("tensors_in")), type(value.get("tensors_out")))


def _resembles_operator(value: Any) -> bool:
    """Whether this may be an operator without tensors; other people's operations have a name and other parameters."""
    if not isinstance(value, dict) or len({key.lower() for key in value} & _OPERATOR) < 2:
        return False
    params = value.get("params", [])
    return isinstance(params, list) and all(isinstance(param, dict) and "arg_name" in param for param in params)


def is_compiled(value: dict[str, Any]) -> bool:
    """Whether this is what LightNet writes: words with a target's suffix, and memory that has been planned."""
    if _PLAN.isdisjoint(value):
        return False
    words = [str(op.get("optype")) for op in value["ops"] if isinstance(op, dict)]
    return sum(word.endswith(SUFFIXES) for word in words) * 2 > len(words)
