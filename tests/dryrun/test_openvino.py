"""The dry run on whole files: what is found, where, once; and nothing on real models."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases.shapes_sample import IR
from rule_cases.texts import changed

from irlint import engine
from irlint.findings import Severity
from irlint.settings import Settings


def findings(text: str) -> list[tuple[str, str]]:
    """Codes and the text at their spans."""
    result = engine.lint(text, "model.xml")
    return [(f.code, text[f.span.start : f.span.end]) for f in result.findings]


def test_a_sound_model_has_no_findings() -> None:
    assert findings(IR) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "token"),
    [
        ('shape="4,3,3,3"', 'shape="4,5,3,3"', "D001", "4,5,3,3"),
        ('shape="1,3,8,8"', 'shape="3,8,8"', "D003", "3,8,8"),
        ('shape="1,3,8,8"', 'shape="1,3,8,2"', "D001", "1,3,8,2"),
        ('axis="1"', 'axis="4"', "D004", "4"),
        ('strides="1,1"', 'strides="1"', "A007", "1"),
        ('shape="4,3,3,3" element_type="f32"', 'shape="4,3,3,3" element_type="f16"', "D002", "f16"),
    ],
)
def test_one_mistake_gives_one_finding_at_its_place(old: str, new: str, code: str, token: str) -> None:
    assert findings(changed(IR, (old, new))) == [(code, token)]


def test_related_places_show_where_both_shapes_come_from() -> None:
    text = changed(IR, ('shape="4,3,3,3"', 'shape="4,5,3,3"'))
    (finding,) = engine.lint(text, "model.xml").findings
    assert [related.message for related in finding.related] == [
        "Convolution 'conv': channels of `data` (3) and `filters` (5) do not match",
        "Parameter 'image' has shape [1, 3, 8, 8]",
        "Parameter 'filters' has shape [4, 5, 3, 3], declared [4, 3, 3, 3]",
    ]


def test_without_the_shape_pass_nothing_is_said() -> None:
    text = changed(IR, ('shape="4,3,3,3"', 'shape="4,5,3,3"'))
    result = engine.lint(text, "model.xml", Settings(shapes=False))
    assert result.findings == []


def test_real_files_have_no_shape_errors(corpus: Path) -> None:
    for path in sorted((corpus / "openvino").glob("*.xml")):
        result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
        errors = [f for f in result.findings if f.code.startswith("D") and f.severity == Severity.ERROR]
        assert errors == [], path.name
