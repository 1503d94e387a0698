"""`irlint run`: small models with answers that can be worked out by hand."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irlint
from irlint.cli import main
from irlint.dryrun.mapping import Feed
from irlint.dryrun.running.feeds import BadInput, resolve
from irlint.graph import Type
from tests.cli.helpers import Irlint
from tests.formats.onnx.build import binary
from tests.formats.openvino import tiny
from tests.formats.openvino.notation import Net


def layer(
    number: int, name: str, type_: str, data: str, inputs: list[str], output: str | None, version: str = "opset1"
) -> str:
    ports = "".join(f'<port id="{k}">{dims(shape)}</port>' for k, shape in enumerate(inputs))
    inner = f"<data {data}/>" if data else ""
    inner += f"<input>{ports}</input>" if inputs else ""
    inner += (
        f'<output><port id="{len(inputs)}" precision="FP32" names="{name}">{dims(output)}</port></output>'
        if output
        else ""
    )
    return f'<layer id="{number}" name="{name}" type="{type_}" version="{version}">{inner}</layer>'


def dims(shape: str) -> str:
    return "".join(f"<dim>{length}</dim>" for length in shape.split(",") if length)


def net(layers: list[str], edges: list[tuple[int, int, int, int]]) -> str:
    lines = "".join(f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in edges)
    return f'<net name="m" version="11"><layers>{"".join(layers)}</layers><edges>{lines}</edges></net>'


ADD = net(
    [
        layer(0, "x", "Parameter", 'element_type="f32" shape="2,3"', [], "2,3"),
        layer(1, "w", "Const", 'element_type="f32" shape="3" offset="0" size="12"', [], "3"),
        layer(2, "sum", "Add", "", ["2,3", "3"], "2,3"),
        layer(3, "log", "Log", "", ["2,3"], "2,3"),
        layer(4, "sum/result", "Result", "", ["2,3"], None),
        layer(5, "log/result", "Result", "", ["2,3"], None),
    ],
    [(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (2, 2, 4, 0), (3, 1, 5, 0)],
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "m.xml").write_text(ADD)
    (tmp_path / "m.bin").write_bytes(struct.pack("<3f", 1, 2, 3))
    np.save(tmp_path / "x.npy", np.array([[0, 1, 2], [3, 4, -9]], np.float32))
    return tmp_path / "m.xml"


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main(["run", *map(str, arguments), "--output-format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_values(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = ran(capsys, model, "--input", f"x={model.with_name('x.npy')}")
    assert [output["name"] for output in found["outputs"]] == ["sum", "log"]
    assert found["outputs"][0]["value"] == [[1, 3, 5], [4, 6, -6]]
    assert found["outputs"][1]["value"][1][2] is None
    assert found["inputs"] == [{"name": "x", "dtype": "float32", "shape": [2, 3], "drawn": False}]
    assert found["not_finite"] == [{"what": "NaN", "node": "log", "op": "Log", "operand": None}]
    assert [node["op"] for node in found["nodes"]][:2] == ["Add", "Log"]


def test_text(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(model), "--input", f"x={model.with_name('x.npy')}"]) == 0
    text = capsys.readouterr().out
    assert "sum: float32 [2, 3] [[1 3 5] [4 6 -6]]" in text
    assert "NaN first appears in the output of Log 'log'" in text
    assert "share  operator" in text


def test_output_can_be_compared(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = model.with_name("out.npz")
    ran(capsys, model, "--output", out)
    with np.load(out) as archive:
        assert archive.files == ["sum", "log"]
    assert ran(capsys, model, "--compare", out)["comparison"]["first_divergence"] is None
    assert main(["run", str(model), "--seed", "1", "--compare", str(out)]) == 1
    assert "the first is sum Add" in capsys.readouterr().out
    with np.load(out) as archive:
        np.savez(out, sum=archive["sum"] + np.float32(0.4))
    assert main(["run", str(model), "--compare", str(out)]) == 1
    capsys.readouterr()
    assert ran(capsys, model, "--compare", out, "--atol", "0.5", "--rtol", "0")["comparison"]["atol"] == 0.5


def test_absent_weights_are_drawn_alike(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.with_name("m.bin").unlink()
    first, second, other = (ran(capsys, model, "--seed", seed)["outputs"] for seed in (3, 3, 4))
    assert first == second != other


def test_weights_can_be_named(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.with_name("m.bin").rename(model.with_name("other.bin"))
    found = ran(capsys, model, "--input", f"x={model.with_name('x.npy')}", "--weights", model.with_name("other.bin"))
    assert found["outputs"][0]["value"][0] == [1, 3, 5]


def test_shapes_only(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = ran(capsys, model, "--shapes-only")
    assert set(found) == {"inputs", "outputs", "nodes"}
    assert found["outputs"][0] == {"name": "sum", "dtype": "float32", "shape": [2, 3]}
    assert [node["name"] for node in found["nodes"]] == ["x", "w", "sum", "log", "sum/result", "log/result"]
    assert found["nodes"][2]["outputs"] == [
        {"dtype": "float32", "shape": [2, 3], "declared": {"dtype": "float32", "shape": [2, 3]}}
    ]


def test_shapes_follow_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.xml").write_text(ADD.replace('shape="2,3"', 'shape="?,3"').replace("<dim>2</dim>", "<dim>-1</dim>"))
    assert ran(capsys, tmp_path / "m.xml", "--shapes-only")["outputs"][0]["shape"] == [None, 3]
    found = ran(capsys, tmp_path / "m.xml", "--shapes-only", "--input", "x=7,3:float32")
    assert found["outputs"][0]["shape"] == [7, 3]
    assert main(["run", str(tmp_path / "m.xml"), "--input", "x=7,4"]) == 2
    assert "expected [?, 3] for input" in capsys.readouterr().err


def test_inputs_that_disagree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.onnxtxt"
    text = """<ir_version: 8, opset_import: ["" : 17]>
g (float[N,K] a, float[N,M] b) => (float[N,K] y) { y = Add (a, b) }
"""
    path.write_text(text)
    assert main(["run", str(path), "--input", "a=4,2", "--input", "b=1,2"]) == 0, "onnxruntime broadcasts it"
    shapes = ["--input", "a=4,2", "--input", "b=3,2"]
    told = "the inputs disagree: `N` is 4 in 'a' and 3 in 'b'; give both the same length"
    for command in (["run"], ["run", "--shapes-only"], ["summary"]):
        assert main([*command, str(path), *shapes]) in (1, 2)
        assert told in capsys.readouterr().err
    assert main(["run", str(path), "--input", "a=4,2", "--input", "b=4,3"]) == 1
    assert "the model takes other shapes: --input a=1,8 --input b=1,8" in capsys.readouterr().err


def test_lengths_that_windows_need_are_suggested(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sound.onnxtxt"
    text = """<ir_version: 8, opset_import: ["" : 17]>
g (float[1,1,samples] audio) => (float[1,1,n] y) { y = MaxPool <kernel_shape = [400], strides = [160]> (audio) }
"""
    path.write_text(text)
    for command in (["run"], ["summary"]):
        main([*command, str(path)])
        captured = capsys.readouterr()
        assert "--input audio=1,1,1000" in captured.out + captured.err
    path.write_text(text.replace("y = MaxPool", "z = Identity (audio) y = MaxPool").replace("[400]", "[40000]"))
    assert main(["run", str(path), "--input", "audio=1,1,9"]) == 1
    assert "none of the usual shapes fits, either" in capsys.readouterr().err


def test_a_fix_of_a_warning_does_not_repair_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "swapped.onnxtxt"
    path.write_text("""<ir_version: 8, opset_import: ["" : 17]>
g (float[batch,4] x, float[7,4] w, float[7] c) => (float[batch,7] y) { y = Gemm <transB = 1> (w, x, c) }
""")
    assert main(["run", str(path)]) == 1
    captured = capsys.readouterr()
    assert "does not broadcast" in captured.err
    assert "--fix" not in captured.err


def test_random_operators_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "random.onnxtxt"
    path.write_text(
        '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] y) { y = RandomNormalLike (x) }\n'
    )
    assert main(["run", str(path)]) == 0
    assert "1 operator draws random numbers, and runtimes draw others: RandomNormalLike" in capsys.readouterr().out
    assert len(ran(capsys, path)["random_operators"]) == 1


@pytest.mark.parametrize(("seconds", "times"), [(1e9, 5), (0.0, 1)])
def test_a_short_run_is_repeated(
    model: Path, seconds: float, times: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first one imports kernels: its times say nothing of the model."""
    from irlint.cli.commands import run

    steps: list[object] = []
    own = run._step

    def counted(*words: Any) -> Any:
        steps.append(words)
        return own(*words)

    monkeypatch.setattr(run, "_step", counted)
    monkeypatch.setattr(run, "_WARM", seconds)
    ran(capsys, model, "--input", f"x={model.with_name('x.npy')}")
    assert len(steps) == times


def test_events(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = model.with_name("events.jsonl")
    ran(capsys, model, "--input", f"x={model.with_name('x.npy')}", "--events", events)
    records = [json.loads(line) for line in events.read_text().splitlines()]
    assert [(r["nodeID"], r["name"]) for r in records[:2]] == [(0, "Add"), (1, "Log")]
    assert records[0]["value"] == [[1, 3, 5], [4, 6, -6]]
    assert records[0]["duration"] > 0
    assert main(["compare", str(events), str(events)]) == 0


def test_the_slowest_operators_of_events(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = model.with_name("events.jsonl")
    rows = [("sum", "Add", 0.001), ("", "Log", 0.003), ("", "Relu", None)]
    lines = [
        {"nodeID": k, "name": op, "inputs": [], "session": "a", "node": name or None, "duration": seconds}
        for k, (name, op, seconds) in enumerate(rows)
    ]
    events.write_text("".join(json.dumps({k: v for k, v in line.items() if v is not None}) + "\n" for line in lines))
    assert main(["summary", str(events)]) == 0
    table = "time: 4.00 ms in total\n   time   share  operator  node\n3.00 ms  75.0 %  Log       1\n1.00 ms  25.0 %  Add       sum\n"
    assert table in capsys.readouterr().out
    assert main(["summary", str(events), "--output-format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["operator"], row["seconds"]) for row in found["durations"]] == [
        (None, "Log", 0.003),
        ("sum", "Add", 0.001),
    ]


def test_events_are_not_run(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = model.with_name("events.jsonl")
    ran(capsys, model, "--events", events)
    assert main(["run", str(events)]) == 2
    error = capsys.readouterr().err
    assert "events.jsonl: events of a run, which do not have what a run needs; run the model that they are of" in error
    assert "--input" not in error


def test_many_inputs_without_a_shape_are_counted() -> None:
    feeds = [Feed(k, (f"x{k}",), Type("float32")) for k in range(20)]
    with pytest.raises(BadInput) as error:
        resolve(feeds, {})
    said = "20 inputs have no fixed shape: 'x0', 'x1', 'x2' and 17 more; set each with --input"
    assert str(error.value) == said


def test_memory_is_refused_before_it_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wide = ADD.replace('shape="2,3"', 'shape="1000000,1000000,1000,3"')
    (tmp_path / "m.xml").write_text(wide.replace("<dim>2</dim><dim>3</dim>", ""))
    assert main(["run", str(tmp_path / "m.xml")]) == 2
    text = capsys.readouterr().err
    assert "Parameter 'x' outputs float32 [1000000, 1000000, 1000, 3]" in text
    assert "--memory-limit" in text


def test_a_small_limit(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(model), "--memory-limit", "40B"]) == 2
    assert "Add 'sum' outputs float32 [2, 3], with 60 B in use at once; the limit is 40 B" in capsys.readouterr().err


def test_wrong_models_do_not_run(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.write_text(ADD.replace('"3" offset', '"4" offset').replace('size="12"', 'size="16"'))
    model.with_name("m.bin").write_bytes(bytes(16))
    assert main(["run", str(model)]) == 1
    assert "D001" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["--input", "y=1"],
        ["--input", "x=a"],
        ["--input", "x=2,3:float33"],
        ["--input", f"x=2,{'9' * 400}"],
        ["--input", f"x=2,{'9' * 5000}"],
        ["--compare", "no.npz"],
        ["--compare", ""],
        ["--memory-limit", "9" * 400],
        ["--memory-limit", "9" * 30 + "P", "--input", f"x=2,{'9' * 18},{'9' * 18}"],
    ],
)
def test_wrong_usage(model: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(model), *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_weights_that_no_model_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.onnxtxt"
    path.write_text('<ir_version: 10, opset_import: ["" : 21]> g (float[2] x) => (float[2] y) { y = Neg (x) }')
    assert main(["run", str(path), "--weights", str(path)]) == 2
    assert "`--weights` has no effect" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
@pytest.mark.parametrize(
    "words",
    [
        ["run", "m.xml", "--input", "x=a.npy"],
        ["run", "m.xml", "--input", "x=a.npz"],
        ["run", "m.xml", "--input", "a.npz"],
        ["run", "m.xml", "--compare", "a.npz"],
        ["run", "m.xml", "--weights", "a.bin"],
        ["compare", "a.npz", "a.npz"],
    ],
)
def test_nobody_waits_for_a_fifo(
    model: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(model.parent)
    for name in ("a.npy", "a.npz", "a.bin"):
        os.mkfifo(name)
    assert main(words) == 2
    assert "a FIFO, not a regular file" in capsys.readouterr().err


@pytest.mark.parametrize("shape", [(0, 1 << 63), (1 << 62, 1 << 62), (1 << 40,)])
def test_an_array_that_cannot_be(model: Path, shape: tuple[int, ...], capsys: pytest.CaptureFixture[str]) -> None:
    said = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    path = model.with_name("a.npy")
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(said)) + said)
    assert main(["run", str(model), "--input", f"x={path}"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("array", "why"),
    [
        (np.array([["a", "b"]]), "expected numbers"),
        (np.ones((1, 2), complex), "expected numbers"),
        (np.array([{}], object), "Python objects"),
    ],
)
def test_inputs_that_are_no_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str], array: Any, why: str) -> None:
    symbol = {
        "nodes": [
            {"op": "null", "name": "data", "inputs": []},
            {"op": "relu", "name": "relu0", "inputs": [[0, 0, 0]]},
        ],
        "arg_nodes": [0],
        "heads": [[1, 0, 0]],
        "attrs": {"mxnet_version": ["int", 10901]},
    }
    path = tmp_path / "net-symbol.json"
    path.write_text(json.dumps(symbol))
    np.save(tmp_path / "data.npy", array, allow_pickle=True)
    assert main(["run", str(path), "--input", f"data={tmp_path / 'data.npy'}"]) == 2
    assert why in capsys.readouterr().err
    np.save(tmp_path / "data.npy", np.ones((1, 2), ">f4"))
    found = ran(capsys, path, "--input", f"data={tmp_path / 'data.npy'}")
    assert found["outputs"][0]["dtype"] == "float32"


def test_an_interrupt_leaves_files_alone(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from irlint.dryrun.running.run import Run

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "outputs", interrupted)
    before = sorted(model.parent.iterdir())
    assert main(["run", str(model), "--output", str(model.with_name("o.npz"))]) == 130
    assert sorted(model.parent.iterdir()) == before


def test_from_python(model: Path) -> None:
    import irlint

    x = np.array([[0, 1, 2], [3, 4, 5]], np.float32)
    assert irlint.run(model, {"x": x})["sum"].tolist() == [[1, 3, 5], [4, 6, 8]]
    graph = irlint.load(model).graph
    assert irlint.infer(graph)["log"][0].shape == (2, 3)
    with pytest.raises(ValueError, match="unknown input 'y'"):
        irlint.run(model, {"y": x})


MAPS = """<ir_version: 10, opset_import: ["" : 21, "ai.onnx.ml" : 3]>
g (float[?,2] x) => (seq(map(string,float)) probability, seq(float[?]) parts) {
   probability = ai.onnx.ml.ZipMap <classlabels_strings: strings = ["no", "yes"]> (x)
   parts = SplitToSequence <axis: int = 0> (x)
}
"""


def test_maps_and_sequences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are shown, stored and compared as arrays: maps as a row of values each, sequences part by part."""
    model, out = tmp_path / "maps.onnxtxt", tmp_path / "out.npz"
    model.write_text(MAPS)
    np.save(tmp_path / "x.npy", np.array([[0.25, 0.75], [1, 0]], np.float32))
    given = ("--input", f"x={tmp_path / 'x.npy'}")
    found = {one["name"]: one for one in ran(capsys, model, *given, "--output", out)["outputs"]}
    assert list(found) == ["probability", "probability.keys", "parts[0]", "parts[1]"]
    assert found["probability"]["value"] == [[0.25, 0.75], [1, 0]]
    with np.load(out) as archive:
        assert archive["probability.keys"].tolist() == ["no", "yes"]
        assert archive["parts[1]"].tolist() == [[1, 0]]
    assert main(["run", str(model), *given, "--compare", str(out)]) == 0
    text = capsys.readouterr().out
    assert "probability: float32 [2, 2] [[0.25 0.75] [1 0]]" in text
    assert "probability.keys: object [2] ['no' 'yes']" in text


SEQUENCE = """<ir_version: 10, opset_import: ["" : 21]> g (seq(float[?]) s) => (int64 n, seq(float[?]) left) {
   n = SequenceLength (s)
   left = SequenceErase (s)
}
"""


def test_a_sequence_as_an_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, parts, out = tmp_path / "m.onnxtxt", tmp_path / "parts.npz", tmp_path / "out.npz"
    model.write_text(SEQUENCE)
    np.savez(parts, **{f"s[{k}]": np.arange(k, dtype=np.float32) for k in range(3)})
    for words in ([str(parts)], [f"s={parts}"]):
        found = ran(capsys, model, "--input", *words, "--output", out)["outputs"]
        assert [(one["name"], one["value"]) for one in found] == [("n", 3), ("left[0]", []), ("left[1]", [0])]
    for more in ([], ["--input", "s=3"]):
        assert main(["run", str(model), *more]) == 2
        assert "input 's' is of type sequence" in capsys.readouterr().err
    import irlint

    runner = irlint.run(irlint.load(model))
    found = runner({"s": [np.ones(2, np.float32), np.zeros(1, np.float32)]})
    assert found["n"] == 2
    assert runner({"s": found["left"]})["n"] == 1
    for wrong in (np.ones(2), None, "a"):
        with pytest.raises(ValueError, match="expected a sequence"):
            runner({"s": wrong})


def test_parts_never_take_the_name_of_another_output(tmp_path: Path) -> None:
    from irlint.cli.run_report import write_archive

    parts = np.empty((), object)
    parts[()] = (np.array([1.0]), np.array([2.0]))
    write_archive(str(tmp_path / "out.npz"), {"y": parts, "y[1]": np.array([3.0])})
    with np.load(tmp_path / "out.npz") as archive:
        assert {name: archive[name].tolist() for name in archive.files} == {"y[0]": [1], "y[1]_": [2], "y[1]": [3]}


@pytest.mark.parametrize("suffix", [".onnxtxt", ".onnx"])
def test_an_operator_that_irlint_cannot_run(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """However the file is written, the operator is one of ONNX."""
    node = "y = com.microsoft.Rfft <signal_ndim: int = 1, normalized: int = 0, onesided: int = 1> (x)"
    opsets = '"" : 17, "com.microsoft" : 1'
    text = f"<\n   ir_version: 9,\n   opset_import: [{opsets}]\n>\ng (float[2,4] x) => (float[2,3,2] y) {{ {node} }}"
    path = tmp_path / f"a{suffix}"
    path.write_bytes(binary(text) if suffix == ".onnx" else text.encode())
    assert main(["run", str(path)]) == 4
    assert "cannot run operator `Rfft` of onnx (node 'y'): not implemented" in capsys.readouterr().err


def test_an_operation_of_which_only_types_are_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begins, ends = (tiny.parameter(name, "2", "i32") for name in "be")
    fuze = tiny.call("f", "extension.FuzeRagged", "b", "e", "b", "e")._replace(outputs=2)
    path = tiny.write(tmp_path / "a.xml", begins, ends, fuze)
    assert main(["run", str(path)]) == 4
    assert "`FuzeRagged` of openvino (node 'f'); irlint infers only its types" in capsys.readouterr().err
    assert main(["run", str(path), "--shapes-only"]) == 0


def test_few_elements_are_printed_and_of_more_a_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for size in (8, 9):
        (tmp_path / "m.onnxtxt").write_text(
            f'<ir_version: 9, opset_import: ["" : 17]>\ng (float[{size}] x) => (float[{size}] y) {{ y = Relu (x) }}\n'
        )
        assert main(["run", str(tmp_path / "m.onnxtxt")]) == 0
        (line,) = [row for row in capsys.readouterr().out.splitlines() if row.startswith("y: float32")]
        assert ("mean" in line) == (size > 8)


def test_shapes_only_refuses_options_about_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.onnxtxt").write_text(
        '<ir_version: 9, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] y) { y = Relu (x) }\n'
    )
    assert main(["run", str(tmp_path / "m.onnxtxt"), "--shapes-only", "--compare", "none.npz"]) == 2
    assert "--compare has no effect: --shapes-only computes no values" in capsys.readouterr().err


DECODER = f"""<ir_version: 8, opset_import: ["" : 17]>
decoder (int64[b,s] input_ids, int64[b,t] attention_mask, float[b,1,p,h] past_key_0, float[b,1,n] other)
=> (float[b,s,4] logits, float[b,1,t,h] present_key_0, float[b,1,n] y)
<float[7,4] table = {{{",".join(["0.5"] * 28)}}}, int64[1] one = {{1}}, int64[1] three = {{3}}> {{
   tokens = Gather (table, input_ids)
   key = Unsqueeze (tokens, one)
   present_key_0 = Concat <axis = 2> (past_key_0, key)
   mask = Cast <to = 1> (attention_mask)
   row = Unsqueeze (mask, one)
   column = Unsqueeze (row, three)
   masked = Mul (present_key_0, column)
   both = ReduceSum <keepdims = 0> (masked, one)
   all = ReduceSum (both, one)
   logits = Add (tokens, all)
   y = Relu (other)
}}
"""


def test_the_suggested_inputs_are_those_that_the_model_takes(here: Path, irlint: Irlint) -> None:
    """Earlier keys and values, and a mask that is as long as they and the tokens; the width of keys follows from the graph."""
    (here / "d.onnxtxt").write_text(DECODER)
    done = irlint("run", "d.onnxtxt")
    assert done.status == 2
    shapes = "--input input_ids=1,8 --input attention_mask=1,16 --input past_key_0=1,1,8,4 --input other=1,1,8"
    assert done.err.endswith(f"for example with {shapes}\n")
    assert f"set those of inputs: {shapes}" in irlint("summary", "d.onnxtxt").out
    assert irlint("run", "d.onnxtxt", *shapes.split()).status == 0
    (here / "one.onnxtxt").write_text(
        DECODER.replace(
            "both, one)", "both, one)\n squeezed = Squeeze (tokens, one)\n again = Unsqueeze (squeezed, one)"
        ).replace("Add (tokens", "Add (again")
    )
    assert "attention_mask=1,9 --input past_key_0=1,1,8,4" in irlint("run", "one.onnxtxt").err, (
        "one token after the first"
    )
    (here / "none.onnxtxt").write_text(
        DECODER.replace("Relu (other)", "MatMul (table, other)").replace("float[b,1,n]", "float[b,m,n]")
    )
    assert "; set them\n" in irlint("run", "none.onnxtxt").err, "no example that the model does not take"


def test_constants_that_decide_shapes_are_not_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Weights that are missing are drawn; what a Reshape or an axis says is not, nor what is computed from it."""
    head = "x: f32[2,4]\nw: f32[2,4] = 1 2 3 4 5 6 7 8\ns: f32[2,4] = opset1.Multiply(x, w) auto_broadcast=numpy\n"
    plain, path = Net(head), tmp_path / "net.xml"
    path.write_text(plain.text)
    assert main(["run", str(path)]) == 0
    for rest, name, operand in (
        ("k: i64[2] = 4 2\ny: f32[4,2] = opset1.Reshape(s, k) special_zero=false", "k", "shape"),
        ("k: i64[] = 1\ny: f32[2] = opset1.ReduceSum(s, k) keep_dims=false", "k", "axes"),
        (
            "k: i64[1] = 2\nn: i64[1] = opset1.Multiply(k, k) auto_broadcast=numpy\n"
            "h: i64[2] = opset3.ShapeOf(s) output_type=i64\nz: i64[3] = opset1.Concat(n, h) axis=0\n"
            "y: f32[4,2,4] = opset3.Broadcast(s, z) mode=numpy",
            "k",
            "target_shape",
        ),
    ):
        path.write_text(Net(head + rest).text)
        capsys.readouterr()
        assert main(["run", str(path)]) == 1
        note, *said = capsys.readouterr().err.splitlines()
        assert note.endswith("constants use it; their values are drawn here")
        assert said[0].endswith(f": its `{operand}` needs the values of constant {name!r}, which are missing"), said
        assert said[1].endswith(f"irlint run --weights FILE {path}")
        with pytest.raises(ValueError, match=f"needs the values of constant {name!r}"):
            irlint.run(path, {"x": np.zeros((2, 4), np.float32)})


def test_limits_that_are_attributes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for limits, low, high in (
        ("<min: float = 0.0, max: float = 6.0>", 0, 6),
        ("<max: float = 1.5>", -10, 1.5),
        ("", -10, 10),
    ):
        file = tmp_path / "a.onnxtxt"
        file.write_text(
            f'<ir_version: 5, opset_import: ["" : 9]>\ng (float[4] x) => (float[4] y) {{ y = Clip {limits} (x) }}\n'
        )
        np.savez(tmp_path / "x.npz", x=np.float32([-10, 1, 2, 10]))
        assert main(["run", str(file), "--input", str(tmp_path / "x.npz"), "--output", str(tmp_path / "y.npz")]) == 0
        capsys.readouterr()
        assert np.load(tmp_path / "y.npz")["y"].tolist() == np.clip([-10, 1, 2, 10], low, high).tolist()
