"""From text to layers. Lines that are written as all are go fast; of any other, what the runtime's words would be is worked out."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from irlint.codes import R
from irlint.text.base import Edit, Span, text_end
from irlint.text.layers.document import (
    COMMENT,
    KEY,
    SPACE,
    STRANGE,
    WORD,
    LayerDocument,
    LayerRow,
    Word,
    counted,
    has_names,
    layer_of,
    layers_of,
    splitter,
)
from irlint.text.lines import LINE_END
from irlint.text.words import count

_REACH = 8  # lines that one layer may take
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}")
_PARAMETER = re.compile(r"[+-]?[0-9]+=")
_LOOSE = re.compile(r"-?[0-9]+[=:]|=|[#;/]")  # a parameter that is not written as one, or a comment
_SLIP = re.compile(r"(-?[0-9]+)[,:;]([-+0-9.eE,]*[0-9])")
_SHOWN = 6  # names in a message
_POSITIONAL = ("type", "name", "number of inputs", "number of outputs")


def open_text(text: str, name: str, magic: str) -> LayerDocument:
    document = LayerDocument(text, name)
    if not text.strip("\ufeff" + SPACE):
        document.trouble(R.empty_file, 0, 0, "the file is empty")
        return document
    if text.startswith("\ufeff"):
        message = "the file starts with a byte order mark; the runtime expects the magic number"
        document.trouble(R.byte_order_mark, 0, 1, message, "Remove the byte order mark", Edit(Span(0, 1), ""))
    lines = LINE_END.split(text) if "\r" in text else text.split("\n")
    lines[0] = lines[0].removeprefix("\ufeff")
    number = _header(document, lines, magic)
    _LayerReader(document, lines).read(number)
    if len(document.header) < 3:
        _tell_missing(document)
    return document


def _header(document: LayerDocument, lines: list[str], magic: str) -> int:
    """Read the magic number and the counts; return the first line of the layers."""
    words: list[Word] = []
    number, split = 0, splitter(document.text)
    for line in lines:
        if len(words) >= 3 or (not line.lstrip(SPACE)[:1].isdigit() and layer_of(line, 0, split)):
            break
        start = document.line_start(number)
        if COMMENT.match(line):
            _comment(document, start, line)
        else:
            words += document.words_between(start, start + len(line))
        number += 1
    if len(words) == 2 and words[0].text != magic and all(_NUMBER.fullmatch(word.text) for word in words):
        at = words[0].start
        edit, message = Edit(Span(at, at), magic + document.newline), f"missing magic number {magic} in the first line"
        document.trouble(R.wrong_magic, at, words[0].end, message, "Insert the magic number", edit)
        words.insert(0, Word(at, at, magic))
    document.header.update(zip(("magic", "layers", "blobs"), words, strict=False))
    _judge_header(document, magic)
    if len(words) > 3:
        _first_layer(document, lines[number - 1], number - 1, words)
    return number


def _judge_header(document: LayerDocument, magic: str) -> None:
    for what, (start, end, text) in document.header.items():
        is_number = _NUMBER.fullmatch(text) is not None
        if what != "magic" and not is_number:
            document.trouble(R.syntax_error, start, end, f"expected the number of {what}, got `{text}`")
        elif what == "magic" and not (is_number and text.lstrip("+0") == magic):
            message = f"expected the magic number {magic}, got `{text}`"
            document.trouble(R.wrong_magic, start, end, message, f"Set to {magic}", Edit(Span(start, end), magic))


def _first_layer(document: LayerDocument, line: str, number: int, words: list[Word]) -> None:
    """Read the first layer on the line of the counts."""
    before = words[3].start - document.lines.starts[number]
    if (layer := layer_of(line[before:], number, splitter(document.text))) is None:
        message = "expected the first layer in a line of its own"
        document.trouble(R.syntax_error, words[3].start, words[-1].end, message)
    else:
        document.rows.append(layer._replace(skip=len(WORD.findall(line[:before]))))


def _tell_missing(document: LayerDocument) -> None:
    """Report counts that the header lacks, once the layers are known."""
    words, rows = list(document.header.values()), document.rows
    what = ("the magic number", "the numbers of layers and blobs", "the number of blobs")[len(words)]
    start, end = words[-1][:2] if words else (0, min(1, len(document.text)))
    message, repair = f"missing {what} before the first layer", list[Edit]()
    if words and rows and not any(row.broken for row in rows):
        counts = [str(len(rows)), str(sum(len(row.outputs) for row in rows))][len(words) - 1 :]
        before = (document.newline, " ")[len(words) - 1]
        repair = [Edit(Span(end, end), before + " ".join(counts))]
    document.trouble(R.syntax_error, start, end, message, f"Insert {what}" if repair else "", *repair)


def _comment(document: LayerDocument, at: int, line: str) -> None:
    end = at + len(line)
    edit = Edit(Span(at, min(end + len(document.newline), len(document.text))), "")
    message = "comment before the last layer; the runtime reads it as a layer"
    document.trouble(R.comment, end - len(line.lstrip(SPACE)), end, message, "Remove the comment", edit)


class _LayerReader:
    """The lines of one file. Layers that are not written as usual are rare."""

    def __init__(self, document: LayerDocument, lines: list[str]) -> None:
        self.document, self.lines = document, lines
        self.rows = document.rows
        self.starts = document.lines.starts
        self.expected = document.count("layers")
        self.comments: list[int] = []  # lines, since the last layer
        self.known: set[str] = set()  # blobs of the first rows
        self.known_rows = 0
        self.end = len(lines)  # without blank lines at the end
        self.split = splitter(document.text)

    def read(self, number: int) -> None:
        lines, total, add = self.lines, len(self.lines), self.rows.append
        while total > number and not lines[total - 1].strip(SPACE):
            total -= 1
        self.end = total
        layers = layers_of(lines[number:total], number, self.split)
        first = number
        if None not in layers:  # as files of converters are
            self.rows += [layer for layer in layers if layer is not None]
            number = total
        while number < total:
            line, layer, taken = lines[number], layers[number - first], 1
            if layer is not None:
                self._tell_comments()
                add(layer)
            elif COMMENT.match(line):
                self.comments.append(number)
            elif line.strip(SPACE):
                taken = self._odd(number, layers[number + 1 - first : number + _REACH - first])
            number += taken
        self.document.end = self.rows[-1].line + self.rows[-1].lines if self.rows else total

    def layer_of(self, line: str, number: int = 0) -> LayerRow | None:
        return layer_of(line, number, self.split)

    def _tell_comments(self) -> None:
        for number in self.comments:
            _comment(self.document, self.document.line_start(number), self.lines[number])
        self.comments.clear()

    def _odd(self, number: int, following: list[LayerRow | None]) -> int:
        """Read a line that is not a layer as usual; return how many lines that takes. `following` are the layers of the next lines."""
        line = self.lines[number]
        words = WORD.findall(line)
        is_read = self.expected is None or len(self.rows) < self.expected
        if self.rows and is_read and all(map(KEY.match, words)):  # the parameters of the layer before, continued
            self._join(number, line)
            return 1
        if not is_read:
            self.document.end = number
            at = self.starts[number]
            message = "text after the last layer, which the runtime does not read"
            self.document.trouble(R.trailing_text, at, at + len(line), message, level="warning")
            return len(self.lines) - number
        self._tell_comments()
        joined = line
        for size, is_layer in enumerate(following, 2):
            # no more words help a line that has all its names; only a text in quotes may go on
            if (is_layer and size > 2) or ('"' not in joined and has_names(joined, self.split)):
                break
            joined += " " + self.lines[number + size - 1].strip(SPACE)
            if (layer := self.layer_of(joined, number)) is not None and not is_layer:
                self.rows.append(layer._replace(lines=size))
                return size
        self._broken(number, line)
        return 1

    def _join(self, number: int, line: str) -> None:
        """Report parameters on a line of their own: older readers assign them to the layer above."""
        last = self.rows[-1]
        self.rows[-1] = last._replace(
            params=f"{last.params} {line.strip(SPACE)}".strip(SPACE), lines=number + 1 - last.line
        )
        at, end = self.starts[number], self.starts[number] + len(line)
        message = "parameters have to be on the line of their layer"
        edit = Edit(Span(self.document.text_of(last).end, end - len(line.lstrip(SPACE))), " ")
        self.document.trouble(R.syntax_error, at, end, message, "Join the lines", edit)

    def _broken(self, number: int, line: str) -> None:
        """Report a line that cannot be read, and guess its layer."""
        start = self.document.line_start(number)
        if (strange := STRANGE.search(line)) and (layer := layer_of(STRANGE.sub(" ", line), number)):
            self._tell_strange(start + strange.start(), strange[0])
            self.rows.append(layer)
            return
        words = self.document.words_between(start, start + len(line))
        texts = [word.text for word in words]
        where = next((k for k, text in enumerate(texts) if k > 1 and KEY.match(text)), len(texts))
        cut = number + 1 == self.end and not self.document.text.endswith("\n") and len(self.rows) < (self.expected or 0)
        nin, nout = [*map(counted, texts[2:4]), None, None][:2]
        if nin is None or nout is None:
            self._tell_head(words, cut)
            self.rows.append(_guess(number, texts, where))
        elif (layer := _with_signs(number, texts, (nin, nout))) is not None:
            self.rows.append(layer)
        else:
            self.rows.append(_guess(number, texts, where, (nin, nout)))
            self._tell_layer(number, line, start, words, where, cut)

    def _tell_layer(self, number: int, line: str, start: int, words: list[Word], where: int, cut: bool) -> None:
        """Report what is wrong in a layer whose counts are known."""
        names, last = [word.text for word in words[4:where]], self.rows[-1]
        size = sum(last.counts)
        rest = words[4 + size :]
        k = next((k for k, word in enumerate(rest) if not _is_parameter(word.text)), len(rest))
        if len(names) < size:
            if cut and where == len(words):
                self._tell_cut(words)
            else:
                self._tell_names(words, names, *last.counts)
        elif k < len(rest) and self.layer_of(line[rest[k].start - start :], number):
            self._tell_second(line, rest[k].start - start, number, len(words) - len(rest) + k)
        elif cut and k == len(rest) - 1:
            self._tell_cut(words)
        elif len(names) == size or _LOOSE.match("".join(word.text for word in rest[k : k + 2])):
            self._tell_word(rest[min(k, len(rest) - 1)] if rest else words[-1])
        else:
            self._tell_names(words, names, *last.counts)

    def _tell_strange(self, at: int, sign: str) -> None:
        message, title = f"expected a space between words, got U+{ord(sign):04X}", "Replace with a space"
        edit = Edit(Span(at, at + 1), " ")
        self.document.trouble(R.syntax_error, at, at + 1, message, title, edit)

    def _tell_cut(self, words: list[Word]) -> None:
        end = text_end(self.document.text, Span(words[-1].start, words[-1].end))
        self.document.trouble(R.truncated_file, *end, "the file ends within a layer")

    def _tell_second(self, line: str, column: int, number: int, skip: int) -> None:
        layer, at = self.layer_of(line[column:], number), self.starts[number] + column
        assert layer is not None
        last = self.rows[-1]
        nin, nout = last.counts
        names, params = (*last.inputs, *last.outputs)[: nin + nout], WORD.findall(line[:column])[4 + nin + nout :]
        self.rows[-1] = last._replace(outputs=names[nin:], params=" ".join(params), broken=False)
        self.rows.append(layer._replace(skip=skip))
        message = "expected the end of the line before the next layer"
        edit = Edit(Span(len(self.document.text[:at].rstrip(" \t")), at), self.document.newline)
        self.document.trouble(R.syntax_error, at, at + len(layer.op), message, "Insert a line end", edit)

    def _tell_head(self, words: list[Word], cut: bool) -> None:
        texts = [word.text for word in words[:4]]
        bad = next((k for k in (2, 3) if k < len(texts) and counted(texts[k]) is None), len(texts))
        at = words[min(bad, len(words) - 1)]
        if cut:
            self._tell_cut(words)
        elif bad < len(texts):
            message = f"expected the {_POSITIONAL[bad]} of a layer, got `{at.text}`"
            self.document.trouble(R.syntax_error, at.start, at.end, message)
        else:
            message = f"missing {_POSITIONAL[bad]} of a layer"
            self.document.trouble(R.syntax_error, words[0].start, words[-1].end, message)

    def _tell_comment(self, bad: Word) -> None:
        text = self.document.text
        line = self.document.lines.position(bad.start).line
        start, end = len(text[: bad.start].rstrip(" \t")), self.document.lines.start(line) + len(self.lines[line - 1])
        message = "comment after a layer; the runtime reads it as a parameter"
        edit = Edit(Span(start, end), "")
        self.document.trouble(R.comment, bad.start, end, message, "Remove the comment", edit)

    def _tell_word(self, bad: Word) -> None:
        text = bad.text
        if COMMENT.match(text):
            self._tell_comment(bad)
            return
        if text.endswith("="):
            message = f"missing value of parameter `{text[:-1]}`"
        elif text.startswith("=") or _NUMBER.fullmatch(text):
            message = f"expected `ID=VALUE` without spaces, got `{text}`"
        else:
            message = f"expected a parameter `ID=VALUE`, got `{text}`"
        if meant := _meant(text):
            edit, message = Edit(Span(bad.start, bad.end), meant), f"{message}; did you mean `{meant}`?"
            title = f"Replace with `{meant}`"
            self.document.trouble(R.syntax_error, bad.start, bad.end, message, title, edit, safety="unsafe")
        else:
            self.document.trouble(R.syntax_error, bad.start, bad.end, message)

    def _tell_names(self, words: list[Word], names: list[str], nin: int, nout: int) -> None:
        """Report that a layer has more names or fewer than its counts say."""
        above = self.rows[self.known_rows : -1]
        self.known.update(name for row in above for name in row.outputs)
        self.known_rows += len(above)
        listed = ", ".join(map(repr, names[:_SHOWN])) + ", ..." * (len(names) > _SHOWN)
        got = f"{count(len(names), 'name')}{': ' * bool(names)}{listed}"
        message = f"expected {count(nin, 'input')} and {count(nout, 'output')}, got {got}"
        lead = next((k for k, name in enumerate(names) if name not in self.known), len(names))
        extra = words[4 + nin + nout : 4 + len(names)]
        if slip := next((word for word in extra if _meant(word.text)), None):
            at, new = slip, _meant(slip.text)
            message, title = f"{message}; did you mean `{new}`?", f"Replace with `{new}`"
        else:
            at, new, title = self._count_slip(words, len(names), lead, nin, nout)
        if not title and lead == nin:
            message += f"; missing {count(nout, 'output')}"
        edits = [Edit(Span(at.start - (not new), at.end), new)] if title else []
        self.document.trouble(R.wrong_name_count, at.start, at.end, message, title, *edits, safety="unsafe")

    def _count_slip(self, words: list[Word], size: int, lead: int, nin: int, nout: int) -> tuple[Word, str, str]:
        """Return the word to change, what to write for it, and a title; without a title if that is not known.

        `lead` are the first of the names that are blobs of layers above.
        """
        new_ones = words[4 + lead : 4 + size] if size > nin + nout else []
        alone = [word for word in new_ones if self.times[word.text] == 1 and word.text != words[1].text]
        if lead != nin and size - lead == nout:
            return words[2], str(lead), "Correct the number of inputs"
        if lead == nin and size - nin - nout == len(alone) == 1:
            return alone[0], "", f"Remove {alone[0].text!r}"
        if lead == nin and size > lead:
            return words[3], str(size - lead), "Correct the number of outputs"
        return words[3], "", ""

    @cached_property
    def times(self) -> Counter[str]:
        """Return how often each name of a blob is in the text."""
        return Counter(word for line in self.lines for word in WORD.findall(line)[4:])


def _meant(text: str) -> str:
    """Return the parameter that a word with another sign for `=` was meant to be, or nothing."""
    match = _SLIP.fullmatch(text)
    return f"{match[1]}={match[2]}" if match else ""


def _is_parameter(text: str) -> bool:
    _, sign, value = text.partition("=")
    return bool(sign and value and KEY.match(text) and ("=" not in value or value[0] == '"'))


def _with_signs(number: int, texts: list[str], counts: tuple[int, int]) -> LayerRow | None:
    """Return the layer of a line some of whose names have equals signs."""
    nin, size = counts[0], sum(counts)
    names, rest = texts[4 : 4 + size], texts[4 + size :]
    key = KEY if "." in texts[0] else _PARAMETER  # parameters of types with dots have names
    if len(names) < size or any(map(key.match, names)) or not all(map(_is_parameter, rest)):
        return None
    return LayerRow(number, texts[0], texts[1], counts, tuple(names[:nin]), tuple(names[nin:]), " ".join(rest))


def _guess(number: int, texts: list[str], where: int, counts: tuple[int, int] = (0, 0)) -> LayerRow:
    names = tuple(texts[4:where])
    inputs = names[: min(counts[0], max(len(names) - 1, 0))]
    name = texts[1] if len(texts) > 1 else ""
    params = " ".join(text for text in texts[where:] if _is_parameter(text))
    return LayerRow(number, texts[0], name, counts, inputs, names[len(inputs) :], params, broken=True)
