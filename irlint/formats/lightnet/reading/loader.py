"""What LightNet's own JSON reader (cJSON behind a comment remover) takes and refuses; comments that silence findings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from irlint.formats.lightnet.reading.evidence import SAMPLE, kind_of
from irlint.formats.lightnet.rules import R
from irlint.suppressions import Suppression, of_comments
from irlint.text.base import Document, Span
from irlint.text.json.options import JsonOptions
from irlint.tools.installed import load_json

KEYS = (
    "ops", "mem_sizes_h", "mem_sizes_l", "name", "optype", "tensors_in", "tensors_out", "params", "arg_name", "value",
    "offset_h", "offset_l", "dims",
)  # fmt: skip

_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<comment>//[^\n]*|/\*.*?\*/)', re.DOTALL)
_ORDER = re.compile(r"irlint:\s*ignore(?:\[([^\]]*)\])?")

_SEEN = 4  # levels of values that tell whether a file is LightNet's: file, list, operator and what is in it


def _folded(value: Any, levels: int) -> Any:
    """Return a value with the keys that the reader finds in any letter case; of lists, as much as decides."""
    if levels and isinstance(value, list):
        return [_folded(found, levels - 1) for found in value[:SAMPLE]]
    if levels and isinstance(value, dict):
        return {LOADER.fold.get(key.lower(), key): _folded(found, levels - 1) for key, found in value.items()}
    return value


LOADER = JsonOptions(
    tolerated={
        R.comment: "info",
        R.control_character: "warning",
        R.trailing_text: "warning",
        R.byte_order_mark: "info",
        R.invalid_utf8: "warning",
        R.nul_character: "warning",
        R.duplicate_key: "warning",
        R.number_out_of_range: "warning",
        R.unusual_number: "warning",
        R.key_case: "warning",
    },
    duplicates="first",
    numbers=r"(?:-?[0-9]+(?:\.[0-9]*)?|-\.[0-9]+)(?:[eE][+-]?[0-9]+)?",
    longest_number=63,
    line_ends_in_strings=True,
    comments_see_escapes=False,
    blanks=frozenset(map(chr, range(1, 32))) - frozenset("\t\n\r"),
    nul_ends_text=True,
    nul_ends_string=True,
    folded_keys=frozenset(KEYS),
    max_depth=1000,
    schemas=lambda: [load_json("lightnet.schema.json")],
    claims=lambda value: kind_of(_folded(value, _SEEN)) is not None,
)


def suppressions(document: Document) -> Iterator[Suppression]:
    """Yield what comments silence: // irlint: ignore[R001], on the line or alone on the line before."""
    if "irlint:" in document.text:
        yield from of_comments(document, _orders(document.text))


def _orders(text: str) -> Iterator[tuple[Span, str | None]]:
    for token in _TOKENS.finditer(text):
        if token["comment"] and (order := _ORDER.search(token["comment"])):
            yield Span(*token.span()), order[1]
