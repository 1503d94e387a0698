"""Lists of expressions over sizes of inputs, in prefix notation: `/(0w,2),*(1h,2),-1`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

_BITS = 63  # no size has more
_SIZE = re.compile(r"([0-9])([whdcn])")
_BINARY: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: math.trunc(a / b) if isinstance(a, int) and isinstance(b, int) else float(a // b),
    "/": lambda a, b: a / b,
    "max": max,
    "min": min,
    "pow": lambda a, b: float(a) ** b,
    "fmod": math.fmod,
    "remainder": lambda a, b: math.fmod(a, b) + (b if a * b < 0 else 0),
    "atan2": math.atan2,
    "logaddexp": lambda a, b: max(a, b) + math.log1p(math.exp(-abs(a - b))),
    "and": lambda a, b: int(a) & int(b),
    "or": lambda a, b: int(a) | int(b),
    "xor": lambda a, b: int(a) ^ int(b),
    "lshift": lambda a, b: int(a) * 2 ** _within(int(b), _BITS),
    "rshift": lambda a, b: int(a) >> int(b),
}
_UNARY: dict[str, Callable[[float], float]] = {
    "abs": abs,
    "neg": lambda a: -a,
    "sign": lambda a: (a > 0) - (a < 0),
    "square": lambda a: a * a,
    "trunc": math.trunc,
    "ceil": math.ceil,
    "floor": math.floor,
    "round": lambda a: math.floor(abs(a) + 0.5) * (1 if a >= 0 else -1),
    "sqrt": math.sqrt,
    "rsqrt": lambda a: 1 / math.sqrt(a),
    "reciprocal": lambda a: 1 / a,
    **{
        name: getattr(math, name)
        for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "exp")
    },
    **{name: getattr(math, name) for name in ("log", "log10", "sin", "sinh", "tan", "tanh")},
}
_NUMBER = re.compile(r"\s*(?![+-]?0[xX])([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")


def sizes(text: str, shapes: Sequence[Sequence[int]]) -> list[int]:
    """Return the numbers of a list, cut to integers; raise ValueError where it has none."""
    try:
        return _numbers(text, shapes)
    except (ArithmeticError, IndexError, ValueError) as error:
        raise ValueError(f"cannot compute the sizes of `{text}`") from error


def _numbers(text: str, shapes: Sequence[Sequence[int]]) -> list[int]:
    stack: list[float] = []
    for token in reversed(re.findall(r"[^(),]+", text)):
        if (size := _SIZE.fullmatch(token)) is not None:
            stack.append(_size(shapes[int(size[1])], size[2]))
        elif token in _BINARY:
            stack.append(_BINARY[token](stack.pop(), stack.pop()))
        elif token in _UNARY:
            stack.append(_UNARY[token](stack.pop()))
        else:
            stack.append(_literal(token))
        _within(stack[-1], 1 << _BITS)
    return [int(number) for number in reversed(stack)]


def _within(number: Any, limit: int) -> Any:
    """Return a number of at most so much; raise OverflowError for others, as expressions can double their length at each step."""
    if abs(number) > limit:
        raise OverflowError
    return number


def _literal(token: str) -> float:
    """Return the number that a token begins with: loaders read no further, so that ` 0h` is 0."""
    if (match := _NUMBER.match(token)) is None:
        raise ValueError(token)
    number = float(match[1])
    return int(number) if number.is_integer() else number


def _size(shape: Sequence[int], name: str) -> int:
    names = {1: "w", 2: "hw", 3: "chw", 4: "cdhw"}[len(shape)]
    return shape[names.index(name)] if name in names else 1
