"""A model's document: a tree and its textual form, whichever of them was there first.

A binary is shown as text only if somebody looks: a finding, an editor, a fix. Fixes are edits of that text; `encoded` makes the
binary of a changed text, with every byte of what did not change.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.codes import R
from irlint.formats.onnx.wire.crowds import cut
from irlint.formats.onnx.wire.reader import Tree
from irlint.text.base import Document, Edit, Path, Place, Span, Trouble

if TYPE_CHECKING:
    from irlint.formats.onnx.text.parse import KnownRecords

_KEYS = ("ir_version", "model_version", "producer_name", "producer_version", "doc_string")


class OnnxDocument(Document):
    """Paths are those of the protobuf schema: ("graph", "node", 3, "input", 0)."""

    syntax = "onnx"

    def __init__(self, name: str, tree: Tree, data: bytes | None = None, text: str | None = None) -> None:
        self.name, self.tree, self.data = name, tree, data
        self.troubles = []
        self.encoding = "utf-8"
        self.base: OnnxDocument | None = (
            self if data is not None else None
        )  # the binary that the text shows, perhaps changed
        self.known: KnownRecords | None = None
        self.spelled = 0  # see drafts.py
        self.origins: dict[int, Tree] = {}  # of an edited document: see carry_over.py
        self.crowd = cut(tree)  # of parts that hold next to nothing
        if text is not None:
            self.text = text

    def __getattr__(self, name: str) -> Any:
        if name not in ("text", "records"):
            raise AttributeError(name)
        if name == "records" and "text" in self.__dict__:
            from irlint.formats.onnx.text.parse import Parser

            parser = Parser(self.text)
            parser.model()
            self.records = parser.records
        else:
            from irlint.formats.onnx.text.show import shown

            made = shown(self.tree)
            self.text, self.records = made.text, made.records
        return self.__dict__[name]

    @property
    def is_binary(self) -> bool:
        return self.data is not None

    @property
    def is_damaged(self) -> bool:
        """Whether bytes could not be read, so that the rest may only look wrong."""
        return self.crowd is not None or (self.is_binary and bool(self.troubles))

    @cached_property
    def _starts(self) -> tuple[list[int], list[Path]]:
        """Return where records start, and which they are."""
        rows = sorted((span.start, -span.end, path) for path, span in self.records.items())
        return [row[0] for row in rows], [row[2] for row in rows]

    @cached_property
    def _marked(self) -> dict[Path, dict[Path, Span]]:
        return {}

    def marks(self, record: Path) -> dict[Path, Span]:
        """Return the spans of all parts of a record."""
        if (found := self._marked.get(record)) is None:
            from irlint.formats.onnx.text.places import marked

            found = self._marked[record] = marked(self.text, record, self.records[record])
        return found

    def record(self, path: Path) -> Path | None:
        """Return the record that a place is in."""
        return next((path[:size] for size in range(len(path), 0, -1) if path[:size] in self.records), None)

    def span(self, place: Place) -> Span:
        path = place.path
        record = self.record(path)
        if record is None:
            return self._near(path)
        is_key = path[-1] in _KEYS  # whose value is meant
        if record == path and path[-1] != "name" and not is_key:
            return self.records[record]
        found = self.marks(record)
        least = len(record) - is_key
        span = next((found[path[:size]] for size in range(len(path), least, -1) if path[:size] in found), None)
        if span is None:
            return self.records[record]
        return self._inner(span, place.inner) if place.inner is not None else span

    def _inner(self, span: Span, inner: tuple[int, int]) -> Span:
        start = span.start + (self.text[span.start : span.start + 1] == '"')
        return Span(start + inner[0], start + inner[1])

    def _near(self, path: Path) -> Span:
        """Return what stands for a place that is not shown: the name of its graph, or the first word of the text."""
        for size in range(len(path), -1, -1):
            if (named := self.records.get((*path[:size], "name"))) is not None:
                return named
        first = next(iter(self.records.values()), None)
        return first or Span(0, min(1, len(self.text)))

    def whole(self, path: Path) -> Span:
        record = self.record(path)
        return self.span(Place(path)) if record is None or len(path) > len(record) else self.records[record]

    def start(self, path: Path) -> int:
        record = self.record(path)
        return self.records[record].start if record is not None and len(path) == len(record) else super().start(path)

    def place_at(self, offset: int) -> Place:
        starts, paths = self._starts
        k = bisect_right(starts, offset) - 1
        while k >= 0 and self.records[paths[k]].end < offset:
            k -= 1
            if k >= 0 and len(paths[k]) < 3:  # records do not contain each other
                break
        if k < 0 or self.records[paths[k]].end < offset:
            return Place(())
        record = paths[k]
        around = [
            (span.end - span.start, -len(path), path)
            for path, span in self.marks(record).items()
            if span.start <= offset <= span.end
        ]
        return Place(min(around)[2] if around else record)

    def pointer(self, path: Path) -> str:
        return "".join(f"/{step}" for step in path)

    def value_at(self, path: Path) -> Any:
        value: Any = self.tree
        for step in path:
            try:
                value = value[step]
            except (TypeError, IndexError) as error:
                raise LookupError(path) from error
        return value

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        from irlint.formats.onnx.text.places import spelled

        return (Edit(self.span(place), spelled(place.path, value)),)

    def changed(self, path: Path, value: Any) -> tuple[Edit, ...]:
        """Return the edits after which the part at a path has another value; None removes it. There are none if that cannot be written."""
        from irlint.formats.onnx.text.drafts import changed

        return changed(self, path, value)

    def inserted(self, path: Path, value: Any) -> tuple[Edit, ...]:
        """Return the edits after which a list has one more item, at the index in which the path ends."""
        from irlint.formats.onnx.text.drafts import inserted

        return inserted(self, path, value)

    def removed(self, path: Path) -> tuple[Edit, ...]:
        """Return the edits that remove an item of a list."""
        from irlint.formats.onnx.text.drafts import removed

        return removed(self, path)

    def decoded_from(self, encoding: str) -> None:
        if not self.is_binary:
            super().decoded_from(encoding)

    def with_text(self, text: str) -> OnnxDocument | None:
        if self.base is None:
            return None
        from irlint.formats.onnx.text.edited import known_records, reread

        if self.known is None:
            self.known = known_records(self.text, self.tree, self.records)
        made = reread(text, self.known, self.tree)
        found = OnnxDocument(self.name, made.tree, text=text)
        found.base, found.origins, found.encoding = self.base, made.origins, self.encoding
        found.records, found.troubles = made.records, made.troubles
        return found

    def encode(self) -> bytes:
        return self.data if self.data is not None else super().encode()

    def encoded(self, text: str) -> bytes:
        if self.data is None:
            return super().encoded(text)
        from irlint.formats.onnx.text.show import shown
        from irlint.formats.onnx.wire.writer import CannotWrite, patched

        after = self.with_text(text)
        assert after is not None
        if after.troubles or self.troubles or self.crowd is not None:
            raise ValueError("the binary cannot be written while its text cannot be read")
        try:
            made = patched(self.data, self.tree, after.tree, after.origins)
        except CannotWrite as error:
            raise ValueError(str(error)) from error
        if read_binary(made, self.name).text != shown(after.tree).text:
            raise ValueError("the binary would not be what its text shows")
        return made


def read_text(text: str, name: str) -> OnnxDocument:
    """Return the document of a text."""
    from irlint.formats.onnx.text.parse import Parser

    has_mark = text.startswith("\ufeff")
    parser = Parser(text, int(has_mark))
    document = OnnxDocument(name, parser.model(), text=text)
    document.records = parser.records
    document.troubles = parser.troubles
    if not text.strip("\ufeff \t\r\n"):
        document.troubles = [Trouble(R.empty_file, Span(0, 0), "the file is empty")]
    elif has_mark:
        document.troubles.append(byte_order_mark("onnx.parser"))
    return document


def byte_order_mark(reader: str) -> Trouble:
    """Return the trouble of a text whose usual reader does not read a byte order mark."""
    message, edits = f"the file starts with a byte order mark, which {reader} does not read", (Edit(Span(0, 1), ""),)
    title = "Remove the byte order mark"
    return Trouble(R.byte_order_mark, Span(0, 1), message, edits=lambda: edits, title=title)


def read_binary(data: bytes, name: str) -> OnnxDocument:
    """Return the document of a binary. What makes protobuf refuse it are troubles, at what is shown of the place."""
    from irlint.formats.onnx.wire.reader import Reader

    reader = Reader(data)
    document = OnnxDocument(name, reader.model(), data)
    if reader.flaws:
        from irlint.formats.onnx.wire.damage import troubles

        document.troubles = troubles(document, data, reader.flaws)
    return document
