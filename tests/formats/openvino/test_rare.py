"""What few IRs have: runtime attributes, namespaces, names with escapes, comments in odd places, and what editors ask of them."""

from __future__ import annotations

import pytest

from irlint import engine, offers
from irlint.formats.base import by_name
from irlint.settings import Settings
from irlint.text.base import Span, apply

from .test_port_maps import ITERATOR, LOOP, graph, layer, net, parameter

FORMAT = by_name("openvino")
assert FORMAT is not None
INPUT = layer(0, "Parameter", '<data shape="1,3" element_type="f32"/>', "", "FP32:1,3", "<rt_info>INFO</rt_info>")
PLAIN = net(graph([INPUT, layer(1, "Result", "", "FP32:1,3")], "0 0 1 0")).replace("<rt_info>INFO</rt_info>", "")
MARKED = net(graph([INPUT, layer(1, "Result", "", "FP32:1,3")], "0 0 1 0"))

CHAIN = net(
    graph(
        [parameter(0, "1,3"), layer(1, "ReLU", "", "FP32:1,3", "FP32:1,3"), layer(2, "Result", "", "FP32:1,3")],
        "0 0 1 0", "1 1 2 0",
    )
)  # fmt: skip


def told(text: str, **given: str) -> list[tuple[str, str, str]]:
    findings = engine.lint(text, given.get("name", "net.xml")).findings
    return [(f.code, str(f.severity), f.message) for f in findings if f.code not in ("W001", "G001")]


@pytest.mark.parametrize(
    ("info", "words"),
    [
        ('<attribute version="0"/>', "missing attribute `name` for a runtime attribute of Parameter 'parameter0'"),
        ('<attribute name="layout" version="7" layout="[N,N]"/>', None),
        ('<attribute name="strides_propagation" version="0"/>', "unreadable runtime attribute `strides_propagation`"),
        ('<attribute name="old_api_map_element_type" version="0" value="f99"/>', "unknown element type `f99`"),
        ('<attribute name="layout" version="0"/>', None),
    ],
)
def test_runtime_attributes(info: str, words: str | None) -> None:
    found = [message for _, _, message in told(MARKED.replace("INFO", info))]
    assert len(found) == (words is not None)
    assert words is None or words in found[0]


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ('<net name="n"', '<net xmlns="http://a" name="n"', "T003", "unexpected XML namespace"),
        ("</net>", "<meta_data>text</meta_data></net>", "", "unexpected text in `<meta_data>`"),
        ('shape="1,3"', 'shape="1,3,,"', "", ""),
        ('type="Result" version="opset1"', 'type="Result" version="opset99"', "", "did you mean `opset1`"),
    ],
)
def test_one_slip(old: str, new: str, code: str, words: str) -> None:
    assert old in PLAIN
    found = told(PLAIN.replace(old, new, 1))
    assert [entry for entry in found if entry[0].startswith(code) and words in entry[2]], found


def test_a_name_with_a_comma_is_one_name() -> None:
    first, second = '<output>\n<port id="0" precision="FP32"', '<port id="1" precision="FP32"'
    text = CHAIN.replace(first, f'{first} names="c"').replace(second, f'{second} names="a\\,c,NAME"')
    for name, expected in (("b,c", 1), ("b", 0)):
        findings = engine.lint(text.replace("NAME", name), "net.xml", Settings(pedantic=True)).findings
        assert len([f for f in findings if "duplicate tensor name 'c'" in f.message]) == expected


def test_a_page_is_not_called_a_model() -> None:
    text = "<html><layers></layers><p>1</p></html>"
    assert "root element" not in told(text, name="page.xml")[0][2]


def test_a_comment_at_the_end_speaks_for_nothing() -> None:
    wrong = PLAIN.replace('type="Result"', 'type="Reslt"')
    for text in (
        wrong.replace("</layers>", "<!-- irlint: ignore[O001] -->\n</layers>"),
        f"{wrong}<!-- irlint: ignore[O001] -->\n",
    ):
        assert "O001" in [code for code, _, _ in told(text)]


def test_a_suppression_on_a_line_of_its_own() -> None:
    assert FORMAT is not None
    ignores = FORMAT.ignores("ir11")
    assert ignores is not None
    text = PLAIN.replace('</layer>\n<layer id="1"', '</layer><layer id="1"')
    document, at = FORMAT.open(text, "net.xml"), text.index('<layer id="1"')
    edits = ignores.edits(document, ignores.anchor(document, Span(at, at + 1)), "ignore[O001]")
    assert '</layer>\n<!-- irlint: ignore[O001] -->\n<layer id="1"' in apply(text, edits)
    model = engine.lint(text, "net.xml").model
    assert model is not None
    assert FORMAT.navigation().suppression(model, Span(at, at + 1), "O001") is None
    assert ignores.anchor(FORMAT.open("", "net.xml"), Span(0, 0)) == 0


def test_what_editors_ask() -> None:
    assert FORMAT is not None
    navigation, text = FORMAT.navigation(), PLAIN.replace('from-layer="0"', 'from-layer="77"')
    model = engine.lint(text, "net.xml").model
    assert model is not None
    assert navigation.referent(model, text.index("77")) is None
    token = navigation.token_at(model, text.index("opset1") + 1)
    assert token is not None
    assert "opset8" in [choice.text for choice in navigation.choices(model, token)]


def test_a_target_is_named_after_the_runtime() -> None:
    assert FORMAT is not None
    assert FORMAT.target_trouble("ir10", "2024.6") == "unknown target `ir10`; expected `openvino`"


def test_a_parameter_without_data_or_ports() -> None:
    """What the other ends of edges declare is offered for what is missing."""

    text = CHAIN
    bare = text.replace('<data shape="1,3" element_type="f32"/>', "")
    inputs = '<input>\n<port id="0" precision="FP32"><dim>1</dim><dim>3</dim></port>\n</input>\n<output>'
    assert inputs in text
    for broken, title in ((bare, "Add `<data>`"), (text.replace(inputs, "<output>"), "Add `<input>`")):
        result = engine.lint(broken, "net.xml")
        offers.confirm(result, offers.TrialLinter(result))
        assert title in [f.fix.title for f in result.findings if f.fix is not None]


INPUT_ENTRY = 'axis="1" external_port_id="0"'
OTHER_ENTRY = 'external_port_id="1" internal_layer_id="1"'
AT_PORT = 'from-layer="0" from-port="0" to-layer="1" to-port="0"'


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        (ITERATOR, {INPUT_ENTRY: f'stride="x" {INPUT_ENTRY}'}, [("T001", "Set `stride` to `1`")]),
        (ITERATOR, {f'{INPUT_ENTRY} internal_layer_id="0"': INPUT_ENTRY}, [("T002", None)]),
        (
            ITERATOR,
            {INPUT_ENTRY: f'stride="3" {INPUT_ENTRY}', OTHER_ENTRY: 'external_port_id="1" internal_layer_id="9"'},
            [("R304", "Set `stride` to `1`"), ("R304", "Set `internal_layer_id` to `1`"), ("R304", None)],
        ),
        (ITERATOR, {'"numpy"': '"bogus"'}, [("A005", "Set `auto_broadcast` to `none`")]),
        (LOOP, {"current_iteration": "bogus"}, [("R304", None), ("T006", None)]),
        (CHAIN, {'type="ReLU" version="opset1"': 'type="If" version="opset1"'}, [("O006", "Set `type` to `ReLU`")]),
        (CHAIN, {AT_PORT: 'from-layer="1" from-port="0" to-layer="0" to-port="0"'}, [("R001", "Reverse the edge")]),
    ],
)  # fmt: skip
def test_slips_in_bodies_and_edges(text: str, changes: dict[str, str], expected: list[tuple[str, str | None]]) -> None:
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, 1)
    result = engine.lint(text, "net.xml")
    offers.confirm(result, offers.TrialLinter(result))
    found = [(f.code, f.fix and f.fix.title) for f in result.findings if f.code != "W001"]
    assert found == expected
