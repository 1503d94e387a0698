"""Recognizes tokens.txt next to models of speech, and compares the number of tokens with the models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.base import Companion
from irlint.companions.lists import lines_of
from irlint.companions.ports import Ports, ServedPort, ports_of
from irlint.companions.report import Report
from irlint.companions.sherpa.keys import SHOWN, check
from irlint.dryrun.dims import show
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.formats.base import LIKELY, Head, Recognition
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Span
from irlint.text.numbers import decimal
from irlint.text.placed import PlacedDocument

_LINE = re.compile(r"(?:\S+[ \t]+)?\d+")  # a token, or none for a blank, and its number
_MODELS = re.compile(r"(?:joiner|ctc|model)\b.*\.onnx")
_MOST = 2  # models of a folder that are read
_HEAD = 8  # lines that show what a file is
_DIGITS = 9
_DURATIONS = 16  # outputs of a transducer for durations, at most, where the blank is the last token


class TokenLine(NamedTuple):
    text: str
    number: int | None


def _tokens(text: str) -> Iterator[TokenLine]:
    for match in lines_of(text):
        line = match[0].strip()
        is_token = _LINE.fullmatch(line)
        yield TokenLine(line, decimal(line.split()[-1], _DIGITS) if is_token else None)


class Sherpa(Companion):
    name, title, why = "sherpa", "sherpa-onnx tokens", "it numbers tokens next to a model of speech"
    quote = ""
    rows = "sherpa"

    def recognize(self, head: Head) -> Recognition | None:
        first = list(islice(_tokens(head.text), _HEAD))
        unlike = sum(token.number is None for token in first)
        is_list = first and first[0].number == 0 and unlike * 4 <= len(first)
        is_ours = is_list and _models(FilePath(head.name).parent)
        return Recognition(LIKELY, self.why) if is_ours else None

    def open(self, text: str, name: str) -> Document:
        values: dict[Path, Span] = {(k,): Span(*match.span()) for k, match in enumerate(lines_of(text))}
        return PlacedDocument(text, name, list(_tokens(text)), values)

    def inside(self, tree: dict[str, Any], model: Ports, report: Report) -> None:
        check(tree, self.table, model, report)

    def alone(self, tree: Any, report: Report) -> None:
        for k, token in enumerate(tree):
            if token.number is None:
                words = f"expected a token and its number, got {token.text[:SHOWN]!r}"
                report.say(R.value_not_allowed, (k,), words, severity=Severity.WARNING)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        for file in _models(path.parent):
            found = ports_of(model, path.parent / file)
            if found is not None and found.outputs and (real := _scores(found.outputs[0])) is not None:
                _compare(tree, real, found.outputs[0], file, report)


def _models(folder: FilePath) -> list[str]:
    """Return the models of a folder whose first output has one score for each token."""
    names = sorted(name for name in file_source().names(folder) if _MODELS.match(name))
    return names[:_MOST]


def _scores(port: ServedPort) -> int | None:
    """Return the number of scores of an output that has one for each token."""
    size = port.type.shape[-1] if port.type.shape and port.name.startswith("log") else None
    return size if isinstance(size, int) and size > 1 else None


def _compare(tokens: list[TokenLine], real: int, port: ServedPort, file: str, report: Report) -> None:
    """Report a number of tokens that is too small: those of transducers may be followed by symbols that only graphs use."""
    most = max((token.number for token in tokens if token.number is not None), default=0)
    room = _DURATIONS if tokens[-1].text.startswith("<blk>") else 0
    if most + 1 + room < real:
        words = f"the last token is number {most}, but output {port.name!r} of {file} is {show(port.type.shape)}"
        report.say(
            R.other_value, (len(tokens) - 1,), words, other=("declared here", port.at), severity=Severity.WARNING
        )


KIND = Sherpa()
