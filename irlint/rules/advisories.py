"""What findings have to do with security: weaknesses (CWE) and published vulnerabilities (CVE) of readers, by rule and format.

A row says what a file with such a finding does to a reader that is not fixed. Rows of one format are in its folder, in `advisories.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from irlint.codes import R, RuleRow
from irlint.records import NamedTuple

_FORMATS = Path(__file__).resolve().parent.parent / "formats"


class Advisory(NamedTuple):
    """A row of a table of advisories."""

    rule: RuleRow
    cwe: tuple[int, ...]
    says: str  # in one line of Markdown, with the versions that are affected
    cve: str = ""  # empty: the weakness has no number of its own
    pointer: str = ""  # what the pointer of a finding contains, if only findings at such a place count
    token: str = ""  # a pattern of the text of a finding, if only those count

    @property
    def weaknesses(self) -> list[str]:
        return [f"CWE-{number}" for number in self.cwe]

    @property
    def url(self) -> str:
        """Return the address of what is published about it."""
        if self.cve:
            return f"https://nvd.nist.gov/vuln/detail/{self.cve}"
        return f"https://cwe.mitre.org/data/definitions/{self.cwe[0]}.html"


# Of any format
ADVISORIES = (
    Advisory(
        R.document_type,
        (611, 776),
        "a reader of XML that expands entities reads other files or requests URLs, or runs out of memory",
    ),
    Advisory(R.unsafe_path, (22, 59), "a reader that opens the file as weights gives its content to the model"),
)


@cache
def _table() -> tuple[tuple[str, Advisory], ...]:
    """Return all rows with their format, which is empty for any; those of any format first."""
    found = [("", row) for row in ADVISORIES]
    for path in sorted(_FORMATS.glob("*/advisories.py")):
        name = path.parent.name
        found += [(name, row) for row in import_module(f"irlint.formats.{name}.advisories").ADVISORIES]
    return tuple(found)


def of_rule(code: str) -> list[tuple[str, Advisory]]:
    """Return the rows of a rule, each with its format."""
    return [(name, row) for name, row in _table() if row.rule.code == code]


def of_finding(code: str, format: str | None, pointer: str | None, token: str) -> Iterator[Advisory]:
    """Yield the rows that hold for a finding with this pointer and text."""
    for name, row in of_rule(code):
        if name in ("", format) and row.pointer in (pointer or "") and re.search(row.token, token):
            yield row


def markdown(code: str) -> str:
    """Return a list of what is known of a rule's findings; empty if nothing is."""
    return "\n".join(f"- {_head(name, row)}: {row.says}." for name, row in of_rule(code))


def _head(name: str, row: Advisory) -> str:
    weaknesses = ", ".join(row.weaknesses)
    return (f"[{row.cve}]({row.url}) ({weaknesses})" if row.cve else weaknesses) + (f", in {name}" if name else "")


def as_json(code: str) -> list[dict[str, object]]:
    return [
        {"cve": row.cve or None, "cwe": row.weaknesses, "format": name or None, "summary": row.says, "url": row.url}
        for name, row in of_rule(code)
    ]
