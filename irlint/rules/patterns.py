"""Patterns of configurations: a value, a glob or a comparison with a number."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from fnmatch import translate
from functools import lru_cache
from typing import Any

_COMPARISON = re.compile(r"\s*(<=|>=|!=|==|<|>)\s*([-+]?\d+(?:\.\d+)?)\s*")
_SIGN = re.compile(r"\s*(?:[<>]|[!=]=)")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
}
MORE = "..."

Patterns = tuple[str, ...]  # one of them has to match; `>= 3` compares numbers, anything else is a glob


def fits(patterns: Patterns, value: Any) -> bool:
    """Return whether a value matches one of the patterns; without patterns any value does."""
    return not patterns or matcher(patterns)(value)


@lru_cache(maxsize=1024)
def matcher(patterns: Patterns) -> Callable[[Any], bool]:
    """Return a function that matches a value against patterns."""
    tests = [_test(pattern) for pattern in patterns]
    return tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests)


@lru_cache(maxsize=1024)
def _test(pattern: str) -> Callable[[Any], bool]:
    """Return a function that matches a value against one pattern."""
    if comparison := _COMPARISON.fullmatch(pattern):
        compare, number = _COMPARE[comparison[1]], float(comparison[2])

        def compares(value: Any) -> bool:
            try:
                return compare(float(value), number)
            except (TypeError, ValueError, OverflowError):
                return False

        return compares
    is_like = re.compile(translate(pattern)).match

    def is_text(value: Any) -> bool:
        text = value if isinstance(value, str) else _text(value)
        return text == pattern or is_like(text) is not None  # "[3, 3]" is a value first, a set of letters second

    return is_text


def _text(value: Any) -> str:
    """Return a value as a configuration writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_text, value))}]"
    return str(value)


def has_shape(patterns: Sequence[str], shape: Sequence[Any]) -> bool:
    """Return whether a shape matches, dimension by dimension; an unknown one matches `*` and `?` only."""
    if patterns and patterns[-1] == MORE:
        patterns = patterns[:-1]
        if len(shape) < len(patterns):
            return False
    elif len(shape) != len(patterns):
        return False
    return all(_test(pattern)("?" if size is None else size) for pattern, size in zip(patterns, shape, strict=False))


def compares_no_number(pattern: Any) -> bool:
    """Return whether a pattern starts like a comparison, but is not a valid one."""
    return isinstance(pattern, str) and _SIGN.match(pattern) is not None and _COMPARISON.fullmatch(pattern) is None
