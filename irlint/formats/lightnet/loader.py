"""What LightNet's own JSON reader (cJSON behind a comment remover) takes and refuses."""

from __future__ import annotations

from irlint.resources import load_json
from irlint.text.json_options import JsonOptions

KEYS = (
    "ops", "mem_sizes_h", "mem_sizes_l", "name", "optype", "tensors_in", "tensors_out", "params", "arg_name", "value",
    "offset_h", "offset_l", "dims",
)  # fmt: skip

LOADER = JsonOptions(
    tolerated={
        "comment": "info",
        "control-character": "warning",
        "trailing-text": "warning",
        "byte-order-mark": "info",
        "invalid-utf8": "warning",
        "nul-character": "warning",
        "duplicate-key": "warning",
        "number-out-of-range": "warning",
        "unusual-number": "warning",
        "key-case": "warning",
    },
    duplicates="first",
    numbers=r"(?:-?[0-9]+\.?[0-9]*|-\.[0-9]+)(?:[eE][+-]?[0-9]+)?",
    longest_number=63,
    line_ends_in_strings=True,
    comments_see_escapes=False,
    blanks=frozenset(map(chr, range(1, 32))) - frozenset("\t\n\r"),
    nul_ends_text=True,
    nul_ends_string=True,
    folded_keys=frozenset(KEYS),
    max_depth=1000,
    schemas=lambda: [load_json("lightnet.schema.json")],
)
