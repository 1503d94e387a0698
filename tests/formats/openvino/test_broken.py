"""Random edits of the text: whatever is left of a file, there are findings with places inside of it, and fixing comes to an end."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from irlint import engine, fixes
from irlint.findings import Finding

from .models import model, operations

BITS = [
    "<", ">", '"', "'", "/", "&", " ", "=", "</layer>", "<layer>", "<port>", "</port>", "<dim>", "</dim>", "<data", "<!--", "-->",
    "<![CDATA[", "]]>", "<?", "?>", "😀", "\x00", "\x01", "-1", "99999999999999999999", "<a:b/>", 'xmlns="x"', 'a:b="1"', "<net", "</net>",
    "</layers>", "<edges>", "<edge/>", "<body>", 'id=""', "1e999", "\udc80", "\u2028", "<rt_info>", "<input/>", "\ufffe", "\r", "\t",
]  # fmt: skip


def _insert(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(BITS) + text[at:]


def _delete(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + text[at + rng.choice((1, 2, 5, 20, 200)) :]


def _copy(text: str, rng: random.Random) -> str:
    start, at = rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)
    return text[:at] + text[start : start + rng.choice((1, 5, 30, 300))] + text[at:]


def _value(text: str, rng: random.Random) -> str:
    values = list(re.finditer('"[^"]*"', text))
    if not values:
        return text
    spot, other = rng.choice(values), rng.choice(values)
    return text[: spot.start()] + rng.choice((other[0], f'"{rng.choice(BITS)}"')) + text[spot.end() :]


def _lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    if rng.random() < 0.3:
        del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


EDITS: list[Callable[[str, random.Random], str]] = [_insert, _delete, _copy, _value, _lines]


def _broken(text: str, rng: random.Random) -> str:
    for _ in range(rng.choice((1, 1, 2, 4))):
        text = rng.choice(EDITS)(text, rng)
    return text


def _lint(text: str) -> list[Finding]:
    result = engine.lint(text, "model.xml")
    size = len(result.document.text if result.document is not None else result.text)
    for finding in result.findings:
        edits = finding.fix.edits if finding.fix else ()
        for span in (finding.span, *(edit.span for edit in edits)):
            assert 0 <= span.start <= span.end <= size, finding
    return result.findings


@pytest.mark.parametrize("seed", range(12))
def test_random_edits(seed: int) -> None:
    rng = random.Random(seed)
    keys = list(operations())
    for _ in range(25):
        _lint(_broken(model(rng.choice(keys)).text, rng))


@pytest.mark.parametrize("seed", range(100, 104))
def test_random_edits_are_fixed_as_far_as_they_can_be(seed: int) -> None:
    rng = random.Random(seed)
    keys = list(operations())
    for _ in range(10):
        fixes.fix(_broken(model(rng.choice(keys)).text, rng), _lint, unsafe=True)


@pytest.mark.parametrize("tag", ["p😀rt", "a:b", "x:port", "\ufffe", "ns:port xmlns:ns='u'"])
def test_odd_names_of_elements(tag: str) -> None:
    name = tag.split()[0]
    text = model("opset1.Add").text
    _lint(text.replace('<port id="0"', f'<{tag} id="0"', 1).replace("</port>", f"</{name}>", 1))
    _lint(text.replace('<port id="0"', f"<port id='{name}'", 1))
