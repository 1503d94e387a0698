"""A model's document: a tree and its textual form, whichever of them was there first.

A binary is shown as text only on demand: for a finding, an editor, a fix. Fixes are edits of that text; `encoded` makes the
binary of a changed text, with every byte of what did not change.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from irlint.codes import R
from irlint.formats.onnx.wire.crowds import cut
from irlint.text.base import Document, Edit, Path, Place, Span, Trouble, below
from irlint.text.prototext.messages import Tree

if TYPE_CHECKING:
    from irlint.formats.onnx.text.parse import KnownRecords


class Edits(Protocol):
    """What makes the edits of a text that change its tree."""

    def changed(self, path: Path, value: Any) -> tuple[Edit, ...]: ...

    def inserted(self, path: Path, value: Any) -> tuple[Edit, ...]: ...

    def removed(self, path: Path) -> tuple[Edit, ...]: ...


_KEYS = ("ir_version", "model_version", "producer_name", "producer_version", "doc_string")


class OnnxDocument(Document):
    """Paths are those of the protobuf schema: ("graph", "node", 3, "input", 0)."""

    syntax = "onnx"

    def __init__(self, name: str, tree: Tree, data: bytes | None = None, text: str | None = None) -> None:
        self.name, self.tree, self.data = name, tree, data
        self.troubles = []
        self.encoding = "utf-8"
        self.shows_binary = data is not None  # whose text may have been changed since
        self.known: KnownRecords | None = None
        self.origins: dict[int, Tree] = {}  # of an edited document: see carry_over.py
        self.crowd = cut(tree)  # of parts that are nearly empty
        self._known_parts: dict[Path, Mapping[Path, Any]] = {}
        self._nested: dict[Path, NestedParts] = {}
        if text is not None:
            self.text = text

    def __getattr__(self, name: str) -> Any:
        if name not in ("text", "records"):
            raise AttributeError(name)
        if name == "records" and "text" in self.__dict__:
            from irlint.formats.onnx.text.parse import TextParser

            parser = TextParser(self.text)
            parser.model()
            self.records = parser.records
        else:
            from irlint.formats.onnx.text.printer import shown

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

    def parts(self, record: Path) -> Mapping[Path, Any]:
        """Return all parts of a record, each with start and end; of (), which is the text, its records."""
        if record not in self._known_parts:
            self._known_parts[record] = self._parts(record)
        return self._known_parts[record]

    def _parts(self, record: Path) -> Mapping[Path, Any]:
        from irlint.formats.onnx.text.places import marked

        return marked(self.text, record, self.records[record]) if record else self.records

    def record(self, path: Path) -> Path | None:
        """Return the record that a place is in."""
        return longest(path, self.records)

    def span(self, place: Place) -> Span:
        path = place.path
        record = self.record(path)
        if record is None:
            return self._near(path)
        is_key = path[-1] in _KEYS  # whose value is meant
        if record == path and path[-1] != "name" and not is_key:
            return self.records[record]
        found = self.parts(record)
        part = longest(path, found, len(record) - is_key)
        if part is None:
            return self.records[record]
        return self.narrowed(found[part].start, found[part].end, place.inner)

    def narrowed(self, start: int, end: int, inner: tuple[int, int] | None) -> Span:
        """Return a range of a string that may be in quotes; all of it if no range is given."""
        if inner is None:
            return Span(start, end)
        start += self.text.startswith(('"', "'"), start)
        return Span(start + inner[0], start + inner[1])

    def _near(self, path: Path) -> Span:
        """Return what stands for a place that is not shown: the name of its graph, or the first word of the text."""
        for size in range(len(path), -1, -1):
            if (named := self.records.get((*path[:size], "name"))) is not None:
                return named
        first = next(iter(self.records.values()), None)
        return first or Span(0, min(1, len(self.text)))

    def whole(self, path: Path) -> Span:
        return self.records[path] if path in self.records else self.span(Place(path))

    def start(self, path: Path) -> int:
        return self.whole(path).start

    def place_at(self, offset: int) -> Place:
        record = next((path for *_, path in self._around((), offset)), ())
        around = self._around(record, offset) if record else ()
        smallest = min(((end - start, -len(path), path) for start, end, path in around), default=(0, 0, record))
        return Place(smallest[2])

    def _around(self, record: Path, offset: int) -> Iterator[tuple[int, int, Path]]:
        if record not in self._nested:
            self._nested[record] = NestedParts(self.parts(record))
        return self._nested[record].around(offset)

    def pointer(self, path: Path) -> str:
        return "".join(f"/{step}" for step in path)

    def value_at(self, path: Path) -> Any:
        return below(self.tree, path)

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        from irlint.formats.onnx.text.places import spelled

        return (Edit(self.span(place), spelled(place.path, value)),)

    @cached_property
    def edits(self) -> Edits:
        """What makes edits of the text that change its tree."""
        from irlint.formats.onnx.text.edits import TextEdits

        return TextEdits(self)

    def changed(self, path: Path, value: Any) -> tuple[Edit, ...]:
        """Return the edits after which the part at a path has another value; None removes it. There are none if that cannot be written."""
        return self.edits.changed(path, value)

    def inserted(self, path: Path, value: Any) -> tuple[Edit, ...]:
        """Return the edits after which a list has one more item, at the index in which the path ends."""
        return self.edits.inserted(path, value)

    def removed(self, path: Path) -> tuple[Edit, ...]:
        """Return the edits that remove an item of a list."""
        return self.edits.removed(path)

    def decoded_from(self, encoding: str) -> None:
        if not self.is_binary:
            super().decoded_from(encoding)

    def with_text(self, text: str) -> OnnxDocument | None:
        if not self.shows_binary:
            return None
        from irlint.formats.onnx.text.reread import known_records, reread

        if self.known is None:
            self.known = known_records(self.text, self.tree, self.records)
        made = reread(text, self.known, self.tree)
        found = OnnxDocument(self.name, made.tree, text=text)
        found.shows_binary, found.origins, found.encoding = True, made.origins, self.encoding
        found.records, found.troubles = made.records, made.troubles
        return found

    def encode(self) -> bytes:
        return self.data if self.data is not None else super().encode()

    def encoded(self, text: str) -> bytes:
        if self.data is None:
            return super().encoded(text)
        from irlint.formats.onnx.text.printer import shown
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


class NestedParts:
    """Parts of a text within each other: which of them an offset is in, without a look at all of them."""

    def __init__(self, parts: Mapping[Path, Any]) -> None:
        self._parts = sorted(
            ((part.start, part.end, path) for path, part in parts.items()), key=lambda part: (part[0], -part[1])
        )
        self._starts = [start for start, _, _ in self._parts]
        self._outer: list[int] = []  # of each part the one before it that reaches up to it; -1 if none does
        for k, start in enumerate(self._starts):
            outer = k - 1
            while outer >= 0 and self._parts[outer][1] < start:
                outer = self._outer[outer]
            self._outer.append(outer)

    def around(self, offset: int) -> Iterator[tuple[int, int, Path]]:
        """Yield start, end and path of the parts that an offset is in, or at the end of, the last to start first."""
        k = bisect_right(self._starts, offset) - 1
        while k >= 0:
            if self._parts[k][1] >= offset:
                yield self._parts[k]
            k = self._outer[k]


def longest(path: Path, known: Container[Path], least: int = 0) -> Path | None:
    """Return the longest beginning of a path that is known, and has more steps than the least; None if there is none."""
    return next((path[:size] for size in range(len(path), least, -1) if path[:size] in known), None)


def read_text(text: str, name: str) -> OnnxDocument:
    """Return the document of a text."""
    from irlint.formats.onnx.text.parse import TextParser

    has_mark = text.startswith("\ufeff")
    parser = TextParser(text, int(has_mark))
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
