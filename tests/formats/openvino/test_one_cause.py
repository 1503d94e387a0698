"""One mistake, one error, at the mistake: edges, ids and ports of which the rest of the file says the contrary."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from irlint import engine

from .models import model
from .test_settled import BODY, OTHER, THEN, Found, branches, errors, found

ADD = model("opset1.Add").text
EDGE = '<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>'
FIRST = '<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>'
LAST = '<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>'
PORT = re.search(r'\t*<port id="1".*?</port>\n', ADD, re.DOTALL)
OUT = '<layer id="3" name="out0" type="Result" version="opset1">'
assert PORT is not None

MISTAKES = {
    # what is changed -> (into what, code, text in the line of the one error)
    "an edge's attribute misspelled": (EDGE, EDGE.replace("to-layer", "to-layr"), "T003", "to-layr"),
    "an edge without an attribute": (EDGE, EDGE.replace(' from-port="0"', ""), "T002", 'from-layer="1" to-layer'),
    "an edge's number is none": (EDGE, EDGE.replace('to-port="1"', 'to-port="x"'), "T001", 'to-port="x"'),
    "an edge misspelled": (EDGE, EDGE.replace("<edge", "<edeg"), "T003", "<edeg"),
    "an edge turned round": (
        EDGE,
        '<edge from-layer="2" from-port="1" to-layer="1" to-port="0"/>',
        "R001",
        'from-layer="2" from-port="1"',
    ),
    "an edge to another layer": (EDGE, EDGE.replace('to-layer="2"', 'to-layer="0"'), "R001", 'to-layer="0"'),
    "an id that is none": ('<layer id="1"', '<layer id="one"', "T001", 'id="one"'),
    "an id given twice": ('<layer id="1"', '<layer id="0"', "R005", 'name="in1"'),
    "an id out of the row": (OUT, OUT.replace('"3"', '"77"'), "R001", 'id="77"'),
    "no id": (OUT, OUT.replace(' id="3"', ""), "T002", '<layer name="out0"'),
    "no type": ('type="Add" ', "", "T002", 'name="op"'),
    "a version misspelled": ('type="Add" version', 'type="Add" versoin', "T003", "versoin"),
    "a port that is gone": (PORT[0], "", "T002", "<input>"),
    "no edges": (ADD[ADD.index("<edges>") : ADD.index("</edges>") + 8], "", "T002", "<net"),
    "the file's version misspelled": ('version="11"', 'versionn="11"', "T003", "versionn"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_one_mistake_is_one_error(name: str, tmp_path: Path) -> None:
    old, new, code, line = MISTAKES[name]
    assert old in ADD
    wrong = errors(found(tmp_path, ADD.replace(old, new, 1)))
    assert [(c, line in at) for c, _, at in wrong] == [(code, True)], wrong


def test_edges_to_one_missing_layer_are_one_error(tmp_path: Path) -> None:
    start = ADD.index('<layer id="2"')
    text = ADD[:start] + ADD[ADD.index('<layer id="3"') :]
    assert [code for code, _, _ in errors(found(tmp_path, text))] == ["R001"]


def test_a_copy_of_a_layer_explains_no_edge(tmp_path: Path) -> None:
    start = ADD.index('<layer id="1"')
    layer = ADD[start : ADD.index("</layer>", start) + len("</layer>")]
    copied = ADD.replace(layer, layer * 2)
    assert [code for code, _, _ in found(tmp_path, copied)] == ["R005"]
    for edge in (EDGE.replace('from-layer="1"', 'from-layer="9"'), EDGE.replace('from-port="0"', 'from-port="9"')):
        assert [code for code, _, _ in errors(found(tmp_path, copied.replace(EDGE, edge)))] == ["R001"]
    start = ADD.index('<layer id="2"')
    layer = ADD[start : ADD.index("</layer>", start) + len("</layer>")]
    for edges, code in ((EDGE * 2, "R302"), ("", "R301")):
        wrong = errors(found(tmp_path, ADD.replace(layer, layer * 2).replace(EDGE, edges)))
        assert [code for code, _, _ in wrong] == [code]


def test_two_mistakes_are_two_errors(tmp_path: Path) -> None:
    text = ADD.replace(EDGE, "").replace(FIRST, FIRST.replace('to-port="0"', 'to-port="7"'))
    wrong = errors(found(tmp_path, text))
    assert sorted(code for code, _, _ in wrong) == ["R001", "R301"]


CONST = model("opset8.Slice")


def constant(folder: Path, old: str, new: str, text: str = CONST.text) -> Found:
    assert old in text
    return found(folder, text.replace(old, new, 1), CONST.weights)


def test_a_constant_without_data_is_one_error(tmp_path: Path) -> None:
    data = '<data element_type="i64" shape="1" offset="8" size="8"/>'
    assert [f[0] for f in errors(constant(tmp_path, data, ""))] == ["T002"]
    assert [f[0] for f in errors(constant(tmp_path, data, '<data element_type="i64" shape="1"/>'))] == ["A002"]


@pytest.mark.parametrize("spelling", ["8 ", "0_8", "8.0", "\u0668"])
def test_offsets_are_read_strictly(spelling: str, tmp_path: Path) -> None:
    assert [f[0] for f in errors(constant(tmp_path, 'offset="8"', f'offset="{spelling}"'))] == ["A003"]


@pytest.mark.parametrize(("spelling", "taken"), [("I64", True), ("i64", True), ("INT64", False), ("F32", False)])
def test_the_element_type_of_a_constant(spelling: str, taken: bool, tmp_path: Path) -> None:
    assert taken != bool(errors(constant(tmp_path, '"i64" shape="1" offset="8"', f'"{spelling}" shape="1" offset="8"')))


def test_what_the_writer_stores_for_odd_tensors(tmp_path: Path) -> None:
    for type_, shape, size in (("u6", "1,5,1", 6), ("u3", "3", 3), ("f32", "0,2", 1), ("u6", "", 3)):
        text = (
            CONST.text.replace("</layers>", '<layer id="9" name="odd" type="Const" version="opset1">'
            f'<data element_type="{type_}" shape="{shape}" offset="32" size="{size}"/>'
            f'<output><port id="0" precision="{type_.upper()}"/></output></layer></layers>')
        )  # fmt: skip
        wrong = [f for f in found(tmp_path, text, CONST.weights + bytes(size)) if f[0] in ("W005", "A007")]
        assert not wrong, (type_, wrong)


def test_a_result_that_the_reader_does_not_see_is_a_warning(tmp_path: Path) -> None:
    for spelling in ("result", "Reslt", "Resultx"):
        wrong = found(tmp_path, ADD.replace('type="Result"', f'type="{spelling}"'))
        assert [f[:2] for f in wrong if f[0] != "G001"] == [("O001", "warning")]


def test_an_input_port_needs_no_precision(tmp_path: Path) -> None:
    old = '<input>\n\t\t\t\t<port id="0" precision'
    assert not errors(found(tmp_path, ADD.replace(old, old.replace("precision", "precisoin"))))
    assert errors(found(tmp_path, ADD.replace('<port id="2" precision', '<port id="2" precisoin')))


def test_constants_that_share_their_bytes_are_one_error(tmp_path: Path) -> None:
    text = CONST.text.replace('offset="24"', 'offset="0"').replace('offset="8"', 'offset="0"')
    wrong = errors(found(tmp_path, text, struct.pack("<4q", 9, 1, 1, 1)))
    assert [f[0] for f in wrong] == ["D004"]


def test_a_second_part_of_a_layer_is_told(tmp_path: Path) -> None:
    text = re.sub(r"(<input>.*?</input>)", r"\1\1", ADD, count=1, flags=re.DOTALL)
    assert [f[:2] for f in found(tmp_path, text)] == [("S002", "warning")]


def test_an_empty_map_is_no_missing_value(tmp_path: Path) -> None:
    def info(entries: str) -> list[str]:
        return [f[0] for f in found(tmp_path, ADD.replace("<rt_info/>", f"<rt_info>{entries}</rt_info>"))]

    assert not info("<optimization/><conversion><x/></conversion>")
    assert info('<conversion><x/><y value="1"/></conversion>') == ["A301"]
    assert info("<Runtime_version/>") == ["A301"]


def test_dimensions_without_end_are_unknown_ones(tmp_path: Path) -> None:
    for size, wrong in ((1 << 62, True), ((1 << 63) - 1, True), ((1 << 64) - 4, False)):
        text = ADD.replace('shape="2,3"', f'shape="{size},3"')
        assert bool(errors(found(tmp_path, text))) == wrong, size


def test_commas_at_the_end_of_a_list(tmp_path: Path) -> None:
    text = model("opset1.MaxPool").text
    old = re.search(r'strides="(\d+), ?(\d+)"', text)
    assert old is not None
    one, two = old.groups()
    for value, wrong in (
        (f"{one},{two},", False),
        (f"{one},{two}, ", True),
        (f"{one},", True),
        (f"{one}, {two} ", False),
    ):
        assert bool(errors(found(tmp_path, text.replace(old[0], f'strides="{value}"')))) == wrong, value


@pytest.mark.parametrize(("key", "spare"), [("opset1.Exp", True), ("opset1.MatMul", True), ("opset1.Add", False)])
def test_version_10_passes_over_some_inputs_too_many(key: str, spare: bool, tmp_path: Path) -> None:
    text = model(key).text
    layer = re.search(r'<layer id="(\d+)" name="op".*?</layer>', text, re.DOTALL)
    assert layer is not None
    one = re.search(r"<port .*?</port>", layer[0][layer[0].index("<input>") :], re.DOTALL)
    assert one is not None
    more = layer[0].replace("</input>", re.sub(r'id="\d+"', 'id="90"', one[0], count=1) + "</input>", 1)
    edge = f'<edge from-layer="0" from-port="0" to-layer="{layer[1]}" to-port="90"/></edges>'
    text = text.replace(layer[0], more).replace("</edges>", edge)
    for version, taken in (("11", False), ("10", spare)):
        wrong = found(tmp_path, text.replace('version="11"', f'version="{version}"'), model(key).weights)
        assert [f[:2] for f in wrong if f[0] == "O002"] == [("O002", "warning" if taken else "error")]


@pytest.mark.parametrize(("id_", "code"), [("x", "T001"), ("77", "R001")])
def test_a_body_whose_layer_has_lost_its_number_is_one_error(id_: str, code: str, tmp_path: Path) -> None:
    text = branches(THEN, OTHER, BODY.replace('<layer id="2"', f'<layer id="{id_}"'))
    assert [f[0] for f in errors(found(tmp_path, text, b"\1"))] == [code]


def test_a_part_that_the_reader_does_without_is_not_put_back_unasked(tmp_path: Path) -> None:
    def safety(text: str) -> list[str]:
        return [f.fix.safety for f in engine.lint(text, "m.xml").findings if f.code == "T003" and f.fix]

    assert safety(ADD.replace(EDGE, EDGE.replace("<edge", "<edeg"))) == ["safe"]
    text = ADD.replace(OUT, OUT.replace("<layer", "<laier"))
    at = text.index("</layer>", text.index("<laier"))
    assert safety(text[:at] + "</laier>" + text[at + 8 :]) == ["unsafe"]


def test_inputs_of_another_opset_are_one_error() -> None:
    """MVN has its axes as an input, and `eps_mode`, since opset6."""
    text = model("opset6.MVN").text.replace('type="MVN" version="opset6"', 'type="MVN" version="opset1"')
    (finding,) = engine.lint_bytes(text.encode(), "m.xml").findings
    assert finding.message.endswith("got 2; MVN of `opset6` takes these inputs and attributes")
    assert finding.fix is not None
    assert finding.fix.title == "Set `version` to `opset6`"
