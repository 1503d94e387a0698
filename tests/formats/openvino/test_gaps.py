"""Findings about what is lost, doubled or exchanged also point to where it belongs."""

from __future__ import annotations

import re

import pytest

from formats.openvino.models import model
from irlint import engine

TEXT = model("opset1.Add").text.replace('<?xml version="1.0"?>\n', "")


def _lines(text: str) -> set[int]:
    result = engine.lint_bytes(text.encode(), "model.xml")
    place = result.lines.position
    errors = [f for f in result.findings if str(f.severity) == "error" and f.code != "W001"]
    return {place(at.span.start).line for f in errors for at in (f, *f.related)}


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _without(pattern: str) -> tuple[str, int]:
    found = re.search(pattern, TEXT, re.DOTALL)
    assert found
    return TEXT[: found.start()] + TEXT[found.end() :], _line(TEXT, found.start())


@pytest.mark.parametrize(
    "pattern",
    [
        r'\t\t<edge from-layer="0"[^\n]*\n',  # the only output of these dimensions that is read nowhere
        r"\t<edges>.*</edges>\n",
        r'\t\t<layer id="1".*?</layer>\n',
        r"\t\t\t<output>.*?</output>\n",
        r"(?<=\n)\t\t\t<output>\n",  # its end tag closes nothing
    ],
)
def test_what_is_lost_has_a_place(pattern: str) -> None:
    text, line = _without(pattern)
    assert any(abs(line - found) <= 1 for found in _lines(text)), (line, _lines(text))


def test_a_lost_sign_of_the_root_is_found() -> None:
    assert _line(TEXT, TEXT.index("<net")) in _lines(TEXT.replace("<net", "net", 1))


def test_two_ports_of_one_number_are_told_together() -> None:
    port = re.search(r"(?<=<input>\n).*?</port>\n", TEXT, re.DOTALL)
    assert port
    second = TEXT.index('<port id="1"')
    lines = _lines(TEXT.replace('<port id="1"', '<port id="0"', 1))
    assert _line(TEXT, second) in lines or _line(TEXT, port.start()) in lines


def test_of_two_ports_with_one_number_the_one_out_of_its_place_is_wrong() -> None:
    text = TEXT.replace('<port id="0" precision="FP32">', '<port id="1" precision="FP32">')
    at = [m.start() for m in re.finditer('<port id="1" precision="FP32">', text)]
    wrong = TEXT.index("<input>")
    first = next(k for k in at if k > wrong)
    assert _line(text, first) in _lines(text)


def test_both_ends_of_a_lost_variable_are_shown() -> None:
    layers = ""
    for number, (type_, name) in enumerate((("ReadValue", "past"), ("Assign", "pats")), 1):
        layers += f'<layer id="{number}" name="{type_}" type="{type_}" version="opset6">\n<data variable_id="{name}" variable_type="f32" variable_shape="2"/>\n<input>\n<port id="0" precision="FP32">\n<dim>2</dim>\n</port>\n</input>\n<output>\n<port id="1" precision="FP32">\n<dim>2</dim>\n</port>\n</output>\n</layer>\n'
    text = (
        '<net name="m" version="11">\n<layers>\n<layer id="0" name="x" type="Parameter" version="opset1">\n<data shape="2" element_type="f32"/>\n'
        '<output>\n<port id="0" precision="FP32">\n<dim>2</dim>\n</port>\n</output>\n</layer>\n'
        f'{layers}<layer id="3" name="y" type="Result" version="opset1">\n<input>\n<port id="0" precision="FP32">\n<dim>2</dim>\n</port>\n</input>\n</layer>\n'
        '</layers>\n<edges>\n<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>\n<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>\n'
        '<edge from-layer="1" from-port="1" to-layer="3" to-port="0"/>\n</edges>\n</net>\n'
    )
    assert {_line(text, text.index(f'variable_id="{name}"')) for name in ("past", "pats")} <= _lines(text)


def test_inputs_that_changed_places_are_both_shown() -> None:
    text = model("opset1.Gather").text
    edges = list(re.finditer(r'to-layer="3" to-port="(\d)"', text))
    one, two = edges[0], edges[1]
    swapped = text[: one.start(1)] + two[1] + text[one.end(1) : two.start(1)] + one[1] + text[two.end(1) :]
    assert {_line(text, one.start()), _line(text, two.start())} & _lines(swapped)


def test_a_number_far_from_all_others_has_no_place() -> None:
    text = TEXT.replace('from-layer="0"', 'from-layer="77"')
    result = engine.lint_bytes(text.encode(), "model.xml")
    assert not [at for f in result.findings for at in f.related if "expected" in at.message]
