"""Open documents: their URIs, their text as the editor has it, and what the last lint found in them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from irlint.companions import named_like
from irlint.engine import Result
from irlint.findings import Severity
from irlint.formats.base import PLAIN, by_name
from irlint.formats.navigation import DEFAULT, Choice, Navigation
from irlint.inspection import markers
from irlint.rules.base import Model
from irlint.text.base import Change, Span
from irlint_lsp.text import Encoding, Text, backward, moved

if TYPE_CHECKING:
    from irlint.view import BoxScene
    from irlint.view.build import Builder

SCHEME = "irlint-text"  # of documents whose text the server makes of a file; the rest of the URI is that of the file

TOUCH = Change(0, 0, 0)

_numbers = count(time.time_ns())  # no document, be it of another server, has the number of one that was closed

PlainRange = dict[str, dict[str, int]]


def path_of(uri: str) -> str | None:
    """Return the path of a file, or of the file that a document shows; None for others (untitled:, git:, ...)."""
    if shows_file(uri):
        uri = f"file{uri.removeprefix(SCHEME)}"
    if not uri.startswith("file:"):
        return None
    try:
        return to_fs_path(uri)
    except ValueError:
        return None


def shows_file(uri: str) -> bool:
    """Return whether the text of a document is that of a file on disk, whatever the client sends."""
    return uri.startswith(f"{SCHEME}:")


def uri_of(path: str) -> str:
    return from_fs_path(path) or f"file://{path}"


def text_uri_of(path: str) -> str:
    """Return the URI of the document that shows a file."""
    return SCHEME + uri_of(path).removeprefix("file").replace(":///", ":/", 1)


class Superseded(BaseException):
    """The text has changed; this lint is no longer needed."""


class CancellationToken:
    """Told when its lint is no longer wanted."""

    def __init__(self) -> None:
        self.superseded = False

    def check(self) -> None:
        """End a lint that is no longer wanted."""
        if self.superseded:
            raise Superseded


@dataclass
class Analysis:
    """A lint's result for one state of a document."""

    text: Text
    version: int
    edits: int  # how many edits had been made
    result: Result
    seconds: float = 0.0
    in_order: Any = None  # its nodes (visible.InOrder), once requested
    drawing: tuple[BoxScene, Builder] | None = None  # its graph, once requested

    @property
    def is_model(self) -> bool:
        return self.result.model is not None


@dataclass
class OpenDocument:
    """A document that an editor has open."""

    uri: str
    path: str | None
    version: int
    text: Text
    encoding: Encoding
    shows_file: bool = False  # the text is made of the file, and an edit only says that the file may have changed
    edits: int = 0
    changes: list[Change] = field(default_factory=list)  # since the analysis
    analysis: Analysis | None = None
    failed: bool = False  # the last lint ended in an exception
    left_out: bool = False  # by the configuration or the client: nothing is to be known of it
    unsaved: bool = False  # edited, where findings are reported only on saving
    mirrored: dict[str, list[types.Diagnostic]] = field(
        default_factory=dict
    )  # from companions that contradict it, by URI
    known: bool = False  # it was a model once: from then on, being none is worth a finding
    timer: asyncio.TimerHandle | None = None
    token: CancellationToken | None = None
    rest: asyncio.TimerHandle | None = None  # until the types of the text are inferred
    waiting: list[asyncio.Future[None]] = field(default_factory=list)
    number: int = field(default_factory=partial(next, _numbers))

    def change(self, changes: Iterable[types.TextDocumentContentChangeEvent]) -> None:
        if self.shows_file:
            self.touch()
            return
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = self.span(change.range)
                self._replace(start, end, change.text)
            else:
                self._replace(0, len(self.text), change.text)

    def _replace(self, start: int, end: int, new: str) -> None:
        old = len(self.text)
        whole = start == 0 and end == old
        self.text = Text.of(new) if whole else self.text.replaced(start, end, new)
        self.edits += 1
        self.changes.append(Change(start, end, len(new)))

    def since(self, analysis: Analysis) -> list[Change]:
        """The edits since an analysis."""
        return self.changes[len(self.changes) - (self.edits - analysis.edits) :]

    def replace(self, analysis: Analysis) -> Analysis | None:
        """Take a new analysis; return the one before."""
        old, self.analysis = self.analysis, analysis
        self.changes = self.since(analysis)
        return old

    def wake(self) -> None:
        """Wake up everything that waits for the document."""
        waiting, self.waiting = self.waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    @property
    def result_id(self) -> str:
        """Of what is known: as long as neither the text nor anything around it changes, it is the same."""
        mirrored = sum(map(hash, (each.message for found in self.mirrored.values() for each in found)))
        return f"{self.number:x}-{self.analysis.edits if self.analysis else 0}-{mirrored:x}"

    def touch(self) -> None:
        """What was found is no longer fresh, though no text has changed."""
        self.edits += 1
        self.changes.append(TOUCH)

    @property
    def is_fresh(self) -> bool:
        return self.analysis is not None and self.analysis.edits == self.edits

    @property
    def model(self) -> Model | None:
        return self.analysis.result.model if self.analysis else None

    @property
    def reads(self) -> set[str]:
        """Return the paths of the models that a companion is about."""
        known = self.analysis.result.known if self.analysis else None
        return set() if known is None else known.reads

    def state(self) -> dict[str, Any]:
        """Return what the document is and how it fares: the params of the notification irlint/model."""
        analysis = None if self.left_out else self.analysis
        if analysis is None or analysis.result.format in PLAIN or not (analysis.is_model or self.known):
            return {"uri": self.uri, "isModel": False}
        result, model = analysis.result, analysis.result.model
        levels = [finding.severity for finding in result.findings]
        errors, warnings = levels.count(Severity.ERROR), levels.count(Severity.WARNING)
        return {
            "uri": self.uri,
            "isModel": True,
            "format": result.format,
            "dialect": result.dialect,
            "calls": _calls(model) if model is not None else 0,
            "errors": errors,
            "warnings": warnings,
            "others": len(levels) - errors - warnings,
        }

    def offset(self, position: types.Position) -> int:
        return self.text.offset(position.line, position.character, self.encoding)

    def span(self, range_: types.Range) -> Span:
        start, end = self.offset(range_.start), self.offset(range_.end)
        return Span(min(start, end), max(start, end))

    def range(self, span: Span) -> types.Range:
        return range_in(self.text, span, self.encoding)


def _calls(model: Model) -> int:
    """Return the number of calls that `irlint summary` counts, too."""
    return sum(
        node.kind == "call" and node.index not in unseen
        for graph in model.graph.walk()
        for unseen in [markers(graph)]
        for node in graph.nodes
    )


def range_in(text: Text, span: Span, encoding: Encoding) -> types.Range:
    return types.Range(
        types.Position(*text.position(span.start, encoding)), types.Position(*text.position(span.end, encoding))
    )


@dataclass
class CurrentView:
    """An analysis seen through the edits made since: positions in the text of now, spans in the text of then."""

    document: OpenDocument
    analysis: Analysis
    changes: list[Change]

    @property
    def result(self) -> Result:
        return self.analysis.result

    @property
    def model(self) -> Model:
        model = self.result.model
        assert model is not None
        return model

    @property
    def navigation(self) -> Navigation:
        format_ = by_name(self.result.format or "")
        return format_.navigation() if format_ else DEFAULT

    def hints(self, offset: int) -> Iterator[tuple[list[str], Iterator[Choice], Span]]:
        """Return what schemas of the configuration say of an offset, and of a companion the model that it is about."""
        if (kind := named_like(self.result.name).get(self.result.format or "")) is not None:
            yield from kind.hints(self.model, offset)
        yield from self._schema_hints(offset)

    def _schema_hints(self, offset: int) -> Iterator[tuple[list[str], Iterator[Choice], Span]]:
        if not (schemas := self.result.request.settings.schemas):
            return iter(())
        from irlint.user_schemas.hints import hints_at

        return hints_at(self.model, schemas, self.navigation, offset)

    @property
    def uri(self) -> str:
        return self.document.uri

    def offset(self, position: types.Position) -> int:
        return min(backward(self.changes, self.document.offset(position)), len(self.analysis.text))

    def span(self, range_: types.Range) -> Span:
        return Span(self.offset(range_.start), self.offset(range_.end))

    def range(self, span: Span) -> types.Range | None:
        """Where a span is now; None if it was edited."""
        now = moved(self.changes, *span)
        return None if now is None else self.document.range(Span(*now))

    def plain_range(self, span: Span) -> PlainRange | None:
        """The same as JSON has it."""
        found = self._positions(span)
        if found is None:
            return None
        (line, character), (last, end) = found
        return {"start": {"line": line, "character": character}, "end": {"line": last, "character": end}}

    def written_range(self, span: Span) -> str | None:
        """The same as JSON is written."""
        found = self._positions(span)
        if found is None:
            return None
        (line, character), (last, end) = found
        return f'{{"start":{{"line":{line},"character":{character}}},"end":{{"line":{last},"character":{end}}}}}'

    def _positions(self, span: Span) -> tuple[tuple[int, int], tuple[int, int]] | None:
        now = moved(self.changes, *span)
        return None if now is None else self.document.text.positions(*now, self.document.encoding)
