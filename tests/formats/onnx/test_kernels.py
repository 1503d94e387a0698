"""What a release has no kernel for: found for this target only, in bodies, too, and at what it is refused for."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.settings import Settings

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
CONV = HEAD + "net (double[1,3,8,8] x, double[4,3,3,3] w) => (double[1,4,6,6] y) { [conv] y = Conv (x, w) }\n"
BODY = (
    HEAD
    + "net (bool c, double[1,3,8,8] x, double[4,3,3,3] w) => (double[1,4,6,6] y) { [choice] y = If <then_branch: graph ="
    + " one () => (double[1,4,6,6] a) { [first] a = Conv (x, w) }, else_branch: graph = two () => (double[1,4,6,6] b) { [second] b = Conv (x, w) }> (c) }\n"
)


def found(text: str, *targets: tuple[str, str]) -> list[tuple[str, str]]:
    result = engine.lint(text, "a.onnxtxt", Settings(targets=targets, select=("C", "I")))
    return [(one.message, text[one.span.start : one.span.end]) for one in result.findings if one.span is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CONV, [("onnxruntime 1.17 does not load Conv 'conv' with float64; it does with float32", "x")]),
        (BODY, [(f"onnxruntime 1.17 does not load Conv '{name}' with float64; it does with float32", "x") for name in ("first", "second")]),
    ],
    ids=("type", "bodies"),
)  # fmt: skip
def test_what_has_no_kernel(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text, ("onnxruntime", "1.17")) == expected
    assert found(text) == []


@pytest.mark.parametrize("target", [("tensorrt", "8.6"), ("onnxruntime", "1.14"), ("onnxruntime", "new")])
def test_nothing_is_said_of_runtimes_that_no_table_knows(target: tuple[str, str]) -> None:
    assert found(CONV, target) == []


def test_a_newer_release_is_taken_for_the_newest_one() -> None:
    assert found(CONV, ("onnxruntime", "1.36"))[0][0].startswith("onnxruntime 1.32 does not load")
