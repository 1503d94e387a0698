"""Signatures: which shapes and element types of an operator's operands and outputs have to match.

    [N,K]/T [K]/T [*B,N]/int32|int64 S/T=real [1,*_] #2 -> [N]/T S/float32

Left of the arrow are operands, right of it outputs, each a shape, a slash and an element type; either may be left out.

    S                 any shape, the same for every S; _ is any
    [N,3,_]           a list of lengths: the same N everywhere, a number, any
    [N,*S]            ... with any number of lengths that are the same everywhere; *_ any, *S=1..3 one to three, *S=1.. at least one
    [3*N], [#S]       a multiple of N; how many lengths *S has (*#S: as many lengths, whatever they are)
    S[_,_,*_]         a list with a name
    [_]|[_,_]         one rank or the other
    ~R, ~R[_,*_]      shapes of one rank
    one, #4           a scalar or a list of one element; so many elements
    int32|int64       element types, or CLASSES of them; !string is all but one
    T, T=real         the same element type everywhere, and which; at an output judged after all operands
    wide:T            float32 where T is, else float64

A last word ... allows any number of operands like the one before. What begins with a small letter in a list ([heads*N], [*shape]) is an
attribute, or a length that the operator gives by name; @dtype is an element type that an attribute says, @dtype:float32 by default,
@dtype:int64=index of a class.

Operators name their operands, too, and which of them may be absent (see `Operator.inputs`):

    data:[N,C,*S]/T=floats scale:[C]/T bias?:[C]/T -> [N,C,*S]/T
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import cache

from irlint.dryrun.dtypes import FLOATS, INDEX, INTEGERS, NUMBERS
from irlint.records import NamedTuple

CLASSES: dict[str, Collection[str]] = {
    "real": ("float32", "float64", "float16"),
    "single": ("float32", "float64"),
    "wide": ("float32", "float64", "int8", "int32", "int64", "uint8", "bool"),  # all MXNet types except float16
    "number": ("float32", "float64", "float16", "int8", "int32", "int64", "uint8"),
    "floats": FLOATS,
    "integers": INTEGERS,
    "numbers": NUMBERS,
    "index": INDEX,
}
_IN_WORDS = {
    "floats": "a floating-point type",
    "integers": "an integer type",
    "numbers": "a numeric type",
    "index": "int32 or int64",
    "integers|bool": "an integer type or bool",
    "numbers|bool": "a numeric type or bool",
    "floats|bool": "a floating-point type or bool",
}

_MOST_LISTED = 4  # types that a message lists


class Pattern(NamedTuple):
    """One operand or output: `whole` names its shape, or `lengths` lists it, with `rest` for `least` to `most` of them at position
    `at`, or `size` is its number of elements; `letter` and `kinds` are its type. `others` are patterns for other ranks."""

    whole: str = ""
    lengths: tuple[int | str, ...] | None = None
    rest: str = ""
    least: int = 0
    most: float = math.inf
    at: int = 0
    size: int | None = None
    letter: str = ""
    kinds: tuple[str, ...] = ()
    kinds_in_words: str = ""
    wide: bool = False
    barred: str = ""
    default: str | None = None
    others: tuple[Pattern, ...] = ()
    is_typed: bool = False  # says something of the type
    is_shaped: bool = False  # says something of the shape
    terms: tuple[tuple[int, int | str], ...] = ()  # those lengths that are not any, with their places

    @property
    def ranks(self) -> str:
        listed = len(self.lengths or ())
        if not self.rest:
            return str(listed)
        return f"{listed + self.least} {'or higher' if self.most == math.inf else f'to {listed + self.most}'}"

    def fits(self, rank: int) -> bool:
        more = 0 if self.lengths is None else rank - len(self.lengths)
        return self.least <= more <= self.most if self.rest else more == 0


class Signature(NamedTuple):
    operands: tuple[Pattern, ...]
    results: tuple[Pattern, ...]
    letters: frozenset[str] = frozenset()  # that lengths of operands name
    goes_on: bool = False  # the last operand may be repeated
    alike_first: bool = False  # equal types are judged before the kinds of types

    def patterns(self, count: int) -> tuple[Pattern, ...]:
        """Return the patterns of at least so many operands, if there may be so many."""
        return self.operands + self.operands[-1:] * (count - len(self.operands)) if self.goes_on else self.operands


class Operands(NamedTuple):
    """What an operator says of its operands: their names and marks (? optional, + one or more, * any number), and a signature."""

    names: tuple[str, ...]
    marks: tuple[str, ...]
    signature: Signature


@cache
def parse(text: str) -> Signature:
    left, _, right = text.partition("->")
    words = left.split()
    goes_on = words[-1:] == ["..."]
    patterns = tuple(map(_pattern, words[:-1] if goes_on else words))
    return Signature(patterns, tuple(map(_pattern, right.split())), _letters(patterns), goes_on)


@cache
def declared(text: str) -> Operands:
    """Return what a declaration such as `data:[N,*S]/T axes?:[_]/index -> [N]/T` says."""
    left, _, right = text.partition("->")
    words = [word.partition(":") for word in left.split()]
    marks = tuple(name[-1] if name[-1] in "?+*" else "" for name, _, _ in words)
    patterns = tuple(_pattern(pattern) for _, _, pattern in words)
    results = tuple(map(_pattern, right.split()))
    goes_on = marks[-1:] in (("+",), ("*",))
    names = tuple(name.rstrip("?+*") for name, _, _ in words)
    return Operands(names, marks, Signature(patterns, results, _letters(patterns), goes_on, alike_first=True))


def _letters(patterns: Sequence[Pattern]) -> frozenset[str]:
    terms = (term for pattern in patterns for one in (pattern, *pattern.others) for _, term in one.terms)
    return frozenset(part for term in terms if isinstance(term, str) for part in term.split("*"))


def _pattern(word: str) -> Pattern:
    shape, _, kind = word.partition("/")
    wide = kind.startswith("wide:")
    letter, _, names = kind.removeprefix("wide:").partition("=")
    default = None
    if letter.startswith("@"):
        letter, _, default = letter.partition(":")
    elif not letter[:1].isupper():
        letter, names = "", letter
    if names.startswith("!"):
        return Pattern(barred=names[1:], is_typed=True)
    kinds = tuple(name for part in names.split("|") if part for name in CLASSES.get(part, (part,)))
    listed = " or ".join(kinds) if len(kinds) <= _MOST_LISTED else ""
    typed = Pattern(letter=letter, kinds=kinds, wide=wide, kinds_in_words=_IN_WORDS.get(names, listed), default=default)
    first, *others = (_shaped(typed, one) for one in shape.split("|"))
    is_shaped = first.whole != "" or first.lengths is not None or first.size is not None
    return first._replace(others=tuple(others), is_typed=bool(letter or kinds), is_shaped=is_shaped)


def _shaped(typed: Pattern, shape: str) -> Pattern:
    if shape.startswith("#"):
        return typed._replace(size=int(shape[1:]))
    whole, mark, inside = shape.partition("[")
    typed = typed._replace(whole="" if whole == "_" else whole)
    if not mark:
        return typed
    parts = [part for part in inside[:-1].split(",") if part]
    at = next((k for k, part in enumerate(parts) if part[0] == "*"), None)
    rest, _, many = ("" if at is None else parts.pop(at)[1:]).partition("=")
    lengths = tuple(int(part) if part.isdigit() else part for part in parts)
    terms = tuple((k, length) for k, length in enumerate(lengths) if length != "_")
    typed = typed._replace(lengths=lengths, terms=terms, rest=rest, at=len(parts) if at is None else at)
    if not many:
        return typed
    least, most = many.split("..")
    return typed._replace(least=int(least), most=int(most) if most else math.inf)
