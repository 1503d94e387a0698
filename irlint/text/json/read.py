"""A reader for valid and broken JSON: values by the C scanner where possible, else token by token."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.text.base import Edit, Lines, Span, Step
from irlint.text.json.containers import Container
from irlint.text.json.edit import remove_child
from irlint.text.json.frames import OpenContainer
from irlint.text.json.locate import is_near_top
from irlint.text.json.mend import COLON, Mender
from irlint.text.json.options import JsonOptions
from irlint.text.json.scalars import read_scalar
from irlint.text.json.scan import BLANKS, FastScanner
from irlint.text.json.tokens import BEGUN, shown, token_end
from irlint.text.json.troubles import TooManyTroubles

FAST_DEPTH = 3  # containers down to this depth are offered to the C scanner, so that little is scanned in vain


class JsonReader(Mender):
    """One pass over one text, comments already blanked where they are allowed."""

    def __init__(self, text: str, options: JsonOptions, lines: Lines) -> None:
        super().__init__(text, options, lines)
        self._fast = FastScanner(text, options)
        self.fractions = True

    def read(self, at: int) -> None:
        """Read the top value and check that nothing follows."""
        self._at = at
        try:
            if self.options.lines:
                self.root = Span(-1, len(self.text))
                self.value = self._open(-1, [], -1, 0)
            elif (at := self._skip(at)) < len(self.text) and (self._is_key(at) or not self._whole(at)):
                self._top(at)
            while self._frames:
                self._step()
            self._trailing()
            if self.options.lines:
                self._report_line_ends()
        except TooManyTroubles:
            self._guessed = True
        finally:
            self._fast.release()
        self._abandon()
        self._report_comments()

    def _whole(self, at: int) -> bool:
        """Read a text without errors: the common case."""
        found = self._fast.whole(at)
        if found is None:
            return False
        self.value, self._at = found
        self.root = Span(at, self._at)
        self.fractions = self._fast.fractions
        return True

    def _is_key(self, at: int) -> bool:
        return self.text[at] == '"' and COLON.match(self.text, token_end(self.text, at)) is not None

    def _top(self, at: int) -> None:
        if self.text[at] in "[{":
            self.root = Span(at, at)
            self.value = self._open(at, {} if self.text[at] == "{" else [], -1, 0)
            return
        if self._is_key(at):
            self._error(at, f"missing `{{` before the key {self._token(at)}", edit=Edit(Span(at, at), "{"))
            self.root = Span(at, at)
            self.value = self._open(at, {}, -1, 0)
            self._at = at
            return
        read = read_scalar(self.text, at, self.options, self.report)
        if read is None:
            self._error(at, f"expected a value, got {self._token(at)}")
            self.damaged.add(())
            self._at = len(self.text)
            return
        self.value, self.root, self._at = read.value, Span(at, read.end), read.end
        if not read.closed:
            self._truncated(at, "a string")

    # steps: each takes at least one token

    def _step(self) -> None:
        frame = self._frames[-1]
        at = self._at = self._skip(self._at)
        if at >= len(self.text):
            self._at_end(frame)
            return
        char = self.text[at]
        if char == frame.closer and not frame.is_lines:
            self._close(frame, at)
        elif char in "]}":
            self._mismatch(frame, at)
        elif char == ",":
            self._comma(frame, at)
        elif frame.container.members is None:
            self._in_list(frame, at)
        else:
            self._in_object(frame, at)

    def _in_list(self, frame: OpenContainer, at: int) -> None:
        char = self.text[at]
        if char == ":":
            self._colon_in_list(frame, at)
        elif frame.expects == "comma" and not self._missing_comma(frame, at):
            self._give_up_on(at)
        elif char != "{" or not self._take_objects(frame, at):
            self._take(frame, at, len(frame.container.starts))

    def _in_object(self, frame: OpenContainer, at: int) -> None:
        char = self.text[at]
        if char in "{[":
            self._bracket_for_key(frame, at)
        elif char == ":":
            self._error(at, "missing key before `:`")
            self._shake()
            self._give_up_on(at + 1)
        elif frame.expects == "comma" and not self._missing_comma(frame, at):
            self._give_up_on(at)
        else:
            self._member(frame, at)

    def _member(self, frame: OpenContainer, at: int) -> None:
        """Read a key, its colon and its value."""
        text = self.text
        key, end = self._key(at)
        if end < 0:
            self._give_up_on(at)
            return
        colon = self._at = self._skip(end)
        if colon >= len(text):
            self._damage()
            return
        char = text[colon]
        value = colon + 1
        if char != ":":
            if char in ",}]" or (char == '"' and COLON.match(text, token_end(text, colon))):
                self._error(at, f"missing value for the key {self._token(at)}")
                self._damage()
                if char == "]":
                    self._shake()
                frame.expects = "next" if char == '"' else "comma"
                return
            value = self._missing_colon(end, colon)
            if value < 0:
                self._give_up_on(colon)
                return
        value = self._at = self._skip(value)
        if value >= len(text):
            self._damage()
        elif text[value] in ",}]":
            self._error(value, f"expected a value for the key {self._token(at)}, got `{text[value]}`")
            self._damage()
            frame.expects = "comma"
        else:
            key = self._folded(frame, key, at, end)
            self._note_repeated(frame, key, at, end, value)
            self._take(frame, value, key, at, end)

    def _key(self, at: int) -> tuple[str, int]:
        """Read a key; return it and its end, -1 if there is no key."""
        text = self.text
        if text[at] in "\"'" and (read := read_scalar(text, at, self.options, self.report)) is not None:
            if not read.closed:
                self._truncated(at, "a key")
            if not read.good:
                self._shake()
            return read.value, read.end
        end = token_end(text, at)
        if not COLON.match(text, end) or not (text[at].isalnum() or text[at] in "_$-"):
            self._error(at, f"expected a key in double quotes, got {self._token(at)}")
            return "", -1
        message = f"expected a key in double quotes, got {shown(text[at:end])}"
        self._error(at, message, edit=Edit(Span(at, end), f'"{text[at:end]}"'), title="Add double quotes")
        return text[at:end], end

    # values

    def _take(self, frame: OpenContainer, at: int, step: Step, key_start: int = -1, key_end: int = -1) -> None:
        """Read the value at an offset into the open container."""
        frame.expects = "comma"
        text = self.text
        if text[at] in "[{":
            found = None if self._is_walked(at) else self._fast.scan(at)
            if found is not None:
                self._store(frame, found[0], at, found[1], step, key_start, key_end)
                self._at = found[1]
            else:
                value: Any = {} if text[at] == "{" else []
                if len(self._frames) >= self.options.max_depth:
                    value = None
                index = self._store(frame, value, at, at, step, key_start, key_end)
                self._open(at, value, index, step)
            return
        if self._is_cut(at):
            self._damage(step)
            self._truncated(at, "a value")
            return
        read = read_scalar(text, at, self.options, self.report)
        if read is None:
            self._error(at, f"expected a value, got {self._token(at)}")
            self._give_up_on(token_end(text, at))
            return
        self._store(frame, read.value, at, read.end, step, key_start, key_end)
        self._at = read.end
        if not read.good:
            self._bad_end = read.end
            if text[at] == '"':
                self._shake()
            self._damage(step)
        if not read.closed:
            self._truncated(at, "a string")

    def _is_cut(self, at: int) -> bool:
        """Return whether the text ends in the middle of a number or word."""
        match = BEGUN.match(self.text, at)
        return match is not None and BLANKS.match(self.text, match.end()).end() == len(self.text)  # type: ignore[union-attr]

    def _is_walked(self, at: int) -> bool:
        """Return whether to read a container child by child: its offsets will be needed, or the C scanner has failed often enough."""
        depth = len(self._frames)
        if depth > FAST_DEPTH:
            return True
        return is_near_top(self.text, at, depth - 1, self._frames[-1].container.members is not None)

    def _take_objects(self, frame: OpenContainer, at: int) -> bool:
        """Read a run of valid objects in a list; return False if the first is not valid."""
        if len(self._frames) > FAST_DEPTH:
            return False
        container = frame.container
        count = len(container.starts)
        end = self._fast.objects(at, frame.value, container.starts, container.ends, frame.is_lines)
        if len(container.starts) == count:
            return False
        self._at = end
        frame.expects = "next" if end > container.ends[-1] else "comma"
        return True

    def _store(
        self, frame: OpenContainer, value: Any, start: int, end: int, step: Step, key_start: int, key_end: int
    ) -> int:
        container = frame.container
        if isinstance(step, str):
            first_wins = self.options.duplicates == "first"
            if not (first_wins and step in frame.value):
                frame.value[step] = value
            container.add_member(step, key_start, key_end, start, end, first_wins)
        else:
            frame.value.append(value)
            container.add(start, end)
        return len(container.starts) - 1

    def _open(self, at: int, value: Any, index: int, step: Step) -> Any:
        """Open the container at an offset; stop reading if it is nested too deeply."""
        if value is None:
            message = f"values are nested more than {self.options.max_depth} levels deep"
            self.report(R.too_deep, at, at + 1, message)
            self._damage(step)
            opaque = Container(at, False)
            opaque.end = self._at = self._frames[-1].container.ends[index] = len(self.text)
            self.known[at] = opaque
            raise TooManyTroubles
        container = Container(at, isinstance(value, dict))
        self.known[at] = container
        self._frames.append(OpenContainer(value, container, index, step))
        self._at = max(at + 1, self._at) if at < 0 else at + 1
        return value

    # keys

    def _folded(self, frame: OpenContainer, key: str, at: int, end: int) -> str:
        """Return the key as the format's parser takes it."""
        options = self.options
        if key in options.folded_keys or (canonical := options.fold.get(key.lower())) is None:
            return key
        message = f"key {shown(key)} differs in case from `{canonical}`; case-sensitive readers do not find it"

        def edits() -> list[Edit]:
            if canonical in frame.repeated:
                raise LookupError("it is unclear which spelling is meant")
            return [Edit(Span(at, end), f'"{canonical}"')]

        self.report(R.key_case, at, end, message, edits=edits, title=f"Rename to `{canonical}`")
        return canonical

    def _note_repeated(self, frame: OpenContainer, key: str, at: int, end: int, value: int) -> None:
        """Report a key that the object has already."""
        container = frame.container
        assert container.members is not None
        before = container.members.get(key)
        if before is None:
            return
        frame.repeated.add(key)
        first_wins = self.options.duplicates == "first"
        where = Span(container.key_starts[before], container.key_ends[before])
        counts = "the first value is used" if first_wins else "the last value is used"
        start, behind = container.starts[before], container.ends[before]
        same = (
            behind - start <= 1000
            and self.text.startswith(self.text[start:behind], value)
            and self.text.startswith((" ", "\t", "\n", "\r", ",", "}"), value + behind - start)
        )
        index = len(container.starts)
        spelled, other = (self.text[a:b].strip("\"'") for a, b in ((at, end), where))
        alike = spelled == other or spelled.lower() != other.lower()  # else readers differ in which one they find
        self.report(
            R.duplicate_key,
            at,
            end,
            f"duplicate {f'key {shown(key)}' if key else 'empty key'}; {counts}",
            related=[("first defined here", where)],
            edits=(lambda: [remove_child(container, index if first_wins else before)]) if alike else None,
            title="Remove the value that is not used",
            safety="safe" if same else "unsafe",
        )
