"""What converters leave in an IR and readers ignore is a pedantic finding; what somebody may have meant is a warning."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.findings import Finding
from irlint.settings import Settings

DIMS = "<dim>1</dim><dim>2</dim><dim>6</dim><dim>6</dim>"
TAKEN = f'<port id="0">{DIMS}</port>'
PORT = f'<port id="{{0}}" precision="{{1}}">{DIMS}</port>'
RESULT = f'    <layer id="3" name="z" type="Result" version="opset1"><input>{TAKEN}</input></layer>\n'
NET = """\
<?xml version="1.0"?>
<net name="n" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="1,2,6,6" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>6</dim><dim>6</dim></port></output>
    </layer>
    <layer id="1" name="op" type="{type}" version="{opset}">
      <data {attributes}/>
      <input>{taken}</input>
      <output>{outputs}</output>
    </layer>
    <layer id="2" name="y" type="Result" version="opset1"><input>{taken}</input></layer>
{more}  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
{edges}  </edges>
</net>
"""
POOL = 'kernel="1,1" strides="1,1" pads_begin="0,0" pads_end="0,0" rounding_type="floor" auto_pad="explicit"'


def net(
    type_: str, opset: str, attributes: str, outputs: int = 1, precision: str = "FP32", second: bool = False
) -> str:
    return NET.format(
        type=type_,
        opset=opset,
        attributes=attributes,
        outputs="".join(PORT.format(k + 1, precision if k == 0 else "I64") for k in range(outputs)),
        more=RESULT * second,
        taken=TAKEN,
        edges='    <edge from-layer="1" from-port="2" to-layer="3" to-port="0"/>\n' * second,
    )


def found(text: str, *select: str, pedantic: bool = False) -> list[tuple[str, str]]:
    return [(f.code, str(f.severity)) for f in lint(text, Settings(select or ("ALL",), pedantic=pedantic))]


def lint(text: str, settings: Settings = Settings()) -> list[Finding]:
    return engine.lint(text, "model.xml", settings).findings


@pytest.mark.parametrize(
    "leftover",
    [
        'dilations="1,1"',
        'dilations="1, 1"',
        'axis="0"',
        'index_element_type="i64"',
        'img_h="0"',
        'resize_mode=""',
    ],
)
def test_leftovers_of_converters_are_pedantic(leftover: str) -> None:
    text = net("MaxPool", "opset1", f"{POOL} {leftover}")
    assert found(text) == []
    assert found(text, pedantic=True) == found(text, "A001") == [("A001", "pedantic")]


@pytest.mark.parametrize(
    "meant", ['dilations="2,2"', 'index_element_type="i32"', 'Strides="2,2"', 'stride="2,2"', 'pad_begin="3,3"']
)
def test_a_value_that_another_version_would_heed_stays_a_warning(meant: str) -> None:
    assert found(net("MaxPool", "opset1", f"{POOL} {meant}")) == [("A001", "warning")]


def test_a_misspelt_attribute_stays_what_it_is() -> None:
    text = net("MaxPool", "opset1", POOL.replace("auto_pad", "auto_pda"))
    assert found(text) == [("A001", "warning")]
    assert found(net("MaxPool", "opset1", POOL.replace("kernel", "kernal")))[0] == ("A001", "error")


@pytest.mark.parametrize("word", ["True", "1", "FALSE", "0"])
def test_other_spellings_of_true_are_pedantic(word: str) -> None:
    text = net("AvgPool", "opset1", f'{POOL} exclude-pad="{word}"')
    assert found(text) == []
    assert found(text, pedantic=True) == [("A004", "pedantic")]


def test_a_precision_that_a_conversion_to_fp16_left_is_pedantic() -> None:
    text = net("MaxPool", "opset1", POOL, precision="FP16")
    assert found(text) == []
    assert {severity for code, severity in found(text, pedantic=True) if code == "D007"} == {"pedantic"}
    assert ("D007", "warning") in found(net("MaxPool", "opset1", POOL, precision="I64"))


@pytest.mark.parametrize("opset", ["opset8", "opset14"])
def test_missing_dilations_matter_only_for_the_indices(opset: str) -> None:
    assert found(net("MaxPool", opset, POOL, outputs=2)) == []  # measured: 2026.4.1 reads, compiles and runs it
    assert ("A003", "error") in found(net("MaxPool", opset, f'{POOL} dilations="1,x"', outputs=2))
    assert "error" in dict(found(net("MaxPool", opset, f'{POOL} dilations="0,1"', outputs=2))).values()
    text = net("MaxPool", opset, POOL, outputs=2, second=True)
    assert found(text) == [("A002", "error")]
    (fix,) = [f.fix for f in lint(text)]
    assert fix is not None
    assert fix.edits[0].text == ' dilations="1,1"'


def test_rounding_as_torch_does_needs_dilations() -> None:
    """2026.4.1: without them, the CPU plug-in crashes, whether somebody reads the indices or not."""
    torch = POOL.replace("floor", "ceil_torch")
    assert found(net("MaxPool", "opset14", torch, outputs=2)) == [("A002", "error")]
    assert found(net("MaxPool", "opset14", f'{torch} dilations="1,1"', outputs=2)) == []


def test_the_spelling_of_one_of_several_parameters_decides_the_order_of_inputs() -> None:
    """2026.4.1 lists `PARAMETER` layers after `Parameter` layers: to rename one is not safe."""
    one = net("MaxPool", "opset1", POOL).replace('type="Parameter"', 'type="PARAMETER"')
    assert [f.fix and f.fix.safety for f in lint(one) if f.code == "O001"] == ["safe"]
    other = '    <layer id="9" name="x2" type="Parameter" version="opset1"><data shape="1" element_type="f32"/>'
    other += '<output><port id="0" precision="FP32"><dim>1</dim></port></output></layer>\n  </layers>'
    two = one.replace("  </layers>", other)
    assert [f.fix and f.fix.safety for f in lint(two) if f.code == "O001"] == ["unsafe"]
