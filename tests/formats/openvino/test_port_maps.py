"""Loop, TensorIterator and If: models that are right, and one slip at a time in port maps, back edges and bodies."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint import engine
from irlint.findings import Severity


def layer(number: int, type_: str, data: str = "", inputs: str = "", outputs: str = "", extra: str = "") -> str:
    """A layer; ports are given as `PRECISION:DIMS`, numbered through."""
    ports = [[p.split(":") for p in side.split()] for side in (inputs, outputs)]

    def side(tag: str, of: list[list[str]], first: int) -> str:
        lines = "".join(
            f'<port id="{first + k}" precision="{p}">{"".join(f"<dim>{d}</dim>" for d in dims.split(",") if d)}</port>\n'
            for k, (p, dims) in enumerate(of)
        )
        return f"<{tag}>\n{lines}</{tag}>\n" if of else ""

    version = {"Loop": "opset5", "If": "opset8"}.get(type_, "opset1")
    return (
        f'<layer id="{number}" name="{type_.lower()}{number}" type="{type_}" version="{version}">\n{data}\n'
        f"{side('input', ports[0], 0)}{side('output', ports[1], len(ports[0]))}{extra}</layer>\n"
    )


def graph(layers: list[str], *edges: str) -> str:
    lines = "".join(
        '<edge from-layer="{}" from-port="{}" to-layer="{}" to-port="{}"/>\n'.format(*edge.split()) for edge in edges
    )
    return f"<layers>\n{''.join(layers)}</layers>\n<edges>\n{lines}</edges>\n"


def parameter(number: int, shape: str, type_: str = "f32") -> str:
    precision = {"f32": "FP32", "i64": "I64", "boolean": "BOOL"}[type_]
    return layer(number, "Parameter", f'<data shape="{shape}" element_type="{type_}"/>', "", f"{precision}:{shape}")


def net(content: str) -> str:
    return f'<?xml version="1.0"?>\n<net name="n" version="11">\n{content}</net>\n'


ADD = "FP32:1,1,3 FP32:1,1,3", "FP32:1,1,3"
BODY = graph(
    [
        parameter(0, "1,1,3"),
        parameter(1, "1,1,3"),
        layer(2, "Add", '<data auto_broadcast="numpy"/>', *ADD),
        layer(3, "Result", inputs="FP32:1,1,3"),
        layer(4, "Result", inputs="FP32:1,1,3"),
    ],
    "0 0 2 0", "1 0 2 1", "2 2 3 0", "2 2 4 0",
)  # fmt: skip
MAP = """<port_map>
<input axis="1" external_port_id="0" internal_layer_id="0"/>
<input external_port_id="1" internal_layer_id="1"/>
<output axis="1" external_port_id="2" internal_layer_id="3"/>
<output external_port_id="3" internal_layer_id="4"/>
</port_map>
<back_edges>
<edge from-layer="4" to-layer="1"/>
</back_edges>
"""
ITERATOR = net(
    graph(
        [
            parameter(0, "1,4,3"),
            parameter(1, "1,1,3"),
            layer(2, "TensorIterator", "", "FP32:1,4,3 FP32:1,1,3", "FP32:1,4,3 FP32:1,1,3", f"{MAP}<body>\n{BODY}</body>\n"),
            layer(3, "Result", inputs="FP32:1,4,3"),
            layer(4, "Result", inputs="FP32:1,1,3"),
        ],
        "0 0 2 0", "1 0 2 1", "2 2 3 0", "2 3 4 0",
    )
)  # fmt: skip
LOOP_BODY = graph(
    [
        parameter(0, "1,1,3"),
        parameter(1, "", "boolean"),
        parameter(5, "", "i64"),
        layer(2, "ReLU", "", "FP32:1,1,3", "FP32:1,1,3"),
        layer(6, "Convert", '<data destination_type="f32"/>', "I64:", "FP32:"),
        layer(7, "Add", '<data auto_broadcast="numpy"/>', "FP32:1,1,3 FP32:", "FP32:1,1,3"),
        layer(3, "Result", inputs="FP32:1,1,3"),
        layer(4, "Result", inputs="BOOL:"),
    ],
    "0 0 2 0", "2 1 7 0", "5 0 6 0", "6 1 7 1", "7 2 3 0", "1 0 4 0",
)  # fmt: skip
LOOP_MAP = """<port_map>
<input external_port_id="2" internal_layer_id="0"/>
<input external_port_id="3" internal_layer_id="1"/>
<input external_port_id="-1" internal_layer_id="5" purpose="current_iteration"/>
<output external_port_id="-1" internal_layer_id="4" purpose="execution_condition"/>
<output external_port_id="4" internal_layer_id="3"/>
</port_map>
<back_edges>
<edge from-layer="3" to-layer="0"/>
</back_edges>
"""
LOOP = net(
    graph(
        [
            parameter(0, "", "i64"),
            parameter(1, "", "boolean"),
            parameter(2, "1,1,3"),
            parameter(5, "", "boolean"),
            layer(3, "Loop", "", "I64: BOOL: FP32:1,1,3 BOOL:", "FP32:1,1,3", f"{LOOP_MAP}<body>\n{LOOP_BODY}</body>\n"),
            layer(4, "Result", inputs="FP32:1,1,3"),
        ],
        "0 0 3 0", "1 0 3 1", "2 0 3 2", "5 0 3 3", "3 4 4 0",
    )
)  # fmt: skip


def branch(operation: str) -> str:
    return graph(
        [parameter(0, "1,3"), layer(1, operation, "", "FP32:1,3", "FP32:1,3"), layer(2, "Result", inputs="FP32:1,3")],
        "0 0 1 0", "1 1 2 0",
    )  # fmt: skip


BRANCH_MAP = (
    '<input external_port_id="1" internal_layer_id="0"/>\n<output external_port_id="2" internal_layer_id="2"/>\n'
)
CHOICE = net(
    graph(
        [
            parameter(0, "", "boolean"),
            parameter(1, "1,3"),
            layer(
                2, "If", "", "BOOL: FP32:1,3", "FP32:1,3",
                f"<then_port_map>\n{BRANCH_MAP}</then_port_map>\n<else_port_map>\n{BRANCH_MAP}</else_port_map>\n"
                f"<then_body>\n{branch('ReLU')}</then_body>\n<else_body>\n{branch('Sigmoid')}</else_body>\n",
            ),
            layer(3, "Result", inputs="FP32:1,3"),
        ],
        "0 0 2 0", "1 0 2 1", "2 2 3 0",
    )
)  # fmt: skip

SLIPS = [
    (ITERATOR, 'axis="1" external_port_id="0"', 'axis="3" external_port_id="0"', "error", "axis 3 in the port map of TensorIterator"),
    (ITERATOR, 'axis="1" external_port_id="0"', 'axis="-1" external_port_id="0"', "error", "expected a non-negative `axis`"),
    (ITERATOR, 'axis="1" external_port_id="0"', 'axis="1" stride="0" external_port_id="0"', "error", "expected a non-zero `stride`"),
    (ITERATOR, 'axis="1" external_port_id="0"', 'axis="1" stride="2" external_port_id="0"', "error", "expected 2 (from `stride`) for `part_size`"),
    (ITERATOR, 'axis="1" external_port_id="0"', 'axis="1" stride="3" part_size="3" external_port_id="0"', "error", "expected a multiple of 3"),
    (ITERATOR, 'axis="1" external_port_id="0"', 'axis="1" start="3" end="1" external_port_id="0"', "error", "does not fit a dimension of 4"),
    (ITERATOR, 'axis="1" external_port_id="2"', 'axis="1" stride="2" part_size="2" external_port_id="2"', "error", "expected size 2 on axis 1"),
    (ITERATOR, 'external_port_id="1" internal_layer_id="1"', 'external_port_id="7" internal_layer_id="1"', "error", "undefined input port 7"),
    (ITERATOR, 'external_port_id="1" internal_layer_id="1"', 'external_port_id="-1" internal_layer_id="1"', "error", "expected an input port for a Parameter"),
    (ITERATOR, 'external_port_id="1" internal_layer_id="1"', 'external_port_id="1" internal_layer_id="9"', "error", "undefined layer id 9"),
    (ITERATOR, 'external_port_id="1" internal_layer_id="1"', 'external_port_id="1" internal_layer_id="2"', "error", "expected a Parameter for layer id 2"),
    (ITERATOR, 'external_port_id="1" internal_layer_id="1"', 'external_port_id="0" internal_layer_id="1"', "error", "mapped twice, port 1 not at all"),
    (ITERATOR, '<input external_port_id="1" internal_layer_id="1"/>\n', "", "error", "uses input port 1"),
    (ITERATOR, 'external_port_id="3" internal_layer_id="4"', 'external_port_id="2" internal_layer_id="4"', "error", "output port 2 of TensorIterator"),
    (ITERATOR, 'external_port_id="3" internal_layer_id="4"', 'external_port_id="8" internal_layer_id="4"', "warning", "undefined output port 8"),
    (ITERATOR, 'external_port_id="3" internal_layer_id="4"', 'external_port_id="-1" internal_layer_id="4"', "error", "expected an output port for a Result"),
    (ITERATOR, '<output external_port_id="3" internal_layer_id="4"/>\n', "", "error", "leads to output port 3"),
    (ITERATOR, '<port id="3" precision="FP32"><dim>1</dim><dim>1</dim><dim>3</dim></port>\n</output>', '<port id="3" precision="FP32"><dim>1</dim><dim>1</dim><dim>3</dim></port>\n<port id="3" precision="FP32"><dim>1</dim><dim>1</dim><dim>3</dim></port>\n</output>', "error", "duplicate output port id 3"),
    (ITERATOR, 'from-layer="4" to-layer="1"', 'from-layer="1" to-layer="4"', "warning", "reversed back edge"),
    (ITERATOR, 'from-layer="4" to-layer="1"', 'from-layer="2" to-layer="1"', "error", "expected a Result for layer id 2 in a back edge"),
    (ITERATOR, 'from-layer="4" to-layer="1"', 'from-layer="4" to-layer="9"', None, "undefined layer id 9"),
    (ITERATOR, 'from-layer="4" to-layer="1"', 'from-layer="4" to-layer="0"', "warning", "both a sliced input and a back edge"),
    (ITERATOR, '<edge from-layer="4" to-layer="1"/>', '<edge from-layer="3" to-layer="9"/>', None, "undefined layer id 9"),
    (ITERATOR, "<back_edges>\n<edge from-layer=\"4\" to-layer=\"1\"/>\n</back_edges>\n", "", "warning", "missing `<back_edges>`"),
    (ITERATOR, MAP, "", "error", "missing `<port_map>`"),
    (ITERATOR, '<output external_port_id="3" internal_layer_id="4"/>', '<output external_port_id="3" internal_layer_id="4"/>\n<output external_port_id="3" internal_layer_id="4"/>', "warning", "duplicate port map entry"),
    (LOOP, ' purpose="execution_condition"', "", "error", "has the purpose `execution_condition`"),
    (LOOP, '<output external_port_id="-1" internal_layer_id="4" purpose="execution_condition"/>\n', "", "error", "has the purpose `execution_condition`"),
    (LOOP, ' purpose="current_iteration"', "", "warning", "expected an input port for a Parameter"),
    (LOOP, 'external_port_id="-1" internal_layer_id="5"', 'external_port_id="2" internal_layer_id="5"', None, "expected `-1` for the port of the iteration counter"),
    (LOOP, 'external_port_id="-1" internal_layer_id="5"', 'external_port_id="-1" axis="0" internal_layer_id="5"', "error", "expected an input port for a sliced Parameter"),
    (LOOP, '<data shape="" element_type="i64"/>\n<output>\n<port id="0" precision="I64"></port>\n</output>\n</layer>\n<layer id="2" name="relu2"', '<data shape="2" element_type="i64"/>\n<output>\n<port id="0" precision="I64"><dim>2</dim></port>\n</output>\n</layer>\n<layer id="2" name="relu2"', "error", "expected a single value for the iteration counter"),
    (LOOP, 'external_port_id="3" internal_layer_id="1"', 'external_port_id="3" internal_layer_id="5"', "error", "duplicate port map input for layer 5"),
    (ITERATOR, '<input axis="1" external_port_id="0" internal_layer_id="0"/>\n', "", "error", "uses input port 0"),
    (ITERATOR, 'element_type="f32"/>\n<output>\n<port id="0" precision="FP32"><dim>1</dim><dim>1</dim><dim>3</dim></port>\n</output>\n</layer>\n<layer id="2" name="add2"', 'element_type="f16"/>\n<output>\n<port id="0" precision="FP32"><dim>1</dim><dim>1</dim><dim>3</dim></port>\n</output>\n</layer>\n<layer id="2" name="add2"', "warning", "connects FP32 to a Parameter of type `f16`"),
    (ITERATOR, 'axis="1" external_port_id="2"', 'axis="1" start="3" end="1" external_port_id="2"', None, "does not fit a dimension"),
    (LOOP, '<data shape="" element_type="i64"/>\n<output>\n<port id="0" precision="I64"></port>\n</output>\n</layer>\n<layer id="2" name="relu2"', '<data shape="" element_type="f32"/>\n<output>\n<port id="0" precision="I64"></port>\n</output>\n</layer>\n<layer id="2" name="relu2"', "error", "expected `i32` or `i64` for the iteration counter"),
    (LOOP, '<port id="0" precision="BOOL"></port>\n</input>\n</layer>\n</layers>\n<edges>\n<edge from-layer="0" from-port="0" to-layer="2"', '<port id="0" precision="BOOL"><dim>1</dim><dim>2</dim></port>\n</input>\n</layer>\n</layers>\n<edges>\n<edge from-layer="0" from-port="0" to-layer="2"', "error", "expected a single value for the execution condition"),
    (CHOICE, "<then_port_map>", "<then_map>", "error", "did you mean `<then_port_map>`"),
    (CHOICE, 'external_port_id="1" internal_layer_id="0"', 'external_port_id="0" internal_layer_id="0"', None, "is not passed to the body"),
    (CHOICE, '<input external_port_id="1" internal_layer_id="0"/>\n', "", "warning", "no port map entry leads to Parameter"),
    (CHOICE, 'external_port_id="2" internal_layer_id="2"', 'external_port_id="2" internal_layer_id="1"', "error", "expected a Result for layer id 1"),
]  # fmt: skip


@pytest.mark.parametrize("text", [ITERATOR, LOOP, CHOICE], ids=["TensorIterator", "Loop", "If"])
def test_what_is_right_has_no_finding(text: str) -> None:
    assert [f for f in engine.lint(text, "a.xml").findings if f.code not in ("W001", "A003")] == []


@pytest.mark.parametrize(("text", "old", "new", "severity", "words"), SLIPS, ids=lambda value: str(value)[:40])
def test_one_slip_is_found(text: str, old: str, new: str, severity: str | None, words: str) -> None:
    assert old in text
    changed = text.replace(old, new, 1)
    if "<then_map>" in new:
        changed = changed.replace("</then_port_map>", "</then_map>")
    found = [f for f in engine.lint(changed, "a.xml").findings if words in f.message]
    assert found, [(f.code, f.message) for f in engine.lint(changed, "a.xml").findings]
    if severity is not None:
        assert found[0].severity is Severity.parse(severity)


def test_a_branch_cannot_take_a_constant_condition(tmp_path: Path) -> None:
    """OpenVINO 2026.4.1 moves the other inputs up when it drops the condition: "node index is out of range" on compiling."""
    spare = '<input external_port_id="0" internal_layer_id="3"/>\n'
    given = CHOICE.replace("<then_port_map>\n", f"<then_port_map>\n{spare}")
    given = given.replace("</layers>", f"{parameter(3, '', 'boolean')}</layers>", 1)
    condition = layer(0, "Const", '<data element_type="boolean" shape="" offset="0" size="1"/>', "", "BOOL:")
    path = tmp_path / "m.xml"
    path.with_suffix(".bin").write_bytes(b"\1")
    for text, severity in ((given, "warning"), (given.replace(parameter(0, "", "boolean"), condition, 1), "error")):
        path.write_text(text, encoding="utf-8")
        found = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
        assert [str(f.severity) for f in found if "is not passed to the body" in f.message] == [severity]


def test_an_input_that_one_branch_takes_is_taken() -> None:
    """OpenVINO 2026.4.1 reads and runs it: `if c: return relu(x) else: return sigmoid(y)`."""
    one = BRANCH_MAP.replace('external_port_id="2"', 'external_port_id="3"')
    other = one.replace('external_port_id="1"', 'external_port_id="2"')
    choice = layer(
        2, "If", "", "BOOL: FP32:1,3 FP32:1,3", "FP32:1,3",
        f"<then_port_map>\n{one}</then_port_map>\n<else_port_map>\n{other}</else_port_map>\n"
        f"<then_body>\n{branch('ReLU')}</then_body>\n<else_body>\n{branch('Sigmoid')}</else_body>\n",
    )  # fmt: skip
    layers = [parameter(0, "", "boolean"), parameter(1, "1,3"), parameter(4, "1,3"), choice]
    text = net(graph([*layers, layer(3, "Result", inputs="FP32:1,3")], "0 0 2 0", "1 0 2 1", "4 0 2 2", "2 3 3 0"))
    assert [f.message for f in engine.lint(text, "a.xml").findings if f.code == "R304"] == []
    idle = [f.message for f in engine.lint(text.replace(other, one), "a.xml").findings if f.code == "R304"]
    assert idle == ["no port map entry uses input port 2 of If 'if2'"]
