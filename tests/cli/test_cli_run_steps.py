"""`irlint run --steps`: states are kept from one run to the next."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from irlint.cli import main

# Each run puts its input behind what the runs before have left: a cache of keys in small.
CACHE = """<net name="m" version="11">
<layers>
<layer id="0" name="x" type="Parameter" version="opset1">
<data element_type="f32" shape="1,?"/>
<output><port id="0" precision="FP32" names="x"><dim>1</dim><dim>-1</dim></port></output>
</layer>
<layer id="1" name="past" type="ReadValue" version="opset6">
<data variable_id="cache" variable_type="f32" variable_shape="1,?"/>
<output><port id="0" precision="FP32"><dim>1</dim><dim>-1</dim></port></output>
</layer>
<layer id="2" name="all" type="Concat" version="opset1">
<data axis="1"/>
<input><port id="0" precision="FP32"><dim>1</dim><dim>-1</dim></port><port id="1" precision="FP32"><dim>1</dim><dim>-1</dim></port></input>
<output><port id="2" precision="FP32" names="all"><dim>1</dim><dim>-1</dim></port></output>
</layer>
<layer id="3" name="keep" type="Assign" version="opset6">
<data variable_id="cache"/>
<input><port id="0" precision="FP32"><dim>1</dim><dim>-1</dim></port></input>
<output><port id="1" precision="FP32"><dim>1</dim><dim>-1</dim></port></output>
</layer>
<layer id="4" name="result" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>1</dim><dim>-1</dim></port></input>
</layer>
</layers>
<edges>
<edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="0" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
<edge from-layer="2" from-port="2" to-layer="4" to-port="0"/>
</edges>
</net>
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.xml"
    path.write_text(CACHE)
    for name, values in (("a", [1, 2, 3]), ("b", [4])):
        np.save(tmp_path / f"{name}.npy", np.array([values], np.float32))
    return path


def _outputs(path: Path) -> dict[str, list[float]]:
    with np.load(path) as arrays:
        return {name: arrays[name].ravel().tolist() for name in arrays.files}


def test_states_are_kept_between_steps(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = model.parent
    given = ["--input", f"x={folder / 'a.npy'}", "--input", f"x={folder / 'b.npy'}", "--steps", "3"]
    files = ["--output", str(folder / "out.npz"), "--state-output", str(folder / "state.npz")]
    assert main(["run", str(model), *given, *files]) == 0
    assert _outputs(folder / "out.npz") == {"all": [1, 2, 3, 4, 4]}
    assert _outputs(folder / "state.npz") == {"cache": [1, 2, 3, 4, 4]}
    out = capsys.readouterr().out
    assert "all: float32 [1, 3] [[1 2 3]]" in out
    assert "all: float32 [1, 4] [[1 2 3 4]]" in out
    assert "states: 1, 20 B\n  cache: float32 [1, 5]" in out


def test_a_run_goes_on_from_a_state(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = model.parent
    np.savez(folder / "state.npz", cache=np.array([[7, 8]], np.float32))
    words = ["run", str(model), "--input", f"x={folder / 'b.npy'}", "--state", str(folder / "state.npz")]
    assert main([*words, "--output-format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["outputs"][0]["value"] == [[7, 8, 4]]
    assert said["states"] == [{"name": "cache", "dtype": "float32", "shape": [1, 3]}]
    assert len(said["steps"]) == 1


@pytest.mark.parametrize(
    ("name", "array", "words"),
    [
        ("cash", np.zeros((1, 2), np.float32), "unknown state 'cash'; the states are 'cache'"),
        ("cache", np.zeros((1, 2)), "expected float32 [1, ?] for state 'cache', got float64 [1, 2]"),
        ("cache", np.zeros((2, 2), np.float32), "expected float32 [1, ?] for state 'cache', got float32 [2, 2]"),
    ],
)
def test_states_that_do_not_fit(
    model: Path, name: str, array: np.ndarray, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(model.parent / "state.npz", **{name: array})  # type: ignore[arg-type]
    assert main(["run", str(model), "--input", "x=1,2", "--state", str(model.parent / "state.npz")]) == 2
    assert words in capsys.readouterr().err


def test_a_model_without_states(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = Path(__file__).resolve().parents[2] / "examples/lightnet/digits.json"
    assert main(["run", str(example), "--state-output", str(tmp_path / "s.npz")]) == 2
    assert "the model has no states" in capsys.readouterr().err


@pytest.mark.parametrize("steps", ["0", "-1", "two"])
def test_steps_that_are_no_number(model: Path, steps: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(model), "--steps", steps]) == 2
    assert "expected an integer of at least 1" in capsys.readouterr().err
