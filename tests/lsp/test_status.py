"""The words of the status bar item."""

from __future__ import annotations

from typing import Any

from lsp.javascript import evaluated


def text(function: str = "statusText", **more: Any) -> str:
    state = {"uri": "", "isModel": True, "format": "openvino", "dialect": "ir11", "calls": 1234, "errors": 0}
    found: str = evaluated("status_text.ts", f"code.{function}(given)", {**state, "warnings": 0, "others": 0, **more})
    return found


def test_a_model_without_findings() -> None:
    assert text() == "$(type-hierarchy) openvino:ir11, 1,234 operators $(check)"


def test_findings_are_counted_by_severity() -> None:
    found = text(calls=1, errors=2, warnings=1, others=1000)
    assert found == "$(type-hierarchy) openvino:ir11, 1 operator $(error) 2 $(warning) 1 $(info) 1,000"


def test_a_model_that_cannot_be_read_any_more() -> None:
    assert text(format=None, dialect=None, calls=0, errors=1) == "$(type-hierarchy) not readable as a model $(error) 1"


def test_words_for_those_who_hear_them() -> None:
    assert text("statusWords") == "openvino:ir11, 1,234 operators: no findings"
    found = text("statusWords", calls=1, errors=2, warnings=1, others=1000)
    assert found == "openvino:ir11, 1 operator: 2 errors, 1 warning, 1,000 infos"
