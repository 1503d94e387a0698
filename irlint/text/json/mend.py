"""Recovery from wrong separators and brackets: one report per mistake, then reading continues with what was meant."""

from __future__ import annotations

import re
from typing import Any, Literal

from irlint.codes import R
from irlint.text.base import Edit, Span, text_end
from irlint.text.json.frames import OpenContainer, OpenContainers
from irlint.text.json.prepare import open_comment
from irlint.text.json.recovery import mismatch
from irlint.text.json.scan import BLANKS
from irlint.text.json.tokens import (
    STRUCTURE,
    UNUSUAL_BLANKS,
    shown,
    token_end,
)

COLON = re.compile(r"[ \t\n\r]*:")
_COMMAS = re.compile(r",(?:[ \t\n\r]*,)*")
_NOTHING = re.compile(  # each comment can end in one place only, else the time is exponential
    rf"(?:[ \t\n\r\0]|{UNUSUAL_BLANKS.pattern.rstrip('+')}|(?://|#)[^\n\r]*(?![^\n\r])|/\*[^*]*(?:\*(?!/)[^*]*)*\*/)*"
)
_STRAY_QUOTE = re.compile(r'"[ \t]*(?:[,:}\]][^"\n\r]*)?(?:[\n\r]|\Z)')  # one that does not begin a string
_ODD_KEY = re.compile(r'(?::"|""[^\W\d]|."(?="[ \t]*:))')  # how it ends, and what follows
_LINE_BREAK = re.compile(r"[ \t]*(?:[\n\r]|\Z)")
_LINE_END = re.compile(r"[\n\r]")
_UNINTERESTING = re.compile(r"""[^"'\[\]{},]+""")


Safety = Literal["safe", "unsafe"]


class Mender(OpenContainers):
    """The recovery from errors."""

    def _close(self, frame: OpenContainer, at: int) -> None:
        if frame.expects == "next":
            message = f"trailing comma in this {frame.kind}"
            self._error(frame.comma, message, edit=Edit(Span(frame.comma, frame.comma + 1), ""))
        frame.container.closed = True
        self._end(at + 1)
        self._at = at + 1

    def _comma(self, frame: OpenContainer, at: int) -> None:
        if frame.is_lines and frame.expects == "comma":
            frame.expects = "next"
            instead = "" if _LINE_BREAK.match(self.text, at + 1) else "\n"
            self._line_ends.append((at, Edit(Span(at, at + 1), instead)))
        elif frame.expects == "comma":
            frame.expects, frame.comma = "next", at
        else:
            self._commas(frame, at)
            return
        self._at = at + 1

    def _commas(self, frame: OpenContainer, at: int) -> None:
        """Report commas in place of a value, consecutive ones in one finding."""
        run = _COMMAS.match(self.text, at)
        assert run is not None
        many = run[0].count(",")
        self._at = run.end()
        closed = self.text.startswith(frame.closer, BLANKS.match(self.text, self._at).end())  # type: ignore[union-attr]
        if frame.expects == "first":
            what = f"expected a value, got {'`,`' if many == 1 else f'{many} commas'}"
        elif closed:
            at, many, frame.expects = frame.comma, many + 1, "comma"
            what = f"{many} trailing commas in this {frame.kind}"
        else:
            what = "extra comma" if many == 1 else f"{many} extra commas"
        edits, title = [Edit(Span(at, self._at), "")], "Remove `,`" if many == 1 else "Remove the extra commas"
        self.report(R.syntax_error, at, self._at, what, edits=edits, title=title)

    def _missing_comma(self, frame: OpenContainer, at: int) -> bool:
        """Report a missing comma; return whether the next element or member begins there."""
        text = self.text
        if frame.is_lines:
            self._missing_line_end(frame, at)
            return True
        if _STRAY_QUOTE.match(text, at):
            self.report(R.syntax_error, at, at + 1, 'unexpected `"`',
                        edits=[Edit(Span(at, at + 1), "")], title='Remove `"`')  # fmt: skip
            self._at = at + 1
            return False
        char = text[at]
        end = token_end(text, at)
        here = frame.container.last_end
        if here == self._bad_end:
            self._shake()
        message = f"expected `,` or `{frame.closer}`, got {self._token(at)}"
        if frame.kind == "object":
            starts = COLON.match(text, end) is not None and (char in "\"'_" or char.isalpha())
        else:
            starts = char in "\"'{[-" or char.isdigit() or text[at:end] in ("true", "false", "null")
        if not starts:
            self._error(at, message)
            self._shake()
            return False
        if _NOTHING.fullmatch(text, here, at):
            # after `,"` the quote and the comma may be exchanged
            safety: Safety = "unsafe" if text.endswith(',"', 0, here) else "safe"
            self._error(at, message, edit=Edit(Span(here, here), ","), safety=safety)
            if char not in "{[" and frame.kind == "list":  # an extra number or string looks the same
                self.shaken.add((*(frame.step for frame in self._frames[1:]), len(frame.container.starts)))
        return True  # else the text between was not an element or member, and has been reported

    def _missing_line_end(self, frame: OpenContainer, at: int) -> None:
        text, here = self.text, frame.container.last_end
        if _LINE_END.search(text, here, at):
            return
        if text[at] == "{":
            self._line_ends.append((at, Edit(Span(here, at), "\n")))
        else:
            self._error(at, f"expected a line break, got {self._token(at)}; JSON Lines has one value per line")

    def _missing_colon(self, end: int, at: int) -> int:
        """Report a missing colon; return where the value begins, -1 if there is none."""
        text = self.text
        if text[at] == "=":
            stop = at + 2 if text.startswith("=>", at) else at + 1
            self._error(at, f"expected `:`, got `{text[at:stop]}`", edit=Edit(Span(at, stop), ":"))
            return stop
        if text[at] in "\"'{[-" or text[at].isalnum():
            message = f"expected `:` after the key, got {self._token(at)}"
            # a quote of the key may be surplus, or exchanged with the colon
            safety: Safety = "unsafe" if _ODD_KEY.match(text, end - 2) else "safe"
            self._error(at, message, edit=Edit(Span(end, end), ":"), safety=safety)
            if text[at] in "{[":
                self._shake()  # the bracket may be the mistake
            return at
        self._error(at, f"expected `:` after the key, got {self._token(at)}")
        return -1

    def _colon_in_list(self, frame: OpenContainer, at: int) -> None:
        """Report a key in a list: the list is unclosed, or was meant to be an object."""
        container = frame.container
        parent = self._frames[-2] if len(self._frames) > 1 else None
        no_key = not container.starts or self.text[container.starts[-1]] != '"'
        if no_key or frame.expects != "comma" or frame.is_lines:
            if frame.comma != at:
                self._error(at, "expected a value, got `:`")
            self._shake()
            self._give_up_on(at + 1)
            return
        start, key = container.starts[-1], self._token(container.starts[-1])
        opened = self._opened(frame)
        self._damage()
        if len(container.starts) > 1 and parent is not None and parent.container.members is not None:
            container.starts.pop(), container.ends.pop(), frame.value.pop()
            here = container.last_end
            message = f"unclosed list; expected `]` before the key {key}"
            self._error(start, message, related=opened[1], edit=Edit(Span(here, here), "]"), safety="unsafe")
            self._shake()
            self._end(here)
            parent.expects = "next"
            self._at = start
            return
        if not frame.pairs:
            message = f"unexpected key {key} in a list; only objects have keys"
            self._error(start, message, related=opened[1])
        frame.pairs = self._guessed = True
        self._give_up_on(at + 1)

    def _bracket_for_key(self, frame: OpenContainer, at: int) -> None:
        """Report an opening bracket in place of a key: the object is unclosed, or a key is missing."""
        char = self.text[at]
        parent = self._frames[-2] if len(self._frames) > 1 else None
        if frame.expects != "first" and char == "{" and parent is not None and parent.container.members is None:
            related = self._opened(frame)[1]
            here = frame.container.last_end
            message = "unclosed object; expected `}` before this `{`"
            text = "}," if frame.expects == "comma" and not parent.is_lines else "}"
            edit = Edit(Span(here, here), text)
            self._error(at, message, related=related, edit=edit, title="Insert `}`", safety="unsafe")
            self._damage()
            self._end(here)
            self._shake()
            parent.expects = "next"
            self._at = at
            return
        self._error(at, f"expected a key in double quotes, got `{char}`")
        self._give_up_on(at)

    def _mismatch(self, frame: OpenContainer, at: int) -> None:
        """Report a closing bracket that does not match the innermost opening one."""
        char = self.text[at]
        frames = [f for f in self._frames if not f.is_lines]
        self._guessed = True
        self._damage()
        verdict, index = mismatch(self.text, at, [f.container.start for f in frames]) if frames else ("stray", 0)
        if verdict == "stray":
            self._error(at, f"unmatched `{char}`", edit=Edit(Span(at, at + 1), ""), safety="unsafe")
            self._at = at + 1
            return
        related = self._opened(frame)[1]
        if verdict == "wrong":
            message = f"mismatched bracket; expected `{frame.closer}` to close the {frame.kind}, got `{char}`"
            edit = Edit(Span(at, at + 1), frame.closer)
            self._error(at, message, related=related, edit=edit, safety="unsafe")
            frame.expects = "comma"
            self._close(frame, at)
            return
        closers = "".join(f.closer for f in reversed(frames[index + 1 :]))
        here = frame.container.last_end
        message = f"unclosed {frame.kind}; expected `{frame.closer}`, got `{char}`"
        self._error(at, message, related=related, edit=Edit(Span(here, here), closers), safety="unsafe")
        while self._frames[-1] is not frames[index]:
            self._end(self._frames[-1].container.last_end)
        self._damage()
        frames[index].expects = "comma"
        self._close(frames[index], at)
        self._shake()

    def _at_end(self, frame: OpenContainer) -> None:
        """Report the end of the text inside an open container."""
        if frame.is_lines:
            self._end(frame.container.last_end)
            return
        at, end = self._last_token(frame)
        whole = frame.expects != "next" and end == frame.container.last_end
        self._truncated(at, f"the {frame.kind} opened on line {self._opened(frame)[0]}", end if whole else -1)
        self._abandon(damaged=False)

    def _last_token(self, frame: OpenContainer) -> Span:
        container = frame.container
        span = Span(container.last_end - 1, container.last_end)
        if container.starts and self.text[container.starts[-1]] not in "[{":
            span = Span(container.starts[-1], container.ends[-1])
        near = max(span.end, len(self.text.rstrip()) - 1000)  # no need to scan all the rest
        while (at := self._skip(near)) < len(self.text):
            span = Span(at, near := token_end(self.text, at))
        return span

    def _truncated(self, at: int, inside: str, append_at: int = -1) -> None:
        """Report a truncated text; if only closing brackets are missing, offer to add them."""
        frames = [frame for frame in self._frames if not frame.is_lines]
        # A reader that tolerates missing brackets does so only after complete values.
        lenient = append_at >= 0 and bool(frames and frames[-1].container.starts)
        tolerated = lenient and R.truncated_file in self.options.tolerated
        if not self._guessed:
            closers = "".join(frame.closer for frame in reversed(frames))
            more: dict[str, Any] = {} if lenient else {"level": "error"}
            message = f"unexpected end of file inside {inside}"
            if frames:
                message += f"; missing {shown(closers)}"
                more["related"] = self._opened(frames[-1])[1]
            if append_at >= 0:
                more |= self._appended(append_at, closers, tolerated)
            self.report(R.truncated_file, *text_end(self.text, Span(at, token_end(self.text, at))), message, **more)
        self.left = True
        if self._guessed or not tolerated:
            self._damage_all()
        self._guessed = True
        self._at = len(self.text)

    def _appended(self, at: int, closers: str, tolerated: bool) -> dict[str, Any]:
        """Return the fix that closes all that is open where the text ends."""
        may_continue = self.text[max(at - 1, 0) : at].isalnum()  # as a number does
        safety = "safe" if tolerated and not may_continue else "unsafe"
        return {"edits": [Edit(Span(at, at), closers)], "title": f"Add {shown(closers)}", "safety": safety}

    def _give_up_on(self, at: int) -> None:
        """Skip to the next comma or bracket of the innermost open container."""
        self._damage()
        self._frames[-1].expects = "comma"
        text, depth, start = self.text, 0, at
        while at < len(text):
            char = text[at]
            if char in "[{":
                depth += 1
            elif char in "]}":
                if depth == 0:
                    break
                depth -= 1
            elif char == "," and depth == 0:
                break
            match = _UNINTERESTING.match(text, at)
            at = match.end() if match else token_end(text, at)
        if STRUCTURE.search(text, start, at):
            self._shake()
        self._at = at

    def _trailing(self) -> None:
        # A reader that ignores text after the document ignores any text.
        ignored = R.trailing_text in self.options.tolerated
        at = BLANKS.match(self.text, self._at).end() if ignored else self._skip(self._at)  # type: ignore[union-attr]
        if at >= len(self.text):
            return
        if self._guessed:
            self.left = True
            return
        if ignored and (comment := open_comment(self.text, at, self.options)) >= 0:
            self._error(comment, "unclosed comment")
            return
        line_end = len(self.text) if (end := self.text.find("\n", at)) < 0 else end
        end = at + len(self.text[at:line_end].rstrip())
        message = f"unexpected text after the document: {shown(self.text[at:end])}"
        edits = [Edit(Span(max(self._at, 0), len(self.text)), "")]
        # Text that the format's reader ignores can be removed; text that it refuses may have been meant.
        safety: Safety = "safe" if ignored else "unsafe"
        self.report(
            R.trailing_text, at, end, message, edits=edits, title="Remove the text after the document", safety=safety
        )
