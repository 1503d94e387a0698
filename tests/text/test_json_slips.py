"""One sign of punctuation wrong, lost or surplus: one finding, where it stands; nothing that merely follows from it."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from irlint import engine, fixes
from irlint.findings import Finding, Severity

SIGNS = "{}[],:"
EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [EXAMPLES / "nnvm" / "lenet-symbol.json", EXAMPLES / "lightnet" / "digits.json"]
STYLES = {"as it is": None, "one line": (", ", ": "), "no blanks": (",", ":")}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_one_slip_is_one_finding(file: Path, style: str) -> None:
    text = file.read_text()
    if separators := STYLES[style]:
        text = json.dumps(json.loads(text), separators=separators)
    counts: Counter[int] = Counter()
    near = 0
    for at, changed in _slips(text, 300):
        errors = [f for f in engine.lint(changed, file.name).findings if f.severity is Severity.ERROR]
        counts[len(errors)] += 1
        near += any(abs(error.span.start - at) <= 12 for error in errors)
    # none: the change made another text that the format's reader takes, as `0,0` without its comma
    assert counts[0] + counts[1] >= 0.98 * counts.total(), counts
    assert near >= 0.95 * (counts.total() - counts[0])


def _slips(text: str, count: int) -> Iterator[tuple[int, str]]:
    """Texts in each of which one sign is deleted, replaced or inserted; not the first, which tells what the file is."""
    dice = random.Random(17)
    signs = _signs(text)[1:]
    for _ in range(count):
        at, sign = dice.choice(signs), dice.choice(SIGNS)
        kind = dice.choice(["delete", "insert", "replace"])
        if kind == "replace" and sign == text[at]:
            kind = "delete"
        yield at, text[:at] + ("" if kind == "delete" else sign) + text[at + (kind != "insert") :]


def _signs(text: str) -> list[int]:
    """Where the signs outside of strings stand; the texts have no escapes."""
    return [at for at, char in enumerate(text) if char in SIGNS and text.count('"', 0, at) % 2 == 0]


def test_what_does_not_follow_from_a_slip_is_said_too() -> None:
    text = (EXAMPLES / "lightnet" / "digits.json").read_text()
    other = text.replace('"optype": "create"', '"optype": "creat"', 1)
    assert {f.code for f in engine.lint(other).findings if f.severity is Severity.ERROR} == {"O001"}
    slipped = '"tensors_out"['.join(other.rsplit('"tensors_out":', 1))
    assert {f.code for f in engine.lint(slipped).findings if f.severity is Severity.ERROR} == {"O001", "S001"}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"attrs": {', '"attrs: {'),
        ('"attrs": {', "\"attrs': {"),
        ('"inputs": []', '"inputs: []'),
        ('"op": "null"', '"op": "null'),
        ('"op": "null"', '"op": "null\''),
        ('"op": "null"', '"op": "null”'),
        ('"op": "null"', '"op: "null"'),
        ('"op": "null"', '"op:: "null"'),
        ('"op": "null"', '"op"": "null"'),
        ('"op": "null"', '""op": "null"'),
        ('"op": "null"', '"op": ""null"'),
        ('"op": "null"', '"op": "null""'),
        ('"op": "null"', '"op:" "null"'),
        ('"op": "null",', '"op": "null,"'),
    ],
)
def test_a_string_is_closed_where_it_was_meant_to_end(right: str, wrong: str) -> None:
    text = json.dumps(json.loads(FILES[0].read_text()), indent=1)
    assert right in text

    def lint(changed: str) -> list[Finding]:
        return engine.lint(changed, "model-symbol.json").findings

    found = lint(text.replace(right, wrong, 1))
    assert [f.code for f in found if f.severity is Severity.ERROR] == ["S001"]
    assert fixes.fix(text.replace(right, wrong, 1), lint).text == text


@pytest.mark.parametrize("separators", [(", ", ": "), (",", ":")])
@pytest.mark.parametrize("quote", range(4))
def test_a_lost_quote_between_two_members_on_one_line(quote: int, separators: tuple[str, str]) -> None:
    text = json.dumps(json.loads(FILES[0].read_text()), separators=separators)
    at = -1
    for _ in range(quote + 1):
        at = text.index('"', max(at + 1, text.index('"op"')))
    found = [f for f in engine.lint(text[:at] + text[at + 1 :], FILES[0].name).findings if f.severity is Severity.ERROR]
    assert [f.code for f in found] == ["S001"]
    assert abs(found[0].span.start - at) <= 12


@pytest.mark.parametrize(("lost", "sign"), [('{\n "ops"', "{"), ('"ops": [', "[")])
def test_a_lost_bracket_where_the_model_begins(lost: str, sign: str) -> None:
    text = json.dumps(json.loads(FILES[1].read_text()), indent=1)
    changed = text.replace(lost, lost.replace(sign, ""), 1)
    found = [f for f in engine.lint(changed, FILES[1].name).findings if f.severity is Severity.ERROR]
    assert [f.code for f in found] == ["S001"]
    assert f"missing `{sign}` before" in found[0].message
    assert found[0].span.start <= text.index(lost) + len(lost) + 4


def test_objects_that_never_become_a_list_take_linear_time() -> None:
    assert engine.lint('{"ops":' + '{"a":1},' * 20000 + "}").findings
