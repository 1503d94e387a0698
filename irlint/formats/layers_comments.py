"""Comments that silence findings, below the last layer, where the runtime reads nothing.

`# irlint: ignore[R501]` is about the whole file, `# irlint: ignore[R501] conv1` about the layers of that name.
"""

from __future__ import annotations

from collections.abc import Iterator

from irlint.suppressions import Suppression, words_of
from irlint.text.base import Edit, Span
from irlint.text.layers.document import LayerDocument, LayerRow
from irlint.text.patterns import later

_COMMENT = later(r"[ \t]*#[ \t]*irlint:[ \t]*ignore(?:\[(?P<words>[^\]\r\n]*)\])?(?P<rest>[^\r\n]*)")
_NAMESAKES = 16  # layers of one name that a comment is about: a limit for many comments on many layers
WHOLE = ""  # an anchor; all others are names of layers


def suppressions(document: LayerDocument) -> Iterator[Suppression]:
    if not document.rows or (document.count("layers") or 0) > len(document.rows):
        return  # the runtime takes the comment for a layer
    starts, text = document.lines.starts, document.text
    last = document.rows[-1]
    rows: dict[str, list[LayerRow]] = {}
    for row in document.rows:
        rows.setdefault(row.name, []).append(row)
    for start in starts[last.line + last.lines :]:
        if (match := _COMMENT.match(text, start)) is None:
            continue
        words, at = words_of(match["words"]), Span(start, match.end())
        rest = match["rest"].strip()
        if not rest or rest.startswith(":"):
            yield Suppression(0, len(text) + 1, words, at, True)
            continue
        name = rest.split()[0]
        namesakes = rows.get(name) or rows.get(name.removesuffix(":")) or []
        spans = map(document.text_of, namesakes[:_NAMESAKES])
        for span in [*spans] or [Span(at.end, at.end - 1)]:  # without such a layer, of nothing
            yield Suppression(span.start, span.end + 1, words, at, True)


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
