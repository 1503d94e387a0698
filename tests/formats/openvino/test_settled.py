"""What the reader takes and what it refuses, each checked with OpenVINO 2026.4.1: verdicts and the lines they stand at."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from rule_cases.texts import OPENVINO

from irlint import engine

from .models import model

Found = list[tuple[str, str, str]]


def found(folder: Path, text: str, weights: bytes = b"") -> Found:
    """Code, severity and line of each finding."""
    path = folder / "m.xml"
    path.write_text(text)
    path.with_suffix(".bin").write_bytes(weights)
    result = engine.lint_bytes(text.encode(), path.name, path=path)
    lines = text.split("\n")
    place = result.lines.position
    return [(f.code, str(f.severity), lines[place(f.span.start).line - 1].strip()) for f in result.findings]


def changed(key: str, folder: Path, old: str, new: str, weights: bytes | None = None) -> Found:
    base = model(key)
    assert old in base.text
    return found(folder, base.text.replace(old, new), base.weights if weights is None else weights)


def errors(findings: Found) -> Found:
    return [f for f in findings if f[1] == "error"]


@pytest.mark.parametrize("size", ["6, 6, 6", "6", ""])
def test_the_grid_of_roi_pooling_is_output_roi(tmp_path: Path, size: str) -> None:
    assert not errors(changed("opset2.ROIPooling", tmp_path, 'output_size="6, 6"', f'output_size="{size}"'))
    assert errors(changed("opset2.ROIPooling", tmp_path, 'output_roi="6, 6"', f'output_roi="{size}"'))


def test_lengths_of_random_numbers(tmp_path: Path) -> None:
    for lengths, wrong in (((0, 3), False), ((0, 0), False), ((-1, 3), True)):
        same = changed("opset8.RandomUniform", tmp_path, "op_seed", "op_seed", struct.pack("<2q", *lengths))
        assert bool(errors(same)) == wrong, lengths


@pytest.mark.parametrize("low", ["inf", "nan", "-inf"])
def test_endless_bounds(tmp_path: Path, low: str) -> None:
    text = model("opset1.Clamp").text
    start = text.index('min="') + 5
    text = text[:start] + low + text[text.index('"', start) :]
    assert bool(errors(found(tmp_path, text))) == (low != "-inf")


def test_a_constant_is_to_blame_for_its_numbers(tmp_path: Path) -> None:
    base = model("opset1.Transpose")
    constant = next(line.strip() for line in base.text.split("\n") if "offset=" in line)
    (wrong,) = errors(found(tmp_path, base.text, b"\0" * len(base.weights)))
    assert wrong[0] == "D004"
    assert wrong[2] == constant


BODY = """\
<layers>
<layer id="0" name="p" type="Parameter" version="opset1"><data shape="2,2" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>2</dim><dim>2</dim></port></output></layer>
<layer id="1" name="s" type="Sigmoid" version="opset1">
<input><port id="0" precision="FP32"><dim>2</dim><dim>2</dim></port></input>
<output><port id="1" precision="FP32"><dim>2</dim><dim>2</dim></port></output></layer>
<layer id="2" name="r" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>2</dim><dim>2</dim></port></input></layer>
</layers>
<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges>
"""
IN, OUT = '<input external_port_id="1" internal_layer_id="0"/>', '<output external_port_id="2" internal_layer_id="2"/>'


def branches(then: str, other: str, body: str = BODY) -> str:
    return f"""\
<net name="m" version="11">
<layers>
<layer id="0" name="c" type="Const" version="opset1"><data element_type="boolean" shape="" offset="0" size="1"/>
<output><port id="0" precision="BOOL"/></output></layer>
<layer id="1" name="x" type="Parameter" version="opset1"><data shape="2,2" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>2</dim><dim>2</dim></port></output></layer>
<layer id="2" name="if" type="If" version="opset8">
{then}
{other}
<input><port id="0" precision="BOOL"/><port id="1" precision="FP32"><dim>2</dim><dim>2</dim></port></input>
<output><port id="2" precision="FP32"><dim>2</dim><dim>2</dim></port></output>
<then_body>
{body}</then_body>
<else_body>
{BODY}</else_body>
</layer>
<layer id="3" name="out" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>2</dim><dim>2</dim></port></input></layer>
</layers>
<edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges>
</net>
"""


THEN, OTHER = f"<then_port_map>{IN}{OUT}</then_port_map>", f"<else_port_map>{IN}{OUT}</else_port_map>"


@pytest.mark.parametrize("then", ["", "<then_port_map/>", f"<then_port_map>{IN}</then_port_map>"])
def test_the_branch_that_a_constant_leaves_out(tmp_path: Path, then: str) -> None:
    assert errors(found(tmp_path, branches(then, OTHER), b"\1"))
    left_out = found(tmp_path, branches(then, OTHER), b"\0")
    assert left_out
    assert not errors(left_out)


def test_the_branch_that_a_constant_takes_must_be_fed(tmp_path: Path) -> None:
    unfed = branches(f"<then_port_map>{OUT}</then_port_map>", OTHER)
    assert errors(found(tmp_path, unfed, b"\1"))
    assert not errors(found(tmp_path, unfed, b"\0"))


def test_parameters_of_bodies_that_say_otherwise(tmp_path: Path) -> None:
    odd = BODY.replace('shape="2,2"', 'shape="3,3"')
    ((code, severity, line),) = found(tmp_path, branches(THEN, OTHER, odd), b"\1")
    assert (code, severity) == ("D006", "warning")
    assert 'shape="3,3"' in line


def test_words_in_capitals(tmp_path: Path) -> None:
    wrong = changed("opset3.GRUCell", tmp_path, 'activations="sigmoid', 'activations="Sigmoid')
    assert [f[:2] for f in wrong] == [("A005", "warning")]


def test_inputs_that_no_memory_holds(tmp_path: Path) -> None:
    for shape, wrong in (("4294967296,4294967296,3", True), ("[2147483648, 2147483648]", True), ("1,3,224,224", False)):
        text = model("opset1.Abs").text
        start = text.index('shape="') + 7
        text = text[:start] + shape + text[text.index('"', start) :]
        assert [f[0] for f in errors(found(tmp_path, text))] == ["D009"] * wrong, shape


def test_vectors_of_any_length_cost_no_memory(tmp_path: Path) -> None:
    base = model("opset1.VariadicSplit")
    huge = base.text.replace('type="Const"', 'type="Parameter"').replace('shape="2"', f'shape="{1 << 33}"')
    found(tmp_path, huge, base.weights)


def test_an_input_that_nothing_reads(tmp_path: Path) -> None:
    more = '<layer id="9" name="idle" type="Parameter" version="opset1"><data shape="2" element_type="f32"/>'
    more += '<output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>\n\t</layers>'
    wrong = changed("opset1.Abs", tmp_path, "</layers>", more)
    assert [f[:2] for f in wrong] == [("G001", "info")]


def test_a_port_number_on_both_sides(tmp_path: Path) -> None:
    text = model("opset1.Abs").text
    text = text.replace('<port id="1"', '<port id="0"').replace('from-port="1"', 'from-port="0"')
    assert [f[:2] for f in found(tmp_path, text)] == [("R005", "warning")]


def test_what_version_10_skips_is_a_mistake_all_the_same(tmp_path: Path) -> None:
    twice = '<attribute name="fused_names" version="0" value="a"/>' * 2
    text = model("opset1.Abs").text.replace("<output>", f"<rt_info>{twice}</rt_info><output>", 1)
    assert [f[:2] for f in found(tmp_path, text)] == [("A301", "error")]
    assert [f[:2] for f in found(tmp_path, text.replace('version="11"', 'version="10"'))] == [("A301", "warning")]


@pytest.mark.parametrize(
    ("old", "new"),
    [('from-layer="2"', 'from-layer="12"'), ('from-port="2"', 'from-port="7"'), ('to-layer="3"', 'to-layer="33"')],
)
def test_an_edge_to_blame_is_one_finding(tmp_path: Path, old: str, new: str) -> None:
    edge = '<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>'
    assert edge in OPENVINO
    wrong = errors(found(tmp_path, OPENVINO.replace(edge, edge.replace(old, new)), struct.pack("<3f", 1, 1, 1)))
    assert [(code, line) for code, _, line in wrong] == [("R001", edge.replace(old, new))]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('<port id="0" precision="FP32">\n\t\t\t\t\t<dim>1</dim>\n\t\t\t\t\t<dim>3</dim>\n\t\t\t\t\t<dim>8</dim>\n\t\t\t\t\t<dim>8</dim>'
         '\n\t\t\t\t</port>\n\t\t\t\t<port id="1"', None, [("R001", "error")]),
        ('<port id="2"', '<port id="1"', [("R001", "error")]),
        ('shape="1, 3, 1, 1"', 'shape="1, 1, 1, 1"', [("W005", "warning")]),
    ],
)  # fmt: skip
def test_one_mistake_in_a_layer_is_one_finding(
    tmp_path: Path, old: str, new: str | None, expected: list[tuple[str, str]]
) -> None:
    assert old in OPENVINO
    text = OPENVINO.replace(old, new if new is not None else old.replace('id="0"', 'id="1"'), 1)
    assert [(code, severity) for code, severity, _ in found(tmp_path, text, bytes(12))] == expected
