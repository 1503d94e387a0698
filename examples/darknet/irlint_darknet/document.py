"""The syntax: `[TYPE]` begins a section, lines `KEY = VALUE` are its options, lines that begin with `#` or `;` are comments.

Darknet (read_cfg, read_option) takes all blanks out of a line before it reads it, and numbers up to what follows them: `12 # so`.
"""

from __future__ import annotations

import re
from typing import Any

from irlint.codes import R
from irlint.records import dataclass, field
from irlint.text.base import Edit, Span, Trouble
from irlint.text.spans import SpanDocument

LINE = re.compile(r"[^ \t\r\n\ufeff][^\r\n]*")
ITEM = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
MOST = 20_000  # sections; the largest model in use has 500


@dataclass
class CfgDocument(SpanDocument):
    """Paths: (k,) the k-th section, (k, "op") its type, (k, i) its i-th option, with "key" and "value", and (k, i, "value", j)."""

    options: list[list[str]] = field(default_factory=list)  # the names of each section's

    def __post_init__(self) -> None:
        for match in LINE.finditer(self.text):
            line, start = match[0].rstrip(), match.start()
            if line[0] == "[" and len(self.options) == MOST:
                self._trouble(start, line, f"more than {MOST} sections; the rest is not read")
                break
            if line[0] == "[":
                self._section(start, line)
            elif line[0] not in "#;":
                self._option(start, line)

    def _trouble(self, start: int, line: str, message: str, *edits: Edit, **how: Any) -> None:
        span = Span(start, start + len(line))
        self.troubles.append(Trouble(R.syntax_error, span, message, edits=(lambda: edits) if edits else None, **how))

    def _section(self, start: int, line: str) -> None:
        name, closing, rest = line[1:].partition("]")
        end = start + 1 + len(name)
        if not closing:
            self._trouble(start, line, "expected `]` after the type", Edit(Span(end, end), "]"), title="Insert `]`")
        elif rest:
            edit = Edit(Span(end + 1, start + len(line)), "")
            message = "text after `]`; Darknet takes it as part of the type"
            self._trouble(end + 1, rest, message, edit, title="Remove the text")
        if (k := len(self.options)) == 0 and name.strip() not in ("net", "network"):
            message = f"expected `[net]` as the first section, got `[{name[:40]}]`; Darknet refuses the file"
            self._trouble(start, line, message)
        self.options.append([])
        self.spans[k,], self.spans[k, "op"] = Span(start, end), Span(start + 1, end)

    def _option(self, start: int, line: str) -> None:
        key, value = (part.strip() for part in line.partition("#")[0].partition("=")[::2])
        if not self.options:
            self._trouble(start, line, "expected `[net]` before the first option; Darknet crashes")
        elif not key or not value:
            self._trouble(start, line, "expected `KEY = VALUE`; Darknet ignores the line", level="warning")
        else:
            k, i = len(self.options) - 1, len(self.options[-1])
            at = start + line.index(value, line.index("=") + 1)
            self.spans[k, i] = Span(start, at + len(value))
            self.spans[k, i, "key"] = Span(start, start + len(key))
            self.spans[k, i, "value"] = Span(at, at + len(value))
            for j, item in enumerate(ITEM.finditer(self.text, at, at + len(value))):
                self.spans[k, i, "value", j] = Span(*item.span())
            self.spans[k,] = Span(self.spans[k,].start, at + len(value))
            self.options[-1].append(key)
