"""Comments that silence findings, below the last layer, where the runtime reads nothing.

`# irlint: ignore[R501]` is about the whole file, `# irlint: ignore[R501] conv1` about the layers of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.suppressions import Suppression, words_of
from irlint.text.base import Edit, Span
from irlint.text.layers.document import LayerDocument, LayerRow
from irlint.tools import later

_COMMENT = later(r"[ \t]*#[ \t]*irlint:[ \t]*ignore(?:\[(?P<words>[^\]\r\n]*)\])?(?P<rest>[^\r\n]*)")
_NAMESAKES = 16  # layers of one name that a comment is about: a limit for many comments on many layers
WHOLE = ""  # an anchor; all others are names of layers


def suppressions(document: LayerDocument) -> Iterator[Suppression]:
    if not document.rows or (document.count("layers") or 0) > len(document.rows):
        return  # the runtime takes the comment for a layer
    last, rows = document.rows[-1], dict[str, list[LayerRow]]()
    for row in document.rows:
        rows.setdefault(row.name, []).append(row)
    for start in document.lines.starts[last.line + last.lines :]:
        if (match := _COMMENT.match(document.text, start)) is not None:
            for first, end in _spoken_of(document, rows, match):
                yield Suppression(first, end + 1, words_of(match["words"]), Span(start, match.end()), True)


def _spoken_of(document: LayerDocument, rows: dict[str, list[LayerRow]], comment: re.Match[str]) -> list[Span]:
    """Return what a comment is about: the layers of a name, or the whole file."""
    rest = comment["rest"].strip()
    if not rest or rest.startswith(":"):
        return [Span(0, len(document.text))]
    name = rest.split()[0]
    namesakes = rows.get(name) or rows.get(name.removesuffix(":")) or []
    end = comment.end()
    return [*map(document.text_of, namesakes[:_NAMESAKES])] or [Span(end, end - 1)]  # without such a layer, nothing


class BelowIgnores:
    """Comments at the end of the file, one for each layer."""

    def anchor(self, document: LayerDocument, span: Span) -> str | None:
        if not document.rows or document.count("layers") != len(document.rows):
            return None  # the runtime would take the comment for a layer
        row = document.row(document.place_at(span.start).path)
        return WHOLE if row is None else row.name

    def is_whole(self, document: LayerDocument, anchor: str) -> bool:
        return anchor == WHOLE

    def edits(self, document: LayerDocument, anchor: str, order: str) -> tuple[Edit, ...]:
        codes, sign, reason = order.partition("]")
        comment = f"# irlint: {codes}{sign}{anchor and ' ' + anchor}{reason}"
        end, newline = len(document.text), document.newline
        line = f"{comment}{newline}" if document.text.endswith("\n") else f"{newline}{comment}"
        return (Edit(Span(end, end), line),)


def comment_edit(document: LayerDocument, span: Span, code: str) -> Edit | None:
    ignores = BelowIgnores()
    anchor = ignores.anchor(document, span)
    return None if anchor is None else ignores.edits(document, anchor, f"ignore[{code}]")[0]
