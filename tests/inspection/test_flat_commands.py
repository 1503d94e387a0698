"""irlint flatten and irlint summary, as a shell sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mobilenet import mobilenet_v2

from irlint.cli import main


@pytest.fixture
def model(tmp_path: Path) -> Path:
    file = tmp_path / "model.txt"
    file.write_text(mobilenet_v2())
    return file


def test_flatten_prints_a_listing_as_it_is(model: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for text in (mobilenet_v2(), '# é\r\n0 abs ["x"]\r\n1 exp [0]', "0 abs ['\\xff']\n"):
        model.write_bytes(text.encode())
        assert main(["flatten", str(model)]) == 0
        assert capfdbinary.readouterr().out == text.encode()


def test_flatten_shows_the_kinds_that_are_asked_for(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    second = {
        "": "[]",
        "Call": "[0]",
        "Var": "['stem/kernel']",
        "Call,Var": "[0, 'stem/kernel']",
        "var,call": "[0, 'stem/kernel']",
    }
    for kinds, inputs in second.items():
        assert main(["flatten", str(model), "--node-types", kinds]) == 0
        assert capfd.readouterr().out.splitlines()[1] == f"1 nn.conv2d {inputs}"
    assert main(["flatten", str(model), "--node-types", "Calls"]) == 2
    assert "expected one of Call, Var, Constant" in capfd.readouterr().err


def test_flatten_as_json(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model.write_text("0 nn.conv2d ['x', 'constant']\n1 nn.relu [0]\n")
    assert main(["flatten", str(model), "--output-format", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["nodes"] == [
        {"nId": 0, "op_name": "nn.conv2d", "inputs": ["x", "constant"]},
        {"nId": 1, "op_name": "nn.relu", "inputs": [0]},
    ]
    assert [leaf["op_name"] for leaf in found["leaves"]] == ["x", "constant"]


def test_a_broken_model_is_refused_with_its_findings(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for broken, said in (
        ("0 abs ['x']\n1 exp [7]\n", "R001"),
        ("0 abs ['x'\n1 exp [[0 ]\n2 [\n", "S001"),
        ("hello\n", "not recognized as a supported model file"),
    ):
        model.write_text(broken)
        for command in ("flatten", "ngrams") if said == "R001" else ("flatten", "summary", "ngrams"):
            assert main([command, str(model)]) == 1
            streams = capfd.readouterr()
            assert streams.out == ""
            assert said in streams.err
            ends = (f": irlint {model}\n", f": irlint --fix --unsafe-fixes {model}\n", "file: it is plain text\n")
            assert streams.err.endswith(ends)
            assert "Traceback" not in streams.err
    assert main(["flatten", str(model.parent / "missing")]) == 2
    assert main(["flatten", str(model.parent)]) == 2
    assert main(["flatten"]) == 2


def test_summary(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(model), "--output-format", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    text = mobilenet_v2()
    assert found["calls"] == len(text.splitlines()) == sum(found["operators"].values())
    assert found["operators"]["clip"] == text.count(" clip ")
    assert list(found["operators"].values()) == sorted(found["operators"].values(), reverse=True)
    assert [port["name"] for port in found["outputs"]] == ["170"]
    assert found["depth"] == 171 - 4  # four weights are transposed beside the chain
    assert found["widest_cut"]["width"] == 3  # a residual, a result and what is made of it
    assert main(["summary", str(model)]) == 0
    said = capfd.readouterr().out
    assert "  52  nn.conv2d" in said
    assert "depth       167 operators" in said


def test_wrong_usage_is_one_plain_sentence(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    events = model.parent / "run.events"
    events.write_text(
        '{"nodeID": 0, "name": "abs", "inputs": ["x"], "duration": 1, "value": {"a": 1}}\n{"nodeID": 1, "name": "exp"}\n'
    )
    for arguments, said in (
        (["ngrams", "-", "-"], "only once"),
        (["compare", "-", "-"], "only once"),
        (["flatten", str(model), "--as", "foo"], "unknown format `foo`"),
        (["summary", str(model), "--as", "nnvm:foo"], "unknown dialect `foo` of nnvm"),
        (["ngrams", str(model), "-n", "9" * 5000], "expected an integer of at least 1"),
        (["ngrams", str(model), "--by", "time"], "durations require events"),
        (["ngrams", str(events), "--by", "time"], "node 1 (exp) has no duration"),
        (["ngrams", str(model), "--plot", str(model.parent / "no" / "a.svg")], "cannot write"),
        (["compare", str(events), str(events)], "the value of node 0 (abs) is not an array"),
    ):
        assert main(arguments) == 2, arguments
        streams = capfd.readouterr()
        assert said in streams.err
        assert len([line for line in streams.err.splitlines() if "note: " not in line]) == 1
        assert streams.out == ""


def test_what_leaves_no_call_is_refused(model: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["flatten", str(model), "--as", "nnvm"]) == 1
    model.write_text("".join(f"{k} abs ['x'\n" for k in range(40)))
    capfd.readouterr()
    assert main(["flatten", str(model)]) == 1
    assert "and 30 more" in capfd.readouterr().err
