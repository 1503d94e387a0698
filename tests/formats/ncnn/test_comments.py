"""Comments below the last layer silence findings, of the whole file or of one layer."""

from __future__ import annotations

import pytest

from irlint import engine, fixes
from irlint.cli import add_ignores
from irlint.formats.base import by_name
from irlint.settings import Settings

TEXT = """7767517
4 4
Input                    data                     0 1 data 0=8 1=8 2=3
ReLU                     relu                     1 1 data r
Sigmoid                  sigmoid                  1 1 data s
BinaryOp                 add                      2 1 r s out 0=7
"""


def codes(text: str) -> list[str]:
    return [finding.code for finding in engine.lint(text, "model.param").findings]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("", ["R501"]),
        ("# irlint: ignore", []),
        ("# irlint: ignore[R501]", []),
        ("# irlint: ignore[missing-split]: light mode is off", []),
        ("  #irlint: ignore[R501] sigmoid", []),
        ("# irlint: ignore[R501] sigmoid: light mode is off", []),
        ("# irlint: ignore[R501] relu", ["R501", "G005"]),
        ("# irlint: ignore[R501, A001]", ["G005"]),
        ("# irlint: ignore[R501] sigmoids", ["R501", "G005"]),
        ("# another comment", ["R501"]),
    ],
)
def test_what_a_comment_silences(comment: str, expected: list[str]) -> None:
    assert sorted(codes(f"{TEXT}{comment}\n")) == sorted(expected)
    assert sorted(codes(f"{TEXT}{comment}".replace("\n", "\r\n"))) == sorted(expected)


def test_a_comment_above_a_layer_silences_nothing() -> None:
    assert codes(TEXT.replace("Sigmoid", "# irlint: ignore\nSigmoid")) != []


@pytest.mark.parametrize("text", [TEXT, TEXT.rstrip("\n"), TEXT.replace("\n", "\r\n")])
def test_suppressions_are_added_below_the_last_layer(text: str) -> None:
    result = engine.lint(text, "model.param")
    wanted = {add_ignores.key(finding) for finding in result.findings}
    done = add_ignores.suppressed(text.encode(), wanted, lambda data: engine.lint_bytes(data, "model.param"), "meant")
    assert done.left == []
    new = done.data.decode()
    assert new.startswith(text)
    assert new[len(text) :].strip() == "# irlint: ignore[R501] sigmoid: meant"
    assert codes(new) == []
    unused = new.replace("1 1 data s", "1 1 r s").replace("2 1 r s out 0=7", "1 1 s out 0=7 1=1")
    assert codes(unused) == ["G005"]
    fixed = fixes.fix(unused, lambda text: engine.lint(text, "model.param", Settings(select=("ALL", "G005"))).findings)
    assert "irlint:" not in fixed.text


def test_no_comment_where_the_runtime_would_read_it() -> None:
    text = TEXT.replace("4 4", "5 5")
    result = engine.lint(text, "model.param")
    assert result.model is not None
    navigation = by_name("ncnn").navigation()  # type: ignore[union-attr]
    assert navigation.suppression(result.model, result.findings[0].span, "T501") is None
