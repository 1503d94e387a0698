"""Expressions of pnnx: calls of functions, inputs as `@0`, numbers and words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.checks.fault import Fault, asking
from irlint.codes import R, Severity
from irlint.formats.pnnx.values import LITERAL, NUMERIC, slip
from irlint.operators import nearest, table
from irlint.text.numbers import integer

_TOKENS = re.compile(r"[^(),\[\]]+|[(),\[\]]")
_INPUT = re.compile(r"@[0-9]+")
_CORRECTED = 8  # unknown words of an expression that are corrected: each correction is the whole expression


def expression_slips(text: str, inputs: int) -> Iterator[Fault]:
    """Yield what is wrong with an expression. pnnx reads its words from the end, whatever the brackets are."""
    words = _TOKENS.findall(text)
    stack = _Stack(text, inputs)
    for k in range(len(words) - 1, -1, -1):
        if words[k] not in "(),]":
            yield from stack.read(words[k], words[k + 1 : k + 2] == ["("])
    if not _are_matched(words):
        message = "brackets in `expr` do not match; pnnx does not look at them"
        yield slip(R.syntax_error, message, severity=Severity.WARNING)
    if stack.is_known and not text.startswith("[") and stack.size != 1:
        message = f"expected one value of `expr`, got {stack.size}; pnnx takes the first"
        yield slip(R.wrong_value_length, message)


def _are_matched(words: list[str]) -> bool:
    opened: list[str] = []
    for word in words:
        if word in "([":
            opened.append(word)
        elif word in ")]" and (not opened or opened.pop() + word not in ("()", "[]")):
            return False
    return not opened


class _Stack:
    """The values that pnnx has made of the words that it has read."""

    def __init__(self, text: str, inputs: int) -> None:
        functions = table("pnnx").raw["functions"]
        self.arguments = {name: number for number in (1, 2) for name in functions[str(number)]} | {"size": 1}
        self.text, self.inputs = text, inputs
        self.size = 0
        self.is_known = True  # False: how many arguments a function takes is not known
        self.told: set[tuple[str, bool]] = set()  # each word is reported once

    def read(self, word: str, is_function: bool) -> Iterator[Fault]:
        needs = self.arguments.get(word)
        if word == "[":
            self.size = 1
        elif needs is not None:
            if self.size < needs:
                message = f"expected {needs} arguments of `{word}` in `expr`, got {self.size}; pnnx aborts"
                yield slip(R.syntax_error, message)
            is_index = word == "size" and self.size > 1  # size(@0,1) takes two
            self.size = self.size - 1 if is_index else max(self.size - needs, 0) + 1
        else:
            self.size += 1
            yield from self._input(word) if word.startswith("@") else self._other(word, is_function)

    def _input(self, word: str) -> Iterator[Fault]:
        if not _INPUT.fullmatch(word) or integer(word[1:]) >= self.inputs:
            message = f"`{word}` in `expr`: the operator has no such input; it has {self.inputs}"
            yield slip(R.index_out_of_range, message)

    def _other(self, word: str, is_function: bool) -> Iterator[Fault]:
        self.is_known &= not is_function
        if (word, is_function) in self.told or (not is_function and LITERAL.fullmatch(word)):
            return
        self.told.add((word, is_function))
        is_corrected = is_function and len(self.told) <= _CORRECTED
        close = nearest(word, tuple(self.arguments)) if is_corrected else None
        what = "number" if NUMERIC.match(word) else "function" if is_function else "word"
        meant = self.text.replace(f"{word}(", f"{close}(") if close else None
        severity = Severity.WARNING if what == "word" and word.isidentifier() else None
        fault = slip(R.unknown_operator, f"unknown {what} `{word}` in `expr`", None, meant, severity)
        yield fault._replace(meant=close, hint=asking(close))
