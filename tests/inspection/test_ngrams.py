"""N-grams against independent counts."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mobilenet import mobilenet_v2

from irlint import engine
from irlint.cli import main
from irlint.inspection.chart import lines
from irlint.inspection.ngrams import Trace, ngrams, table, traces


def trace_of(text: str) -> Trace:
    model = engine.lint(text, "model.txt").model
    assert model is not None
    return traces(model, "model")[0]


def windows(text: str, n: int) -> Counter[tuple[str, ...]]:
    """The count by the words of the text, without a graph."""
    names = [line.split(" ")[1] for line in text.splitlines()]
    return Counter(zip(*(names[k:] for k in range(n)), strict=False))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 171, 172])
def test_windows_over_the_order(n: int) -> None:
    text = mobilenet_v2()
    counted = {gram: tally.count for gram, tally in ngrams(trace_of(text), n).items()}
    assert counted == dict(windows(text, n))


def test_the_specification_s_three_grams(corpus: Path) -> None:
    file = corpus.parent / "facts" / "glacier-mobilenetv2.txt"
    if not file.is_file():
        pytest.skip("the specification's listing is not here")
    text = file.read_text()
    counted = {gram: tally.count for gram, tally in ngrams(trace_of(text), 3).items()}
    assert counted == dict(windows(text, 3))
    assert counted[("nn.conv2d", "nn.bias_add", "clip")] == text.replace("\n", "|").count("clip") == 35


@st.composite
def random_traces(draw: st.DrawFn) -> Trace:
    count = draw(st.integers(1, 8))
    inputs = [draw(st.lists(st.integers(0, k - 1), max_size=3)) if k else [] for k in range(count)]
    names = draw(st.lists(st.sampled_from("abc"), min_size=count, max_size=count))
    seconds = draw(st.lists(st.integers(0, 9).map(float), min_size=count, max_size=count))
    return Trace("random", names, inputs, seconds)


@given(random_traces(), st.integers(1, 5))
def test_paths_along_the_edges(trace: Trace, n: int) -> None:
    """Every choice of n calls is tried for being a path."""
    count: Counter[tuple[str, ...]] = Counter()
    seconds: Counter[tuple[str, ...]] = Counter()
    assert trace.seconds is not None
    for path in product(range(len(trace.names)), repeat=n):
        if all(a in trace.inputs[b] for a, b in pairwise(path)):
            gram = tuple(trace.names[k] for k in path)
            count[gram] += 1
            seconds[gram] += sum(trace.seconds[k] for k in path)
    found = ngrams(trace, n, "edges")
    assert {gram: tally.count for gram, tally in found.items()} == dict(count)
    assert {gram: tally.seconds for gram, tally in found.items()} == {gram: seconds[gram] for gram in count}


@given(random_traces(), st.integers(1, 9))
def test_time_along_the_order(trace: Trace, n: int) -> None:
    assert trace.seconds is not None
    found = ngrams(trace, n)
    total = sum(sum(trace.seconds[k : k + n]) for k in range(len(trace.names) - n + 1))
    assert sum(tally.seconds for tally in found.values()) == total


def test_very_many_paths_are_counted_without_walking_them() -> None:
    layers = 60
    names = [f"op{k % 2}" for k in range(layers) for _ in range(4)]
    inputs = [[4 * (k - 1) + j for j in range(4)] if k else [] for k in range(layers) for _ in range(4)]
    found = ngrams(Trace("wide", names, inputs), 30, "edges")
    assert sum(tally.count for tally in found.values()) == 31 * 4**30


def test_several_models_stand_side_by_side() -> None:
    first, second = Trace("a", list("xyxy"), []), Trace("b", list("xyz"), [])
    result = table([first, second], 2)
    assert [(row.gram, [t.count for t in row.tallies]) for row in result.rows] == [
        (("x", "y"), [2, 1]),
        (("y", "x"), [1, 0]),
        (("y", "z"), [0, 1]),
    ]
    assert lines(result, 2, 100, plain=True) == [
        "2-grams of operators in order, by count",
        "a: 3 in total, 2 different",
        "b: 2 in total, 2 different",
        "",
        "a                      b",
        "2  66.7 %  ##########  1  50.0 %  #####       x > y",
        "1  33.3 %  #####                              y > x",
        "and 1 more: 0 (0.0 %), 1 (50.0 %)",
    ]


def test_time_needs_durations() -> None:
    with pytest.raises(ValueError, match="durations require events"):
        table([Trace("a", ["x"], [[]])], 1, by="time")


EVENTS = """\
{"nodeID": 0, "name": "nn.conv2d", "inputs": ["x", "w"], "duration": 0.003, "session": "a"}
{"nodeID": 1, "name": "nn.relu", "inputs": [0], "duration": 0.001, "session": "a"}
{"nodeID": 2, "name": "nn.conv2d", "inputs": [1, "w"], "duration": 0.005, "session": "a"}
{"nodeID": 0, "name": "nn.conv2d", "inputs": ["x", "w"], "duration": 0.002, "session": "b"}
"""


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.events").write_text(EVENTS)
    status = main(["ngrams", str(tmp_path / "run.events"), "-n", "1", "--by", "time", "--output-format", "json"])
    found = json.loads(capfd.readouterr().out)
    assert status == 0
    assert [name.rpartition("#")[2] for name in found["models"]] == ["a", "b"]
    assert found["ngrams"] == [
        {"ngram": ["nn.conv2d"], "counts": [2, 1], "seconds": [pytest.approx(0.008), pytest.approx(0.002)]},
        {"ngram": ["nn.relu"], "counts": [1, 0], "seconds": [pytest.approx(0.001), 0.0]},
    ]
    (tmp_path / "model.txt").write_text(mobilenet_v2())
    assert main(["ngrams", str(tmp_path / "model.txt"), "--by", "time"]) == 2
    assert "durations require events" in capfd.readouterr().err
    assert main(["ngrams", str(tmp_path / "model.txt"), "-n", "0"]) == 2
    assert main(["ngrams", str(tmp_path / "model.txt"), "--plot", "x.gif"]) == 2
    assert main(["ngrams", str(tmp_path / "model.txt"), "--top", "2"]) == 0
    assert "nn.conv2d > nn.bias_add > clip" in capfd.readouterr().out


def test_what_cannot_be_counted_is_refused() -> None:
    names = [f"op{k}" for k in range(120)]
    lattice = Trace("m", names, [[] if k < 2 else [k - k % 2 - 2, k - k % 2 - 1] for k in range(120)])
    with pytest.raises(ValueError, match="smaller n"):
        ngrams(lattice, 40, "edges")
    with pytest.raises(ValueError, match="smaller n"):
        ngrams(Trace("m", ["a"] * 100_000, [[]] * 100_000), 50_000)
    assert ngrams(lattice, 10**8, "edges") == {}


def test_more_paths_than_a_float_can_count() -> None:
    lattice = Trace("m", ["a"] * 2200, [[] if k < 2 else [k - k % 2 - 2, k - k % 2 - 1] for k in range(2200)])
    (tally,) = ngrams(Trace("m", lattice.names, lattice.inputs), 100, "edges").values()
    assert tally.count == 2**100 * (1100 - 99)


def test_the_reason_why_there_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '<ir_version: 9, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] y) { a = Relu (x) y = Relu (a) }\n'
    (tmp_path / "m.onnxtxt").write_text(text)
    assert main(["ngrams", str(tmp_path / "m.onnxtxt"), "-n", "3"]) == 0
    assert capsys.readouterr().out.endswith("no sequence of 3 operators: the model has 2 operators\n")
    assert main(["ngrams", str(tmp_path / "m.onnxtxt"), "-n", "3", "--along", "edges"]) == 0
    assert "no path of 3 operators" in capsys.readouterr().out


@pytest.mark.parametrize("size", [40, 60, 80, 120])
def test_many_models_fit_into_a_terminal(size: int) -> None:
    """Bars become shorter, then none; then names are below their numbers."""
    many = [Trace(f"folder/model{k}.onnx", ["ReduceMean", "HardSigmoid"] * 9, [[]] * 18) for k in range(1, 5)]
    for count in range(1, 5):
        shown = lines(table(many[:count], 2), 5, size)
        assert all(len(line) <= size for line in shown) or (size, count) == (40, 4)
        assert sum("ReduceMean > HardSigmoid" in line for line in shown) == 1
