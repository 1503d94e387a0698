"""Options of calculators in graphs of MediaPipe: read as the messages that their names stand for, as MediaPipe 0.10.14 does."""

from __future__ import annotations

import pytest

from irlint.companions.mediapipe.format import KIND
from irlint.engine import lint_bytes

NODE = (
    'input_stream: "a" output_stream: "b" node { calculator: "GateCalculator" input_stream: "a" output_stream: "b" %s }'
)
GATE = "mediapipe.GateCalculatorOptions"


def codes(options: str) -> list[str]:
    return [found.code for found in lint_bytes((NODE % options).encode(), "graph.pbtxt").findings]


@pytest.mark.parametrize(
    "options",
    [
        f"node_options: {{ [type.googleapis.com/{GATE}]: {{ allow: true }} }}",
        f"node_options {{ [ type.googleapis.com / {GATE} ] < allow: true > }}",
        f"node_options: [{{ [type.googleapis.com/{GATE}] {{ allow: true }} }}]",
        f'node_options {{ type_url: "type.googleapis.com/{GATE}" value: "" }}',
        f"options {{ merge_fields: true [{GATE}.ext] {{ allow: true }} }}",
        "node_options { [type.googleapis.com/own.Options]: { is_not: 'known' of { any: 1 } } }",
        "options { [own.Options.ext] { is_not: 'known' } }",
    ],
)
def test_what_the_runtime_reads_has_no_findings(options: str) -> None:
    assert codes(options) == []


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (f"node_options {{ [type.googleapis.com/{GATE}] {{ alow: true }} }}", "T003"),
        (f"node_options {{ [type.googleapis.com/{GATE}] {{ allow: 7 }} }}", "T001"),
        (f"node_options {{ [type.googleapis.com/{GATE}] }}", "S001"),
        ("node_options { allow: true }", "T003"),
        (f"options {{ [{GATE}.ext] {{ }} [{GATE}.ext] {{ }} }}", "S002"),
        ("node_options { [type.googleapis.com/mediapipe.LLMCalculatorOptions] { cache_size: 1 } }", "T002"),
    ],
)
def test_what_the_runtime_refuses_is_found(options: str, code: str) -> None:
    assert codes(options) == [code]


def test_fields_of_options_are_offered() -> None:
    text = (NODE % f"node_options {{ [type.googleapis.com / {GATE}]: {{ al").split("{ al")[0] + "{ al"
    found = KIND.typed(text, len(text))
    assert found is not None
    assert "allow" in found.texts
    assert "calculator" not in found.texts
