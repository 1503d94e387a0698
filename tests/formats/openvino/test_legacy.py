"""IR of versions 1 to 9: refused by current releases, read by the one that `targets` names."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.engine import Settings

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
        (7, "2022.1", "by OpenVINO 2019.1 to 2021.4 only, not by 2022.1"),
        (7, "2018.5", "not by 2018.5"),
        (9, "2020.1", "by OpenVINO 2019.1 to 2019.4 only, not by 2020.1"),
        (1, "2019.1", "by OpenVINO 2017.0 to 2018.5 only"),
        (5, "2018.4", "by OpenVINO 2018.5 to 2021.4 only"),
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
