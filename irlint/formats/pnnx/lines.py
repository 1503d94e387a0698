"""What pnnx reads line by line: the header, one operator a line, words that are separated by one space."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from irlint.codes import R, Severity
from irlint.findings import Fix, Problem
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.layers.document import LayerDocument


def line_problems(document: LayerDocument) -> Iterator[Problem]:
    """Report operators that are not on a line of their own, from the third line on."""
    rows = document.rows
    for which in ("layers", "blobs"):
        word = document.header.get(which)
        if word is not None and document.lines.position(word.start).line != 2:
            message = "expected both counts on the second line"
            yield Problem(R.syntax_error, Span(word.start, word.end), message)
            return
    if document.text.find(" \n") >= 0 or "\r" in document.text or "\t\n" in document.text:
        yield from _spaces(document)
    if not rows or document.troubles or (rows[-1].line == len(rows) + 1 and rows[-1].lines == 1):
        return
    line = 2
    for k, row in enumerate(rows):
        for blank in range(line, row.line):
            span = Span(document.lines.starts[blank], document.lines.starts[blank + 1])
            message = "blank line before the last operator; pnnx reads it as an operator without a type"
            yield Problem(R.syntax_error, span, message, fix=partial(_fixed, "Remove the line", (Edit(span, ""),)))
        if row.lines > 1:
            message = "an operator has to be on one line"
            yield Problem(R.syntax_error, Place((k,)), message, row.name)
        line = row.line + row.lines


def _spaces(document: LayerDocument) -> Iterator[Problem]:
    """Report the first line that ends with white space, which is one more parameter, without a name."""
    edits = []
    starts, text = document.lines.starts, document.text
    for row in document.rows:
        number = row.line + row.lines
        line = text[starts[number - 1] : starts[number] if number < len(starts) else len(text)].removesuffix("\n")
        if line != (kept := line.rstrip()):
            start = starts[number - 1]
            edits.append(Edit(Span(start + len(kept), start + len(line)), ""))
    if edits:
        message = "white space at the end of an operator's line, which pnnx reads as a parameter without a name"
        if len(edits) > 1:
            message += f" ({len(edits):,} lines)"
        start, end = edits[0].span
        is_line_end = text[start:end] == "\r"  # of Windows, in all lines
        fix = partial(_fixed, "Remove white space at the end of lines", tuple(edits))
        severity = Severity.WARNING if is_line_end else None
        yield Problem(R.syntax_error, edits[0].span, message, fix=fix, severity=severity)


def _fixed(title: str, edits: tuple[Edit, ...], document: Document) -> Fix:
    return Fix(title, edits)
