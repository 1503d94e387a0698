"""Glacier: flat listings of a model's calls, and the events that measure them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from irlint.findings import Candidate, Finding, Problem
from irlint.formats.base import CERTAIN, FOREIGN, LIKELY, Dialect, Format, Head, Recognition
from irlint.formats.glacier.rules import R
from irlint.rules.base import Model
from irlint.suppressions import Suppression, of_comments
from irlint.text.base import Document
from irlint.tools import later
from irlint.tools.installed import load_json

if TYPE_CHECKING:
    from irlint.dryrun.mapping import Mapping
    from irlint.formats.glacier.sessions import GlacierState
    from irlint.settings.ignores import Ignores
    from irlint.text.listing.document import ListingDocument

_ROW = later(r"^[ \t]*([0-9]+)[ \t]+[A-Za-z_%@][^\s\[\]'\",]*[ \t]*\[[^\r\n]*$", re.MULTILINE)
_INPUTS = later(r"[ \t]*(?P<id>[0-9]+)(?![0-9])[^\[]*\[[ \t]*%?(?:(?P<input>[0-9]+(?=[ \t]*[,\]])|['\"]))")
_NEARLY = later(r"^[ \t]*(?:[0-9]+[ \t]+[A-Za-z_]|(?:[0-9]+[ \t]*)?[a-z_][a-z0-9_.]*[ \t]+\[)[^\r\n]*$", re.MULTILINE)
_KEY = later(r"""(["'])(?:node_?id|nid|id)\1[ \t\r\n]*:""", re.IGNORECASE)
_EXACT = later(r"""(["'])nodeID\1""")
_NUMBERED = later(r"""(["'])nodeID\1[ \t]*:[ \t]*["'0-9]""")
_LISTED = later(r"""(["'])inputs\1[ \t\r\n]*:[ \t\r\n]*\[""")
_STRINGS = later(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")
_COMMENTS = re.compile(r"(?:(?:#|//)[^\r\n]*|[ \t\r\n\ufeff]+)*")
_LINES = 200  # as many lines decide

EVENTS_SCHEMA, EVENT_SCHEMA = "glacier-events.schema.json", "glacier-event.schema.json"


class GlacierFormat(Format):
    name = "glacier"
    shown = 7
    roles = {"inputs": "link", "id": "link"}
    relint_cost = 20.0
    names_calls = False
    edges = (R.id_sequence.code, R.unknown_session.code, R.missing_events.code)
    targets = ()
    title = "Glacier flat listing and op events"
    dialects = (
        Dialect("listing", "flat listing: one call per line with its id, operator and inputs"),
        Dialect("events", "op events: nodeID, duration, inputs, size, name, session (JSON, JSON Lines)", EVENTS_SCHEMA),
    )
    extensions = (".txt", ".listing", ".glacier", ".json", ".jsonl", ".events")

    def recognize(self, head: Head) -> Recognition | None:
        text = _body(head.text)
        if text[:1] in ("{", "["):
            return _recognize_events(text)
        lines = [line for line in text[:20_000].splitlines()[:_LINES] if line.strip() and line.lstrip()[0] != "#"]
        rows = [int(match[1][:9]) for line in lines if (match := _ROW.match(line))]
        if not rows or not any(map(_reads, lines)):
            return None
        counted = sum(b in (a + 1, c - 1) for a, b, c in zip([-1, *rows], rows, [*rows[1:], 0], strict=False))
        nearly = sum(_NEARLY.match(line) is not None for line in lines)
        if counted * 2 >= len(lines) or (min(rows) <= len(lines) and nearly * 4 >= len(lines) * 3):
            return Recognition(LIKELY, "its lines are nodes: an id, an operator, a list of inputs", "listing")
        return None

    def open(self, text: str, name: str) -> Document:
        first = _body(text)
        if first[:1] in ("{", "["):
            from irlint.text.json.document import JsonDocument
            from irlint.text.json.options import JsonOptions

            if _is_lines(first):
                options = JsonOptions(lines=True, schemas=lambda: [load_json(EVENT_SCHEMA)])
            else:
                options = JsonOptions(schemas=lambda: [load_json(EVENTS_SCHEMA)], claims=_claims)
            return JsonDocument.parse(text, name, options=options)
        from irlint.text.listing.document import ListingDocument

        return ListingDocument(text, name)

    def dialect_of(self, document: Document) -> Recognition | None:
        from irlint.formats.glacier.evidence import weigh_events, weigh_rows

        if (listing := _as_listing(document)) is not None:
            if listing.readable * 2 >= len(listing.rows) and (score := weigh_rows(listing.rows)):
                return Recognition(score, "its lines are nodes: an id, an operator, a list of inputs", "listing")
        elif document.syntax == "json":
            from irlint.text.json.document import JsonDocument

            assert isinstance(document, JsonDocument)
            if score := weigh_events(document.value):
                return Recognition(score, "its objects are events with a nodeID", "events")
        return None

    def dryrun(self, model: Model) -> Mapping | None:
        from irlint.formats.glacier.dryrun import mapping_of

        return mapping_of(model)

    def state(self) -> GlacierState:
        from irlint.formats.glacier.sessions import GlacierState

        return GlacierState()

    def read(self, model: Model) -> Iterator[Problem]:
        listing = _as_listing(model.document)
        model.dialect = "events" if listing is None else "listing"  # also where told otherwise
        if listing is not None:
            from irlint.formats.glacier.listing import read

            yield from read(model, listing)
        else:
            from irlint.formats.glacier import events

            yield from events.read(model)

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        if _as_listing(model.document) is None:
            return iter(())
        from irlint.formats.glacier.repairs import ListingSite
        from irlint.repairs.graph_site import candidates

        return candidates(ListingSite, model, finding)

    def suppressions(self, document: Document) -> Iterator[Suppression]:
        if "irlint:" not in document.text or _as_listing(document) is None:
            return iter(())
        from irlint.text.listing.line import orders

        return of_comments(document, orders(document.text))

    def ignores(self, dialect: str) -> Ignores | None:
        from irlint.settings.ignores import CommentIgnores

        return CommentIgnores("#") if dialect == "listing" else None

    def checks(self, model: Model) -> Iterator[Problem]:
        from irlint.formats.glacier import results
        from irlint.formats.glacier.vocabulary import odd_calls

        model.settled |= {R.used_before_defined, R.cycle}
        assert model.operators is not None
        if odd := list(odd_calls(model.graph.nodes, model.operators)):
            from irlint.formats.glacier import calls

            yield from calls.problems(model, odd)
        yield from results.problems(model)


def _reads(line: str) -> bool:
    """Whether a line's list begins as inputs do: a name in quotes, or the id of a line before. Numbered headings have neither."""
    match = _INPUTS.match(line)
    return match is not None and (match["input"] in "'\"" or int(match["input"][:9]) < int(match["id"][:9]))


def _as_listing(document: Document) -> ListingDocument | None:
    if document.syntax != "listing":
        return None
    from irlint.text.listing.document import ListingDocument

    assert isinstance(document, ListingDocument)
    return document


def _body(text: str) -> str:
    """Return a text without the comment that it begins with."""
    match = _COMMENTS.match(text)
    return text[match.end() :] if match else text


def _recognize_events(text: str) -> Recognition | None:
    if not _KEY.search(text):
        return None
    words = [
        word for word in ("duration", "session", "inputs", "size", "name") if f'"{word}"' in text or f"'{word}'" in text
    ]
    if _EXACT.search(text):
        if words:
            first = _NUMBERED.search(text) if len(words) > 2 and _LISTED.search(text) else None
            typed = first is not None and _NUMBERED.search(text, first.end())  # a word is in a vocabulary once
            return Recognition(CERTAIN if typed else LIKELY, "its objects are events with a nodeID", "events")
    elif len(words) > 2 and ("duration" in words or "session" in words):  # browsers and others have nodes with a nodeId
        return Recognition(2, "its objects look like events without the key `nodeID`", "events")
    return None


def _claims(value: Any) -> bool:
    from irlint.formats.glacier.evidence import weigh_events

    return weigh_events(value) > FOREIGN


def _is_lines(text: str) -> bool:
    """Return whether the first nodeID is in an object of its own, not in one nested in the file's object."""
    first = _KEY.search(text)
    if text[0] != "{" or first is None:
        return False
    before = _STRINGS.sub("", text[: first.start()])
    return before.count("{") - before.count("}") == 1


FORMAT = GlacierFormat()
