"""JSON documents: values at the speed of a C parser, spans on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from irlint.records import dataclass, field
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.json.options import STRICT, JsonOptions
from irlint.text.json.prepare import has_comments, prepare
from irlint.text.json.scan import BLANKS, FastScanner, no_collection
from irlint.text.json.values import dump, is_known, pointer, remember, value_of

if TYPE_CHECKING:
    from irlint.text.edited import EditedText
    from irlint.text.json.containers import Container
    from irlint.text.json.locate import JsonLocator


@dataclass
class JsonDocument(Document):
    """One JSON text. `value` is what the format's parser would read, as far as the text can be read; None if it cannot.

    `damaged` are the paths of values in whose own text a syntax error stood: what they lack may only be unreadable.
    `shaken` are containers whose quotes or brackets were paired by guessing: what their elements are may follow from that.
    """

    syntax = "json"

    value: Any = None
    options: JsonOptions = STRICT
    damaged: set[Path] = field(default_factory=set)
    shaken: set[Path] = field(default_factory=set)
    fractions: bool = True  # False: no number in it has a fraction or an exponent (told only where the options ask)
    _layout: tuple[str, Span | None, dict[int, Container], Any] | None = None  # what the locator is made of
    _locator: JsonLocator | None = None
    _moves: EditedText | None = None  # from the text as it was read, with its syntax repaired, to `text`

    @classmethod
    def parse(cls, text: str, name: str = "<text>", *, options: JsonOptions = STRICT) -> JsonDocument:
        document = cls(text, name, options=options)
        document._read()
        return document

    def _read(self) -> None:
        claims = self.options.claims
        is_asked = is_known(self.text) or has_comments(self.text, self.options)
        if claims is not None and is_asked and self._is_others(claims):  # for less than a reading costs
            self._leave()
            return
        text = prepare(self.text, self.options, self.lines, self.troubles)
        if text is None:
            self._layout = self.text, None, {}, None
            return
        with no_collection():
            if self._read_whole(text):
                if claims is not None and not claims(self.value):
                    remember(self.text, self.value)
            elif claims is not None and self._is_others(claims):
                self._leave()
            else:
                self._read_with_care(text, claims)

    def _is_others(self, claims: Callable[[Any], bool]) -> bool:
        """Return whether this is valid JSON of another program, so that the problems only our readers see do not matter."""
        try:
            return not claims(value_of(self.text))
        except (ValueError, RecursionError):
            return False

    def _leave(self) -> None:
        self.is_left = True
        self.troubles.clear()
        self._layout = self.text, None, {}, None

    def complete(self) -> None:
        if self.is_left:
            self.is_left = False
            self.troubles.clear()
            text = prepare(self.text, self.options, self.lines, self.troubles)
            assert text is not None
            with no_collection():
                self._read_with_care(text, None)

    def _read_whole(self, text: str) -> bool:
        """Read a text without any irregularities: the common case."""
        start = BLANKS.match(text, 1 if text.startswith("\ufeff") else 0).end()  # type: ignore[union-attr]
        if self.options.lines or start == len(text):
            return False
        scanner = FastScanner(text, self.options)
        found, fractions = scanner.whole(start), scanner.fractions
        scanner.release()
        if found is None or BLANKS.match(text, found[1]).end() != len(text):  # type: ignore[union-attr]
            return False
        self.value, self.fractions = found[0], fractions
        self._layout = text, Span(start, found[1]), {}, found[0]
        return True

    def _read_with_care(self, text: str, claims: Callable[[Any], bool] | None) -> None:
        from irlint.text.json.slip import read_with_care

        mended = read_with_care(text, 1 if text.startswith("\ufeff") else 0, self.options, self.lines, claims)
        self.is_left = mended.is_left
        reader, self._moves = mended.reader, mended.moves
        self.value, self.damaged, self.fractions = reader.value, reader.damaged, reader.fractions
        self.shaken = reader.shaken
        self.troubles += mended.troubles
        self._layout = reader.text, reader.root, reader.known, None

    @property
    def guesses(self) -> set[Path]:
        return self.damaged | self.shaken

    @property
    def repaired(self) -> frozenset[Edit]:
        return frozenset() if self._moves is None or self.guesses else self._moves.made

    @property
    def locator(self) -> JsonLocator:
        if self._locator is None:
            from irlint.text.json.locate import JsonLocator

            assert self._layout is not None
            self._locator = JsonLocator(*self._layout)
        return self._locator

    def span(self, place: Place) -> Span:
        span = (self._locator or self.locator).span(place)
        return span if self._moves is None else self._moves.span(span)

    def starts(self, path: Path) -> Sequence[int] | None:
        _, _, span, exists = self.locator.walk(path)
        found = self.locator.container(span.start) if exists else None
        if found is None or found.members is not None:
            return None
        return found.starts if self._moves is None else [self._moves.back(start) for start in found.starts]

    def place_at(self, offset: int) -> Place:
        return self.locator.place_at(offset if self._moves is None else self._moves.ahead(offset))

    def pointer(self, path: Path) -> str:
        return pointer(path)

    def value_at(self, path: Path) -> Any:
        return self.locator.value_at(self.value, path)

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        return self.replace(place, dump(value))

    def replace(self, place: Place, text: str) -> tuple[Edit, ...]:
        """Return edits that replace a value, key or member by JSON text."""
        return self._in_text((Edit((self._locator or self.locator).span(place), text),))

    def remove(self, path: Path) -> tuple[Edit, ...]:
        """Return edits that remove a list element or a member, with its comma and the whitespace around it."""
        from irlint.text.json.edit import remove

        return self._in_text(remove(self.locator, path))

    def insert_item(self, path: Path, index: int, text: str) -> tuple[Edit, ...]:
        """Return edits that insert JSON text into the list at `path`, before the element `index` or at the end."""
        from irlint.text.json.edit import insert_item

        return self._in_text(insert_item(self.locator, path, index, text))

    def insert_member(self, path: Path, key: str, text: str) -> tuple[Edit, ...]:
        """Return edits that add a member at the end of the object at `path`."""
        from irlint.text.json.edit import insert_member

        return self._in_text(insert_member(self.locator, path, key, text))

    def rename_key(self, path: Path, key: str) -> tuple[Edit, ...]:
        """Return edits that rename the key of the member at `path`."""
        from irlint.text.json.edit import rename_key

        return self._in_text(rename_key(self.locator, path, key))

    def _in_text(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        return edits if self._moves is None else self._moves.edits(edits)

    @staticmethod
    def dump(value: Any) -> str:
        """Return the JSON text of a value for fixes: raw UTF-8, one line."""
        return dump(value)
