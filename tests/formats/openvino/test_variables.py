"""ReadValue and Assign that OpenVINO 2026.4.1 does not read, compile or run on the CPU, and those that it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.openvino.tiny import Layer, call, const, errors, findings, parameter, write
from irlint import engine, offers
from irlint.findings import Finding

X = parameter("x", "2")
END = call("end", "opset1.Relu", "x")
OPSETS = ("opset3", "opset6")


def read(name: str, opset: str, variable: str = "v") -> Layer:
    more = {"variable_type": "f32", "variable_shape": "2"} if opset == "opset6" else {}
    return call(name, f"{opset}.ReadValue", "x", variable_id=variable, **more)


def assign(name: str, opset: str, source: str, variable: str = "v") -> Layer:
    return call(name, f"{opset}.Assign", source, variable_id=variable)


def add(name: str, one: str, two: str) -> Layer:
    return call(name, "opset1.Add", one, two, auto_broadcast="numpy")


def result(name: str, source: str) -> Layer:
    return call(name, "opset1.Result", source)


def shape(name: str, source: str) -> Layer:
    return call(name, "opset3.ShapeOf", source, output_type="i64")


def refused(opset: str) -> dict[str, list[Layer]]:
    r, r2 = read("r", opset), read("r2", opset)
    sum_ = [add("sum", "r", "x"), assign("a", opset, "sum")]
    return {
        "its ReadValue leads nowhere": [r, assign("a", opset, "x")],
        "its ReadValue leads to a layer that leads nowhere": [r, call("s", "opset1.Relu", "r"), assign("a", opset, "x")],
        "no Assign": [r, result("o", "r")],
        "no Assign behind a layer": [r, call("s", "opset1.Relu", "r"), result("o", "s")],
        "Assign misspelt": [r, result("o", "r"), call("a", f"{opset}.Assgin", "r", variable_id="v")],
        "no Assign of the first of two": [r, read("r2", opset, "w"), add("sum", "r", "r2"), assign("a", opset, "sum", "w")],
        "read by its own Assign alone": [r, assign("a", opset, "r")],
        "and its shape": [r, assign("a", opset, "r"), shape("s", "r"), result("o", "s")],
        "two ReadValues": [r, r2, *sum_, result("o", "r2")],
        "two ReadValues, one for its shape": [r, r2, *sum_, shape("s", "r2"), result("o", "s")],
        "two Assigns": [r, *sum_, assign("a2", opset, "sum")],
        "an Assign that feeds a layer": [r, *sum_, call("s", "opset1.Relu", "a"), result("o", "s")],
        "an Assign that feeds a Result": [r, *sum_, result("o", "a")],
    }  # fmt: skip


def taken(opset: str) -> dict[str, list[Layer]]:
    r = read("r", opset)
    sum_ = [add("sum", "r", "x"), assign("a", opset, "sum")]
    return {
        "in a circle": [r, *sum_],
        "and a Result": [r, *sum_, result("o", "r")],
        "its own Assign and a Result": [r, assign("a", opset, "r"), result("o", "r")],
        "behind several layers": [r, call("s", "opset1.Relu", "r"), add("t", "s", "x"), assign("a", opset, "t")],
        "nothing needs it": [r],
        "nothing needs it, Assign misspelt": [r, call("a", f"{opset}.Assgin", "x", variable_id="v")],
        "only its shape is needed": [r, shape("s", "r"), result("o", "s")],
        "only its type is needed": [r, call("s", "opset8.ConvertLike", "x", "r"), result("o", "s")],
        "another ReadValue that leads nowhere": [r, read("r2", opset), *sum_],
        "an Assign that feeds what leads nowhere": [r, *sum_, call("s", "opset1.Relu", "a")],
    }


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("name", refused("opset6"))
def test_what_is_refused_is_an_error(name: str, opset: str, tmp_path: Path) -> None:
    assert errors(write(tmp_path / "m.xml", X, *refused(opset)[name], END)) == {"R303"}


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("name", taken("opset6"))
def test_what_runs_has_no_error(name: str, opset: str, tmp_path: Path) -> None:
    assert not errors(write(tmp_path / "m.xml", X, *taken(opset)[name], END))


def test_both_are_of_one_opset(tmp_path: Path) -> None:
    layers = [read("r", "opset3"), add("sum", "r", "x"), assign("a", "opset6", "sum"), result("o", "r")]
    path = write(tmp_path / "m.xml", X, *layers, END)
    found = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    words = "expected `opset3` for Assign 'a', as for ReadValue 'r' of the same variable, got `opset6`"
    assert words in [finding.message for finding in found]


def test_an_assign_need_not_depend_on_its_read_value_in_opset6(tmp_path: Path) -> None:
    first, second = ([read("r", o), assign("a", o, "x"), result("o", "r")] for o in OPSETS)
    assert errors(write(tmp_path / "m.xml", X, *first, END)) == {"R303"}
    assert not findings(write(tmp_path / "m.xml", X, *second, END))
    crossed = [
        read("r", "opset6"),
        read("s", "opset6", "w"),
        assign("a", "opset6", "s"),
        assign("b", "opset6", "r", "w"),
    ]
    assert not findings(write(tmp_path / "m.xml", X, *crossed, END))


def test_what_is_written_to_a_first_variable_is_as_what_it_begins_with(tmp_path: Path) -> None:
    longer = call("l", "opset1.Concat", "r", "x", axis="0")
    assert errors(write(tmp_path / "m.xml", X, read("r", "opset3"), longer, assign("a", "opset3", "l"), END)) == {
        "R303"
    }
    same = add("l", "r", "x")
    assert not findings(write(tmp_path / "m.xml", X, read("r", "opset3"), same, assign("a", "opset3", "l"), END))


@pytest.mark.parametrize(
    ("step", "begins", "shape", "codes"),
    [
        ("2,4", "1,4", "...", {"R303"}),  # No reorder available for the following tensor descriptors: ab and ab
        ("1,2,4", "1,4", "...", {"R303"}),
        ("1,4", "1,4", "...", set()),
        ("1,4", "4", "...", set()),
        ("?,4", "1,4", "...", set()),  # fails only where something else than 1 is given
    ],
)
def test_a_state_keeps_the_shape_that_it_begins_with(
    step: str, begins: str, shape: str, codes: set[str], tmp_path: Path
) -> None:
    layers = [
        parameter("x", step),
        const("c", *[0.0] * 4, shape=begins, kind="f32"),
        call("r", "opset6.ReadValue", "c", variable_id="v", variable_type="dynamic", variable_shape=shape),
        add("sum", "r", "x"),
        assign("a", "opset6", "sum"),
        call("end", "opset1.Relu", "sum"),
    ]
    assert errors(write(tmp_path / "m.xml", *layers)) == codes


def states(path: Path, *names: tuple[str, str]) -> list[Finding]:
    """What is found in a model with variables, each by the name of its ReadValue and that of its Assign; "" for none."""
    layers = [X]
    for k, (one, other) in enumerate(names):
        reader, writer = read(f"r{k}", "opset6", one), assign(f"a{k}", "opset6", f"s{k}", other)
        layers += [reader, add(f"s{k}", f"r{k}", "x"), writer]
        layers[-3:] = [
            layer if layer.attrs.get("variable_id") != "" else layer._replace(attrs={}) for layer in layers[-3:]
        ]
    path = write(path, *layers, END)
    result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
    offers.confirm(result)
    return [f for f in result.findings if str(f.severity) == "error"]


def test_a_variable_with_two_names_is_one_finding(tmp_path: Path) -> None:
    """Only a variable that no other layer has comes into question, and the odd one out is the wrong one."""
    right = [(f"past.{k}.key.present.{k}.key",) * 2 for k in range(1, 4)]
    usual = "past.0.key.present.0.key"
    for pair, name in ((("past.0.key", usual), "r0"), ((usual, "past.0.key"), "a0"), ((usual, "past.00.keys"), "a0")):
        (found,) = states(tmp_path / "m.xml", pair, *right)
        assert found.code == "R303"
        assert found.node == name
        assert f"did you mean '{usual}'?" in found.message
        assert found.fix is not None
        assert found.fix.safety == "safe"
        assert found.fix.title == f"Set `variable_id` to `{usual}`"


def test_a_variable_may_be_that_of_a_layer_without_one(tmp_path: Path) -> None:
    for pair in (("", "v"), ("v", "")):
        assert [f.code for f in states(tmp_path / "m.xml", pair, ("w", "w"))] == ["A002"]


def test_a_model_with_states_but_no_result_has_no_outputs(tmp_path: Path) -> None:
    """OpenVINO 2026.4.1 compiles it; the edge to the lost layer is a consequence."""
    path = write(
        tmp_path / "m.xml",
        X,
        read("r", "opset6"),
        add("s", "r", "x"),
        assign("a", "opset6", "s"),
        call("y", "opset1.Relu", "s"),
    )
    assert findings(path) == []
    text = path.read_text()
    start = text.index('<layer id="5"')
    path.write_text(text[:start] + text[text.index("</layers>") :])
    (found,) = (f for f in engine.lint_bytes(path.read_bytes(), path.name, path=path).findings if f.code[0] in "TR")
    assert (found.code, str(found.severity), len(found.related)) == ("T007", "warning", 1)
