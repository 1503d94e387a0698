"""Two runs held against each other, and events written and read back."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import irlint
from irlint import engine
from irlint.cli import main
from irlint.inspection import differences, flatten
from irlint.inspection.comparison import RunResult, Tolerance, compare, distance
from irlint.inspection.events import Measure, lines, records
from irlint.inspection.ngrams import traces

FINITE = st.floats(-1e6, 1e6)


def test_distances() -> None:
    found = distance([1.0, 2.0, -2.0], [1.0, 2.5, -2.0])
    assert found.max_abs == 0.5
    assert found.relative == pytest.approx(0.5 / math.sqrt(1 + 2.5**2 + 4))
    assert found.cosine == pytest.approx((1 + 5 + 4) / (3 * math.sqrt(1 + 2.5**2 + 4)))
    assert not found.agrees
    assert distance([1.0, 2.0], [1.0, 2.5], Tolerance(0.5, 0)).agrees
    assert distance([1.0, 2.0], [1.0, 2.5], Tolerance(0, 0.2)).agrees


def test_tolerance_is_relative_to_the_largest_float_but_to_each_integer() -> None:
    assert distance([0.5, 1000.0], [0.0, 1000.0]).agrees
    assert not distance([2.0, 1000.0], [0.0, 1000.0]).agrees
    assert not distance([0.5, 1.0], [0.0, math.inf]).agrees
    assert not distance(np.array([5, 50000]), np.array([45, 50000])).agrees  # indices
    assert distance(np.array([5, 50000]), np.array([5, 50001])).agrees


def test_numbers_that_are_none() -> None:
    special = [math.nan, math.inf, -math.inf, 1.0]
    same = distance(special, special)
    assert (same.max_abs, same.relative, same.cosine, same.agrees) == (0.0, 0.0, 1.0, True)
    for other in (
        [0.0, math.inf, -math.inf, 1.0],
        [math.nan, -math.inf, -math.inf, 1.0],
        [math.nan, 9.0, -math.inf, 1.0],
    ):
        assert not distance(special, other).agrees
        assert not distance(other, special).agrees
    assert distance([0.0, 0.0], [0.0, 0.0]).cosine == 1.0
    assert distance([], []).agrees
    assert distance([1e300, 1e300], [1e300, 1e300]).cosine == pytest.approx(1.0)


def test_what_cannot_be_compared_says_why() -> None:
    assert distance(np.zeros((2, 3)), np.zeros((3, 2))).why == "shapes [2, 3] and [3, 2] do not match"
    assert distance(np.array(["a"]), np.array(["a"])).agrees
    assert not distance(np.array(["a"]), np.array(["b"])).agrees
    assert distance(np.array([True, False]), np.array([1, 0])).agrees


@given(
    arrays(float, shape := st.shared(array_shapes(), key="shape"), elements=FINITE),
    arrays(float, shape, elements=FINITE),
)
def test_distance_against_plain_arithmetic(a: Any, b: Any) -> None:
    found = distance(a, b)
    gaps = [abs(x - y) for x, y in zip(a.ravel(), b.ravel(), strict=True)]
    assert found.max_abs == max(gaps)
    assert found.agrees == all(gap <= 1e-5 + 1e-3 * np.abs(b).max() for gap in gaps)
    lengths = math.hypot(*a.ravel()) * math.hypot(*b.ravel())
    if lengths > 1e-100:
        assert found.cosine == pytest.approx(float(np.sum(a * b)) / lengths, abs=1e-9)


LISTING = "0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n2 nn.softmax [1]\n"


def events(session: str = "s", **values: Any) -> str:
    flat = flatten(irlint.load(LISTING).graph)
    measures = {node.index: Measure(0.25 * (k + 1), 4 * k, values.get(f"v{k}")) for k, node in enumerate(flat.calls)}
    return "".join(lines(records(flat, session, measures)))


def test_events_are_read_back(tmp_path: Path) -> None:
    text = events(v1=np.array([[1.0, np.nan], [np.inf, 2.0]], np.float32))
    assert irlint.lint(text) == []
    result = engine.lint(text)
    assert (result.format, result.dialect) == ("glacier", "events")
    assert result.model is not None
    (trace,) = traces(result.model, "run")
    assert trace.names == ["nn.conv2d", "nn.relu", "nn.softmax"]
    assert trace.inputs == [[], [0], [1]]
    assert trace.seconds == [0.25, 0.5, 0.75]
    assert [json.loads(line)["nodeID"] for line in text.splitlines()] == [0, 1, 2, "x", "w"]
    assert json.loads(text.splitlines()[1])["value"] == [[1.0, None], [None, 2.0]]


def test_a_mistake_in_json_lines_is_found_on_its_line() -> None:
    text = events().replace('"duration": 0.5', '"duration": -0.5')
    (finding,) = irlint.lint(text)
    assert text[finding.span.start : finding.span.end] == "-0.5"
    text = events().replace('"inputs": [0]', '"inputs": [0')
    found = irlint.lint(text)
    assert [text.count("\n", 0, f.span.start) for f in found if f.code.startswith("S")] == [1]


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    a, b = tmp_path / "a.events", tmp_path / "b.events"
    a.write_text(events("one", v0=[1.0, 2.0], v1=[1.0, 2.0], v2=[0.5, 0.5]))
    b.write_text(events("two", v0=[1.0, 2.0], v1=[1.0, 3.0], v2=[0.1, 0.9]))
    assert main(["compare", str(a), str(a)]) == 0
    assert "nothing diverges" in capfd.readouterr().out
    assert main(["compare", str(a), str(b)]) == 1
    said = capfd.readouterr().out
    assert "2 diverge (|a - b| > 1e-05 + 0.001 max|b|), the first is 1 nn.relu" in said
    assert main(["compare", str(a), str(b), "--output-format", "json"]) == 1
    found = json.loads(capfd.readouterr().out)
    assert found["first_divergence"] == "1"
    assert [(o["operator"], o["agrees"], o["max_abs"]) for o in found["operators"]] == [
        ("nn.conv2d", True, 0.0),
        ("nn.relu", False, 1.0),
        ("nn.softmax", False, pytest.approx(0.4)),
    ]
    assert main(["compare", str(a), str(b), "--atol", "1"]) == 0
    capfd.readouterr()
    assert main(["compare", str(a), str(b), "--atol", "-1"]) == 2
    model = tmp_path / "model.txt"
    model.write_text(LISTING)
    assert main(["compare", str(a), str(model)]) == 2
    assert "expected events or an .npz" in capfd.readouterr().err


def test_archives(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    a, b, bad = (str(tmp_path / name) for name in ("a.npz", "b.npz", "bad.npz"))
    np.savez(a, conv=np.ones((2, 3)), relu=np.ones(2), only=np.ones(1))
    np.savez(b, conv=np.ones((2, 3)), relu=np.zeros(2))
    assert main(["compare", a, a]) == 0
    assert main(["compare", a, b, "--all"]) == 1
    said = capfd.readouterr().out
    assert "the first is relu" in said
    assert "<- only in A" in said
    Path(bad).write_bytes(b"no zip")
    assert main(["compare", a, bad]) == 2
    np.savez(bad, conv=np.array([{}], dtype=object))
    assert main(["compare", a, bad]) == 2
    assert main(["compare", a, str(tmp_path / "missing.npz")]) == 2
    assert "Traceback" not in capfd.readouterr().err


def test_sessions_go_by_name(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    a, b, c = (tmp_path / name for name in ("a.events", "b.events", "c.events"))
    a.write_text(events("one", v0=[1.0]) + events("two", v0=[2.0]))
    b.write_text(events("two", v0=[2.0]) + events("one", v0=[1.0]))
    c.write_text(events("three"))
    assert main(["compare", str(a), str(b)]) == 0
    assert "6 results, 2 with values in both" in capfd.readouterr().out
    assert main(["compare", str(a), str(c)]) == 2
    assert "have no common session" in capfd.readouterr().err


def test_two_forms_of_a_model_are_paired_by_the_names_of_nodes() -> None:
    """Numbers of results are positions in one form; the other has a node more."""
    a = [RunResult("0", "Gather", [1.0], node="take"), RunResult("1", "Sub", [2.0], node="less")]
    b = [
        RunResult("0", "Const", [9.0], node="c"),
        RunResult("1", "Gather", [1.0], node="take"),
        RunResult("2", "Subtract", [2.5], node="less"),
    ]
    pairs = compare(a, b)
    named = [(pair.a.node if pair.a else "", pair.b.node if pair.b else "", pair.agrees) for pair in pairs]
    assert named == [("take", "take", True), ("less", "less", False), ("", "c", True)]
    assert (
        "paired by the names of nodes and by structure, 1 in one run only" in differences.lines(pairs, Tolerance())[0]
    )
    assert [differences.why(pair) for pair in pairs] == ["", "Subtract in B", "only in B"]
    b[1] = RunResult("1", "Gather", 1.0, node="take")  # a number, where the other format has a list of one
    assert [pair.agrees for pair in compare(a, b)] == [True, False, True]
    same = compare(a, a)
    assert not any(pair.is_by_name for pair in same)
    assert all(pair.agrees for pair in same)


def test_two_exports_are_paired_by_structure(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One has other names, and computes a shape that the other has as a constant."""
    rows = [("Conv", ["x", "w"], [1.0]), ("Shape", [0], [3.0]), ("Relu", [0], [2.0]), ("Reshape", [2, 1], [2.5])]
    short = [("Conv", ["x", "w"], [1.0]), ("Relu", [0], [2.0]), ("Reshape", [1, "to"], [2.5])]
    for name, calls, prefix in (
        ("a", rows, "/"),
        ("b", short, "node_"),
        ("c", [*short[:2], ("Reshape", [1, "to"], [7.0])], "n"),
    ):
        lines = [
            {
                "nodeID": k,
                "name": op,
                "inputs": inputs,
                "duration": 1.0,
                "size": 4,
                "session": "s",
                "node": f"{prefix}{op}",
                "value": value,
            }
            for k, (op, inputs, value) in enumerate(calls)
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    a, b, c = (str(tmp_path / f"{name}.jsonl") for name in "abc")
    assert main(["compare", a, b]) == 0
    assert (
        "4 results, 3 with values in both, paired by the names of nodes and by structure, 1 in one"
        in capfd.readouterr().out
    )
    assert main(["compare", a, c]) == 1
    assert "the first is 3 Reshape" in capfd.readouterr().out


def test_runs_with_nothing_in_common(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        np.savez(tmp_path / f"{name}.npz", **{name: np.zeros(1)})
    assert main(["compare", str(tmp_path / "a.npz"), str(tmp_path / "b.npz")]) == 2
    assert "have no result in common: the first are 'a' and 'b'" in capfd.readouterr().err
