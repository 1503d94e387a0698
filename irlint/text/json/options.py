"""Deviations of a format's own JSON parser from RFC 8259."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from irlint.codes import RuleRow
from irlint.records import dataclass, field
from irlint.text.base import Level

MAX_DEPTH = 1000


@dataclass(frozen=True)
class JsonOptions:
    """The behavior of one parser. The default is strict RFC 8259.

    `tolerated` says at which severity something is reported although the parser reads on, by the name of its rule: "comment",
    "control-character", "trailing-text", "byte-order-mark", "invalid-utf8", "lone-surrogate", "nul-character", "duplicate-key",
    "non-finite-number", "number-out-of-range", "unusual-number", "key-case", "truncated-file", "too-deep". What is not named
    there is reported at the rule's own severity; None means: not a word.
    """

    tolerated: Mapping[RuleRow, Level | None] = field(default_factory=dict)
    duplicates: Literal["first", "last"] = "last"  # which of equal keys the parser takes
    numbers: str = ""  # a regular expression of whole number tokens that it reads beyond JSON's own: "01", "1."
    longest_number: int = 0  # characters of a number token that it can read; 0: any
    escapes: str = '"\\/bfnrtu'  # letters that may follow a backslash
    line_ends_in_strings: bool = False  # whether tolerated control characters include line feed and carriage return
    comments_see_escapes: bool = True  # False: its comment remover takes \" for a string's end, and /*/ for a comment
    blanks: frozenset[str] = frozenset()  # characters besides JSON's four that it treats as whitespace
    nul_ends_text: bool = False  # a C string: the text ends at a NUL
    nul_ends_string: bool = False  # \u0000 cuts a string short
    folded_keys: frozenset[str] = frozenset()  # found in any letter case, read as spelled here
    fractions: bool = (
        True  # False: the format has whole numbers only, and JsonDocument.fractions says whether that holds
    )
    lines: bool = False  # JSON Lines: one value per line, read as one list
    max_depth: int = MAX_DEPTH
    schemas: Callable[[], Sequence[Any]] | None = (
        None  # JSON Schemas one of which a text satisfies: asked where it is broken
    )
    claims: Callable[[Any], bool] | None = (
        None  # whether a value may be a file of the format; a text of others is left unread
    )

    @cached_property
    def fold(self) -> dict[str, str]:
        return {key.lower(): key for key in self.folded_keys}

    @cached_property
    def number(self) -> re.Pattern[str] | None:
        return re.compile(self.numbers, re.ASCII) if self.numbers else None


STRICT = JsonOptions()
