"""What ids of parameters do to readers."""

from __future__ import annotations

from irlint.formats.ncnn.rules import R
from irlint.rules.advisories import Advisory

ADVISORIES = (
    Advisory(
        R.unknown_attribute,
        (787,),
        "ncnn before commit 5a0288f2 (2026) writes outside of its memory where the id of a parameter is negative and marks no array",
        "CVE-2026-50144",
        token=r"^-0*(?:[1-9]\d{0,3}|1\d{4}|2[0-2]\d{3}|23[0-2]\d\d)$",
    ),
)
