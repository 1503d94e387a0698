"""The pages of rules on the site: an example for each format, ONNX first, at the address that findings link to."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from irlint.formats.base import all_formats
from irlint.rules import page, registry
from irlint.rules.examples import examples

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def rule_pages(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "docs/.site"))
    yield importlib.import_module("rule_pages")
    for name in ("rule_pages", "playground_link"):
        sys.modules.pop(name, None)


def test_examples_are_sections_by_format(rule_pages: Any) -> None:
    pages = dict(rule_pages.pages())
    text = pages["rules/undefined-reference.md"]
    assert re.findall(r"^### .* \{ #(\w+) \}$", text, re.MULTILINE) == [
        "onnx", "openvino", "ncnn", "pnnx", "lightnet", "glacier",
    ]  # fmt: skip
    assert text.index("## Examples") < text.index("weigth") < text.index("Use instead:") < text.index("## Fix safety")
    assert '<a class="try" href="../../playground/#name=model.onnxtxt&amp;text=' in text
    assert re.search(r"^## (Example|Use instead)$", text, re.MULTILINE) is None


@pytest.mark.parametrize("code", ["S010", "T007", "W001", "R001"])
def test_a_finding_of_each_format_has_its_anchor(rule_pages: Any, code: str) -> None:
    rule = registry.find(code)
    assert rule is not None
    text = rule_pages._page(rule)
    for name in page.formats_of(rule) or all_formats():
        assert f"{{ #{name} }}" in text if name in examples(code) else f'<span id="{name}"></span>' in text
    assert registry.url(rule.name, "onnx").endswith(f"/rules/{rule.name}/#onnx")
