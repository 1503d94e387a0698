"""ReadValue whose type or rank is left open, as OpenVINO 2026.4.1 takes it on the CPU (read, compile, infer)."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.openvino.tiny import Layer, call, const, errors, parameter, write
from irlint import engine

PORT = '<port id="{0}" precision="FP32"><dim>2</dim></port>'
TEXT = """\
<?xml version="1.0"?>
<net name="states" version="11">
	<layers>
		<layer id="0" name="x" type="Parameter" version="opset1">
			<data shape="2" element_type="f32"/>
			<output>PORT0</output>
		</layer>
		<layer id="1" name="r" type="ReadValue" version="opset6">
			<data variable_id="v"ATTRIBUTES/>
			INPUT<output>PORT1</output>
		</layer>
		<layer id="2" name="y" type="Add" version="opset1">
			<data auto_broadcast="numpy"/>
			<input>PORT0PORT1</input><output>PORT2</output>
		</layer>
		<layer id="3" name="a" type="Assign" version="opset6">
			<data variable_id="v"/>
			<input>PORT0</input>
			<output>PORT1</output>
		</layer>
		<layer id="4" name="out" type="Result" version="opset1">
			<input>PORT0</input>
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
		EDGE<edge from-layer="1" from-port="1" to-layer="2" to-port="1"/>
		<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
		<edge from-layer="2" from-port="2" to-layer="4" to-port="0"/>
	</edges>
</net>
"""


def findings(attributes: str, fed: bool, type_: str = "ReadValue") -> list[tuple[str, str]]:
    edge = '<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>' if fed else ""
    text = TEXT.replace("ATTRIBUTES", attributes).replace("EDGE", edge).replace('"ReadValue"', f'"{type_}"')
    text = text.replace("INPUT", "<input>PORT0</input>" if fed else "")
    for k in range(3):
        text = text.replace(f"PORT{k}", PORT.format(k))
    return [(f.code, str(f.severity)) for f in engine.lint(text, "states.xml").findings]


def attributes(type_: str | None, shape: str | None) -> str:
    return (f' variable_type="{type_}"' if type_ else "") + (f' variable_shape="{shape}"' if shape else "")


@pytest.mark.parametrize(
    ("type_", "shape", "fed"),
    [
        ("dynamic", "...", True),
        ("dynamic", "[...]", True),
        ("undefined", "...", True),
        ("f32", "2", True),
        ("f32", "2", False),
        (None, None, True),
        ("dynamic", None, True),
        (None, "...", True),
    ],
)
def test_taken(type_: str | None, shape: str | None, fed: bool) -> None:
    assert findings(attributes(type_, shape), fed) == []


@pytest.mark.parametrize(
    ("type_", "shape", "fed", "code"),
    [
        ("dynamic", "2", True, "A005"),
        ("undefined", "2", True, "A005"),
        ("dynamic", "?", True, "A005"),
        ("f32", "...", True, "A005"),
        ("dynamic", "...", False, "A005"),
        ("dynamic", "2", False, "A005"),
        ("undefined", "...", False, "A005"),
        ("f32", "...", False, "A005"),
        ("f32", None, True, "A002"),
        (None, "2", True, "A002"),
        (None, None, False, "A002"),
    ],
)
def test_refused(type_: str | None, shape: str | None, fed: bool, code: str) -> None:
    assert findings(attributes(type_, shape), fed) == [(code, "error")]


def test_a_misspelt_attribute_is_the_finding() -> None:
    assert findings(' vraiable_type="f32" variable_shape="2"', True) == [("A001", "error")]


def test_letter_case_of_the_type_does_not_matter() -> None:
    """The reader takes it; only the spelling is a finding, not a variable that nobody reads."""
    assert findings(attributes("f32", "2"), True, "readvalue") == [("O001", "warning")]


def test_an_attribute_of_another_name_matters_only_where_the_missing_one_does(tmp_path: Path) -> None:
    for type_, is_error in (("dynamic", False), ("f32", True)):  # a type without a rank is refused, neither is not
        known = {"variable_id": "v", "variable_type": type_, "Variable_shape": "1,4"}
        read = call("r", "opset6.ReadValue", "x", **known)
        path = write(tmp_path / "model.xml", parameter("x", "1,4"), read, call("y", "opset1.Relu", "r"))
        result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
        assert [str(f.severity) for f in result.findings if f.code == "A001"] == ["error" if is_error else "warning"]


TARGET = [const("heads", 4), const("width", 16), call("shape", "opset1.Concat", "b", "heads", "l", "width", axis=0),
          const("zero", 0.0, shape="", kind="f32"), call("initial", "opset3.Broadcast", "zero", "shape", mode="numpy")]  # fmt: skip
BATCH = [parameter("x", "?,4,?,16"), parameter("b", "1", "i64"), parameter("l", "1", "i64")]


def state(path: Path, shape: str, *layers: Layer, initial: str = "x") -> Path:
    """A model with a variable of a shape, and its initial value."""
    read = call("r", "opset6.ReadValue", initial, variable_id="v", variable_type="f32", variable_shape=shape)
    return write(path, *layers, read, call("a", "opset6.Assign", "x", variable_id="v"), call("y", "opset1.Relu", "r"))


def test_a_variable_includes_its_initial_value(tmp_path: Path) -> None:
    """OpenVINO 2026.4.1 refuses to read the others: "has to extend (relax) the shape"."""
    for given, shape, is_taken in (
        ("?,4,?,16", "?,4,?,16", True),
        ("1,4,3,16", "?,4,?,16", True),
        ("?,?,?,16", "?,4,?,16", False),
        ("?,4,?,16", "?,4,3,16", False),
        ("1,4,3,16", "?,5,3,16", False),
    ):
        path = state(tmp_path / "m.xml", shape, parameter("x", given))
        assert errors(path) == (set() if is_taken else {"D001"})


def test_the_initial_shape_is_unknown_without_the_weights(tmp_path: Path) -> None:
    """The number of heads is in the .bin: unknown is no error."""
    path = state(tmp_path / "m.xml", "?,4,?,16", *BATCH, *TARGET, initial="initial")
    assert errors(path) == set()
    path.with_suffix(".bin").unlink()
    assert errors(path) == {"W001"}
    path.with_suffix(".bin").write_bytes(b"")
    assert errors(path) == {"W002"}
    assert errors(state(tmp_path / "n.xml", "?,5,?,16", *BATCH, *TARGET, initial="initial")) == {"D001"}
