"""IR of versions 1 to 9: refused by current releases, read by the one that `targets` names."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases.texts import OPENVINO

from irlint import engine
from irlint.cli import main
from irlint.settings import Settings

LAYER = """\
		<layer id="{0}" name="{1}" precision="FP32" type="{2}">
			<data group="1" kernel="3,3" output="64"/>
			<input><port id="0"><dim>1</dim></port></input>
			<output><port id="1"><dim>1</dim></port></output>
			<blobs><weights offset="0" size="6912"/></blobs>
		</layer>
"""
OLD = (
    '<net batch="1" name="old" version="{0}">\n\t<layers>\n'
    '\t\t<layer id="0" name="data" precision="FP32" type="Input">\n'
    '\t\t\t<output><port id="0"><dim>1</dim></port></output>\n\t\t</layer>\n'
    + LAYER.format(1, "conv", "Convolution")
    + LAYER.format(2, "mine", "MyLayer")
    + '\t</layers>\n\t<edges>\n\t\t<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>\n'
    '\t\t<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>\n\t</edges>\n</net>\n'
)


def findings(version: int, target: str | None = None, text: str = OLD) -> list[tuple[str, str, str]]:
    settings = Settings(targets=(("openvino", target),) if target else ())
    found = engine.lint(text.replace("{0}", str(version)), "old.xml", settings).findings
    return [(f.code, str(f.severity), f.message) for f in found]


@pytest.mark.parametrize(
    ("version", "target"),
    [(7, "2019.3"), (6, "2019"), (6, "2019.2"), (7, "2020.1"), (7, "2021.4"), (5, "2018.5"), (2, "2018.1"), (9, "2019.3"), (1, "2018.5")],
)  # fmt: skip
def test_a_release_that_reads_it(version: int, target: str) -> None:
    assert findings(version, target) == []


@pytest.mark.parametrize(
    ("version", "target", "words"),
    [
        (7, "2022.1", "requires OpenVINO 2019.1 to 2021.4; the target is 2022.1"),
        (7, "2018.5", "the target is 2018.5"),
        (9, "2020.1", "requires OpenVINO 2019.1 to 2019.4; the target is 2020.1"),
        (1, "2019.1", "requires OpenVINO 2017.0 to 2018.5;"),
        (5, "2018.4", "requires OpenVINO 2018.5 to 2021.4;"),
    ],
)
def test_a_release_that_does_not(version: int, target: str, words: str) -> None:
    ((code, severity, message),) = findings(version, target)
    assert (code, severity) == ("C301", "error")
    assert words in message


@pytest.mark.parametrize(("version", "named"), [(7, "2019.3"), (9, "2019.3"), (3, "2019.3"), (1, "2018.5")])
def test_without_a_target_the_setting_is_named(version: int, named: str) -> None:
    ((code, _, message),) = findings(version)
    assert code == "C301"
    assert f"`targets: {{openvino: {named}}}`" in message


def test_what_else_is_wrong_is_told_with_any_target() -> None:
    dangling = OLD.replace('to-layer="2"', 'to-layer="9"')
    assert dangling != OLD
    assert [code for code, _, _ in findings(6, "2019.3", dangling)] == ["R001"]
    assert [code for code, _, _ in findings(6, None, dangling)] == ["C301", "R001"]


def layer(number: int, kind: str, inputs: int, more: str = "") -> str:
    ports = "".join(f'<port id="{k}"><dim>1</dim></port>' for k in range(inputs))
    fed = f"<input>{ports}</input>" if inputs else ""
    made = f'<output><port id="{inputs}"><dim>1</dim></port></output>'
    return f'<layer id="{number}" name="{kind}{number}" precision="FP32" type="{kind}">{fed}{made}{more}</layer>'


def loop(entries: str) -> str:
    inner = f"{layer(0, 'Reshape', 1)}{layer(1, 'Eltwise', 2)}"
    edge = '<edge from-layer="0" from-port="1" to-layer="1" to-port="0"/>'
    body = f"<body><layers>{inner}</layers><edges>{edge}</edges></body>"
    result = '<output external_port_id="2" internal_layer_id="1" internal_port_id="2"/>'
    iterator = layer(2, "TensorIterator", 2, f"<port_map>{entries}{result}</port_map>{body}")
    edges = "".join(f'<edge from-layer="{k}" from-port="0" to-layer="2" to-port="{k}"/>' for k in (0, 1))
    layers = f"{layer(0, 'Input', 0)}{layer(1, 'Input', 0)}{iterator}"
    return f'<net name="loop" version="{{0}}"><layers>{layers}</layers><edges>{edges}</edges></net>'


INTO_RESHAPE = '<input axis="0" external_port_id="0" internal_layer_id="0" internal_port_id="0"/>'
INTO_ELTWISE = '<input external_port_id="1" internal_layer_id="1" internal_port_id="1"/>'


@pytest.mark.parametrize(
    ("entries", "unfed"),
    [
        (INTO_RESHAPE + INTO_ELTWISE, []),
        (INTO_RESHAPE, ["no edge leads to input port 1 of Eltwise 'Eltwise1'"]),
        (INTO_ELTWISE, ["no edge leads to input port 0 of Reshape 'Reshape0'"]),
        (INTO_RESHAPE + INTO_ELTWISE.replace('port_id="1"/', 'port_id="7"/'), ["no edge leads to input port 1 of Eltwise 'Eltwise1'"]),
    ],
)  # fmt: skip
def test_a_port_map_feeds_ports_of_the_layers_in_a_body(entries: str, unfed: list[str]) -> None:
    found = findings(6, "2019.3", loop(entries))
    assert [message for code, _, message in found if code == "R301"] == unfed
    assert len(found) == len(unfed)


@pytest.mark.parametrize("version", ["7", "11"])
def test_a_layer_without_a_name_or_an_id_is_not_called_none(version: str) -> None:
    text = f'<net name="n" version="{version}"><layer/><layers/><edges/></net>'
    messages = [finding.message for finding in engine.lint(text, "n.xml").findings]
    assert any(message.startswith("unexpected element `<layer>` in `<net>`") for message in messages)
    assert not any("None" in message for message in messages)


def test_its_figures_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where only older releases read it: the first release of such a version is no figure of it."""
    path = tmp_path / "old.xml"
    path.write_text(OPENVINO.replace('version="11"', 'version="7"'), encoding="utf-8")
    assert main(["summary", str(path)]) == 0
    assert "operators" in capsys.readouterr().out
