"""Titles of quick fixes: a fix that is not safe says so, and so does one of all findings of a rule."""

from __future__ import annotations

from typing import Any

import pytest
from irlint_lsp.features.code_action import AlikeFindings, _alike

from irlint.findings import Finding, Fix, Safety, Severity
from irlint.text.base import Edit, Span

from .binaries import DIGITS, MISTAKE
from .client import Client
from .requests import ALL
from .samples import nnvm

MISTAKES = DIGITS.replace(*MISTAKE).replace("Relu (features)", "LeakyRelu <alhpa: float = 0.5> (features)")


def actions(client: Client, uri: str, text: str) -> list[dict[str, Any]]:
    client.open(uri, text)
    asked = {"textDocument": {"uri": uri}, "range": ALL, "context": {"diagnostics": []}}
    found: list[dict[str, Any]] = client.ask("textDocument/codeAction", asked)
    client.close(uri)
    return found


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("safe-symbol.json", nnvm().replace('"relu"', '"RELU"', 1), "Set `act_type` to `relu` (A005)"),
        ("proven.onnxtxt", DIGITS.replace(*MISTAKE), "Rename to `kernel_shape` (A001) (proven)"),
        ("unsafe.onnxtxt", MISTAKES, "Rename to `kernel_shape` (A001) (unsafe)"),
        ("all.onnxtxt", MISTAKES, "Fix all A001 (unknown-attribute) findings (unsafe)"),
    ],
)
def test_titles_have_grades(shared: Client, name: str, text: str, expected: str) -> None:
    found = {action["title"]: action for action in actions(shared, f"file:///nowhere/{name}", text)}
    assert expected in found, sorted(found)
    if not expected.startswith("Fix all"):
        assert found[expected]["isPreferred"] is (not expected.endswith("(unsafe)"))


def test_suppressions_have_a_kind_of_their_own(shared: Client) -> None:
    found = actions(shared, "file:///nowhere/kinds.onnxtxt", MISTAKES)
    assert {a["kind"] for a in found if a["title"].startswith("Ignore")} == {"quickfix.suppress"}
    assert {a["kind"] for a in found if a["title"].startswith("Rename")} == {"quickfix"}


def lint(grades: dict[str, Safety]) -> Any:
    """Each small letter is a finding, which a capital one mends."""

    def found(text: str) -> list[Finding]:
        return [
            Finding("X001", "x", Severity.ERROR, letter, Span(k, k + 1), fix=Fix("", (Edit(Span(k, k + 1), letter.upper()),), grades[letter]))
            for k, letter in enumerate(text)
            if letter in grades
        ]  # fmt: skip

    return found


@pytest.mark.parametrize(
    ("text", "unsafe", "mended", "safety"),
    [
        ("a-b-c", False, "A-B-c", "proven"),
        ("a-b-c", True, "A-B-C", "unsafe"),
        ("a-a", True, "A-A", "safe"),
        ("a-c", False, None, None),
        ("c", True, None, None),
    ],
)
def test_all_of_a_rule_are_unsafe_only_where_one_at_the_cursor_is(
    text: str, unsafe: bool, mended: str | None, safety: Safety | None
) -> None:
    look = lint({"a": "safe", "b": "proven", "c": "unsafe"})
    found = _alike(text, look(text), "X001", unsafe, look)
    if mended is None:
        assert found is None
        return
    assert isinstance(found, AlikeFindings)
    after = list(text)
    for edit in found.edits:
        after[edit.span.start : edit.span.end] = edit.text
    assert ("".join(after), found.safety) == (mended, safety)
