"""Recognizes tokens.txt next to models of speech, and compares the number of tokens with the models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.base import Companion
from irlint.companions.embeddings import tables_of
from irlint.companions.lists import lines_of
from irlint.companions.metadata import metadata_at, metadata_value
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
_SYMBOL = re.compile(r"#\d+\s")  # that only graphs use
_SPARE = 2  # numbers at the end that a model may lack
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
        models = _models(FilePath(head.name).parent) if is_list or _is_unnumbered(first) else []
        is_ours = models and (is_list or models[0].startswith("joiner"))
        return Recognition(LIKELY, self.why) if is_ours else None

    def open(self, text: str, name: str) -> Document:
        values: dict[Path, Span] = {(k,): Span(*match.span()) for k, match in enumerate(lines_of(text))}
        return PlacedDocument(text, name, list(_tokens(text)), values)

    def inside(self, tree: dict[str, Any], model: Ports, report: Report) -> None:
        check(tree, self.table, model, report)

    def alone(self, tree: Any, report: Report) -> None:
        wrong = [k for k, token in enumerate(tree) if token.number is None]
        if wrong:
            more = f", and {len(wrong) - 1} more such lines" if len(wrong) > 1 else ""
            words = f"expected a token and its number, got {tree[wrong[0]].text[:SHOWN]!r}{more}"
            report.say(R.value_not_allowed, (wrong[0],), words, severity=Severity.WARNING)
        seen: dict[int, Path] = {}
        for k, token in enumerate(tree):
            if token.number in seen:
                report.once(token.number, f"number {token.number} is given twice", (k,), seen, Severity.WARNING)
                break
            if token.number is not None:
                seen[token.number] = (k,)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        is_numbered = sum(token.number is None for token in tree) * 4 <= len(tree)
        for file in _models(path.parent) if is_numbered else ():
            found = ports_of(model, path.parent / file)
            if found is None or not (found.outputs and found.inputs):
                continue
            if (real := _scores(found.outputs[0])) is None:
                _rows(tree, found, file, report)
            else:
                _compare(tree, real, found.outputs[0], file, report)
                self._blank(tree, found, file, report)
                _parts_of(model, path.parent, file, found, report)

    def _blank(self, tokens: list[TokenLine], model: Ports, file: str, report: Report) -> None:
        """Report tokens of a CTC model without a blank: the program exits."""
        kind, names = metadata_value(model.model, "model_type"), self.table["blank"]["tokens"]
        if kind in self.table["blank"]["models"] and not any(token.text.split()[0] in names for token in tokens):
            words = f"none of the tokens is {', '.join(names[:-1])} or {names[-1]}; sherpa-onnx exits for {file}, a CTC model"
            report.say(R.other_value, (len(tokens) - 1,), words, severity=Severity.WARNING)


def _is_unnumbered(first: list[TokenLine]) -> bool:
    """Return whether all lines have a token without a number, as a vocabulary of another program."""
    return len(first) == _HEAD and all(token.number is None and len(token.text.split()) == 1 for token in first)


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
    numbers = {
        token.number: k for k, token in enumerate(tokens) if token.number is not None and not _SYMBOL.match(token.text)
    }
    most = max((token.number for token in tokens if token.number is not None), default=0)
    room = _DURATIONS if tokens[-1].text.startswith("<blk>") else 0
    if numbers and max(numbers) >= real + _SPARE:
        last = max(numbers)
        words = f"token number {last} is not within the scores of {file}, whose output {port.name!r} is {show(port.type.shape)}"
        report.say(R.other_value, (numbers[last],), words, other=("declared here", port.at), severity=Severity.WARNING)
    elif most + 1 + room < real:
        words = f"the last token is number {most}, but output {port.name!r} of {file} is {show(port.type.shape)}"
        report.say(
            R.other_value, (len(tokens) - 1,), words, other=("declared here", port.at), severity=Severity.WARNING
        )


def _rows(tokens: list[TokenLine], model: Ports, file: str, report: Report) -> None:
    """Report a token for which a model that speaks has no embedding; it may have more of them than there are tokens."""
    text, shape = model.inputs[0], next(tables_of(model, model.inputs[0].name), None)
    last = max(range(len(tokens)), key=lambda k: tokens[k].number or 0)
    if shape is not None and isinstance(shape[0], int) and (number := tokens[last].number or 0) >= shape[0]:
        words = f"token number {number} is not within the table of {file} for {text.name!r}, which is {show(shape)}"
        report.say(R.other_value, (last,), words, other=("declared here", text.at), severity=Severity.WARNING)


def _parts_of(model: Model, folder: FilePath, file: str, joiner: Ports, report: Report) -> None:
    """Report an encoder and a decoder whose outputs are not what the joiner next to them takes, or whose vocabulary is another one."""
    names = file_source().names(folder)
    for part, port in zip(("encoder", "decoder"), joiner.inputs, strict=False):
        name = file.replace("joiner", part)
        found = ports_of(model, folder / name) if name != file and name in names else None
        if found is None or not found.outputs:
            continue
        given, taken = found.outputs[0], port
        sizes = [one.type.shape[-1] if one.type.shape else None for one in (given, taken)]
        if all(isinstance(size, int) for size in sizes) and sizes[0] != sizes[1]:
            words = f"output {given.name!r} of {name} is {show(given.type.shape)}, "
            words += f"but input {taken.name!r} of {file} is {show(taken.type.shape)}"
            report.say(R.other_shape, (0,), words, other=("declared here", given.at), severity=Severity.WARNING)
        if part == "decoder" and metadata_value(found.model, "context_size"):
            _vocabulary(found, name, joiner.outputs[0], file, report)


def _vocabulary(decoder: Ports, name: str, scores: ServedPort, file: str, report: Report) -> None:
    said, real = decimal(metadata_value(decoder.model, "vocab_size") or "", _DIGITS), _scores(scores)
    if said is not None and said != real:
        words = f"`vocab_size` of {name} is {said}, but output {scores.name!r} of {file} has {real} scores"
        here = metadata_at(decoder.model, "vocab_size") or scores.at
        report.say(R.other_value, (0,), words, other=("declared here", here), severity=Severity.WARNING)


KIND = Sherpa()
