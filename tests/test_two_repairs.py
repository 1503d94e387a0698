"""Where two repairs are right, none claims to be the one: see two_repairs.py."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from rule_cases.texts import openvino, symbol
from two_repairs import FORMATS, claimed

from irlint import engine, offers
from irlint.findings import Candidate, Finding, Safety, Severity
from irlint.repairs import EACH, Search
from irlint.text.base import Edit, Span
from irlint.work import Budget

COUNT = int(os.environ.get("IRLINT_TWO_REPAIRS", "24"))  # defects of each format
SEED = int(os.environ.get("IRLINT_SEED", "3"))


@pytest.mark.timeout(1200 if COUNT > 24 else 120)
@pytest.mark.parametrize("format_", FORMATS)
def test_no_repair_claims_to_be_the_one(format_: str, tmp_path: Path) -> None:
    tried, told = claimed(format_, COUNT, SEED, tmp_path)
    assert tried >= min(COUNT, 20)
    assert not told, "\n".join(told)


def grades(text: str, format_: str) -> list[Safety | None]:
    """How sure the repairs of errors are."""
    result = engine.lint(text, as_format=format_)
    offers.confirm(result)
    errors = [finding for finding in result.findings if finding.severity == Severity.ERROR]
    assert errors
    return [finding.fix.safety if finding.fix else None for finding in errors]


def _moved(*changes: tuple[str, str]) -> str:
    return openvino(('type="SoftMax" version="opset8"', 'type="HSwish" version="opset1"'), *changes)


NO_DATA = ('<data axis="1"/>', "<data/>")
OTHER_PORT = (
    '<port id="1" precision="FP32">\n\t\t\t\t\t<dim>1</dim>\n\t\t\t\t\t<dim>3</dim>\n\t\t\t\t\t<dim>8</dim>\n\t\t\t\t\t<dim>8</dim>\n'
    "\t\t\t\t</port>\n\t\t\t</output>"
)


def test_a_version_is_the_mistake_where_the_layer_is_what_the_type_takes() -> None:
    assert grades(_moved(NO_DATA), "openvino") == ["safe"]


@pytest.mark.parametrize(
    "changes",
    [
        (),  # an attribute that HSwish has not
        (NO_DATA, ('name="classes"', 'name="Relu_4"')),
        (NO_DATA, ('name="classes"', 'name="block/Relu_4"')),
        (NO_DATA, (OTHER_PORT, OTHER_PORT.replace("FP32", "I32"))),
        (NO_DATA, (OTHER_PORT, OTHER_PORT.replace("<dim>3</dim>", "<dim>5</dim>"))),
    ],
)
def test_a_version_may_be_right_where_the_layer_is_not_what_the_type_takes(changes: Any) -> None:
    assert "safe" not in grades(_moved(*changes), "openvino")


def test_numbers_that_nothing_depends_on_are_not_proven() -> None:
    text = openvino(
        ('type="SoftMax" version="opset8"', 'type="Elu" version="opset1"'), ('<data axis="1"/>', '<data alpha="x"/>')
    )
    assert "proven" not in grades(text, "openvino")


def test_a_shape_that_is_lost_is_not_proven_to_be_none() -> None:
    graph = json.loads(symbol())
    graph["nodes"][1]["attrs"] = {"__shape__": "zork"}
    assert "proven" not in grades(json.dumps(graph), "nnvm")


@pytest.mark.parametrize("twice", [1, 2])
def test_of_two_inputs_that_read_the_same_either_may_be_wrong(twice: int) -> None:
    graph = json.loads(symbol(('"attrs": {"__shape__": "(4, 8)"}, ', "")))
    for node, name in zip(graph["nodes"], ("data", "p", "q"), strict=False):
        node["name"] = name
    graph["nodes"][0]["attrs"] = {"__shape__": "(2, 3)"}
    graph["nodes"][3]["inputs"] = [[0, 0, 0], [twice, 0, 0], [twice, 0, 0]]
    assert "proven" not in grades(json.dumps(graph), "nnvm")


def test_removing_an_output_is_a_guess() -> None:
    graph = json.loads(symbol())
    graph["heads"] = [[4, 0, 0], [77, 0, 0]]
    assert "proven" not in grades(json.dumps(graph), "nnvm")


def test_while_candidates_are_left_untried_nothing_is_proven() -> None:
    broken = Finding("A005", "broken", Severity.ERROR, "", Span(0, 1))

    def lint(text: str) -> list[Finding]:
        return [] if text == "0" else [broken]

    def best(count: int) -> Safety | None:
        candidates = [Candidate(str(k), (Edit(Span(0, 1), str(k)),)) for k in range(count)]
        fix = Search("x", [broken], lint, Budget()).best(broken, candidates)
        return fix.safety if fix else None

    assert (best(EACH), best(EACH + 1)) == ("proven", "unsafe")
