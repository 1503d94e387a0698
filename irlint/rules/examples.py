"""Examples of rules by format: `pages.md` next to a format has a section for each rule, with a model that breaks it and one that does not.

A section is headed `# CODE` and has two fenced blocks: the model that gives exactly this finding, then what to use instead, which does
not. Text before the second block explains. A second block that is a part of one of the fenced models before the first section is shown
for that model, and the first block for the model with that part replaced. A block with `page=only` is none of the two.

The words after the language of a fence say how the model is checked, and are not shown: `dialect=json`, `target=openvino=2021.4`,
`extension=ncnn:MyLayer` for an operator that the configuration declares, a file next to it with its bytes in hex or as a text
(`model.bin=6*00 807f`, `model.bin="<html>"`), a link (`model.bin=->/dev/null`), `cut=yes` for a text that does not end with a line break,
and `escapes=yes` for one in which `\\xff` and `\\ufeff` are a byte and a character, and `⟨9 x [⟩` nine brackets.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from textwrap import dedent

from irlint.records import NamedTuple

FILE = "pages.md"
LINK = "->"  # begins the value of a file that is a link
NOTHING = "none"  # for a file of the frame that is not there

_HEADING = re.compile(r"^# (\w+)\n", re.MULTILINE)
_FENCE = re.compile(
    r"^(?P<fence>`{3,})(?P<language>\w+)(?P<words>[^\n]*)\n(?P<text>.*?)^(?P=fence)$\n?", re.MULTILINE | re.DOTALL
)
_WORD = re.compile(r"(\S+?)=((?:[^\s=]+=)?[^\n=]*?)(?=\s+\S+?=|\s*$)")
_ESCAPE = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})")
_TIMES = re.compile(r"⟨(\d+) x (.+?)⟩")
_REPEATED = re.compile(r"(?:(\d+)\*)?((?:[0-9a-f]{2})+)")


class ExampleModel(NamedTuple):
    """A whole model of an example."""

    text: str
    dialect: str
    targets: Mapping[str, str]
    side_files: Mapping[str, bytes]
    links: Mapping[str, str]
    extension: str  # an operator that the configuration declares: DOMAIN:OPERATOR


class Example(NamedTuple):
    """What a format says of a rule: Markdown for the sections "Example" and "Use instead", and the models behind it."""

    format: str
    example: str
    instead: str
    broken: ExampleModel
    sound: ExampleModel


def examples(code: str) -> dict[str, Example]:
    """Return the examples of a rule by format, in the order in which formats are shown."""
    return {name: found[code] for name, found in _by_format().items() if code in found}


@cache
def _by_format() -> dict[str, dict[str, Example]]:
    from irlint.formats.base import shown_order

    found = {}
    for name, format_ in shown_order().items():
        module = sys.modules[type(format_).__module__].__file__
        path = Path(module or "").parent / FILE
        if module and path.is_file():
            found[name] = dict(parsed(path.read_text("utf-8"), name))
    return found


def parsed(text: str, format_name: str) -> Iterator[tuple[str, Example]]:
    """Yield code and example of each section."""
    head, *parts = _HEADING.split(text)
    frames = list(_FENCE.finditer(head))
    for code, section in zip(parts[::2], parts[1::2], strict=True):
        blocks = [block for block in _FENCE.finditer(section) if "page=only" not in block["words"]]
        if len(blocks) != 2:
            raise ValueError(f"{FILE} of {format_name}: expected 2 blocks for {code}, got {len(blocks)}")
        first, second = blocks
        frame = next((frame for frame in frames if second["text"] in frame["text"]), None)
        if frame is not None and frame["text"].count(second["text"]) > 1:
            raise ValueError(
                f"{FILE} of {format_name}: the second block of {code} occurs more than once in the model above"
            )
        yield (
            code,
            Example(
                format_name,
                _FENCE.sub(_shown, section[: first.end()]).strip("\n"),
                _FENCE.sub(_shown, section[first.end() :]).strip("\n"),
                _sample(first, frame, second["text"]),
                _sample(second, frame, second["text"]),
            ),
        )


def _shown(block: re.Match[str]) -> str:
    return f"{block['fence']}{block['language']}\n{dedent(block['text'])}{block['fence']}\n"


def _sample(block: re.Match[str], frame: re.Match[str] | None, part: str) -> ExampleModel:
    """Return the model of a block: itself, or the frame with the block in place of a part."""
    text, words = block["text"], dict(_WORD.findall(block["words"]))
    if frame is not None:
        text, words = frame["text"].replace(part, text), dict(_WORD.findall(frame["words"])) | words
    words = {name: said for name, said in words.items() if said != NOTHING}
    dialect = words.pop("dialect", "")
    target = words.pop("target", "")
    extension = words.pop("extension", "")
    if words.pop("cut", ""):
        text = text.removesuffix("\n")
    if words.pop("escapes", ""):
        text = _ESCAPE.sub(_character, _TIMES.sub(lambda many: int(many[1]) * many[2], text))
    links = {name: said.removeprefix(LINK) for name, said in words.items() if said.startswith(LINK)}
    files = {name: _bytes(said) for name, said in words.items() if name not in links}
    return ExampleModel(text, dialect, dict([target.split("=")]) if target else {}, files, links, extension)


def _character(escape: re.Match[str]) -> str:
    if escape[2]:
        return chr(int(escape[2], 16))
    return bytes([int(escape[1], 16)]).decode("utf-8", "surrogateescape")


def _bytes(said: str) -> bytes:
    """Return bytes written as hex: `6*00 807f` is six zeros and two others; `"..."` is a text."""
    if said.startswith('"'):
        return said.strip('"').encode()
    return b"".join(bytes.fromhex(digits) * int(times or 1) for times, digits in _REPEATED.findall(said))
