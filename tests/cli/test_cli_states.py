"""`irlint run` with states: several steps, states from and to files, and a decoder that continues with its own tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irlint
from irlint.dryrun.running.decoders import caches, following
from tests.cli.helpers import spawn
from tests.formats.openvino import tiny
from tests.formats.openvino.tiny import call, const, parameter


def counter(folder: Path, kind: str = "f32") -> Path:
    """A running sum: the state begins as zeros, and the output is the new sum."""
    return tiny.write(
        folder / "sum.xml",
        parameter("x", "2", kind),
        const("zeros", 0, 0, kind="f32"),
        call("first", "opset1.Convert", "zeros", destination_type=kind),
        call("old", "opset6.ReadValue", "first", variable_id="sum", variable_type=kind, variable_shape="2"),
        call("add", "opset1.Add", "x", "old"),
        call("new", "opset6.Assign", "add", variable_id="sum"),
        call("y", "opset1.Relu", "add"),
    )


def ran(folder: Path, *words: str) -> dict[str, list[float]]:
    np.savez(folder / "in.npz", x=np.array([1, 10], np.float32))
    status, out, err = spawn(
        "run", str(counter(folder)), "--input", str(folder / "in.npz"), "--state-out", str(folder / "out.npz"), *words
    )
    assert status == 0, out + err
    with np.load(folder / "out.npz") as archive:
        return {name: archive[name].tolist() for name in archive.files}


def test_a_state_is_kept_between_steps(tmp_path: Path) -> None:
    assert ran(tmp_path) == {"sum": [1, 10]}
    assert ran(tmp_path, "--steps", "3") == {"sum": [3, 30]}


def test_a_state_from_a_file(tmp_path: Path) -> None:
    np.savez(tmp_path / "state.npz", sum=np.array([5, 5], np.float32))
    assert ran(tmp_path, "--state", str(tmp_path / "state.npz")) == {"sum": [6, 15]}


@pytest.mark.parametrize(
    ("arrays", "words"),
    [({"sun": [1, 2]}, "unknown state 'sun'; the states are 'sum'"), ({"sum": [1, 2, 3]}, "expected [2] for state 'sum', got [3]")],
)  # fmt: skip
def test_a_state_that_does_not_fit(tmp_path: Path, arrays: dict[str, list[float]], words: str) -> None:
    np.savez(tmp_path / "state.npz", **{name: np.array(value) for name, value in arrays.items()})
    status, out, err = spawn("run", str(counter(tmp_path)), "--state", str(tmp_path / "state.npz"))
    assert status == 2
    assert words in out + err


def test_steps_need_states(tmp_path: Path) -> None:
    path = tiny.write(tmp_path / "model.xml", parameter("x", "2"), call("y", "opset1.Relu", "x"))
    status, out, err = spawn("run", str(path), "--steps", "2")
    assert status == 2
    assert "--steps: the model has no states" in out + err


def test_a_decoder_goes_on_with_its_likeliest_token() -> None:
    logits = np.zeros((1, 2, 5), np.float32)
    logits[0, 1, 3] = 1
    inputs = {
        "input_ids": np.array([[1, 2]]),
        "attention_mask": np.ones((1, 2), np.int64),
        "position_ids": np.array([[0, 1]]),
        "beam_idx": np.array([0]),
    }
    found = following(inputs, {"logits": logits})
    assert {name: array.tolist() for name, array in found.items()} == {
        "input_ids": [[3]], "attention_mask": [[1, 1, 1]], "position_ids": [[2]], "beam_idx": [0],
    }  # fmt: skip


CACHED = """<ir_version: 8, opset_import: ["" : 17]>
g (int64[1,S] input_ids, float[1,1,P,1] "past_key_values.0.key") => (float[1,S,3] logits, float[1,1,T,1] "present.0.key") {
   f = Cast <to: int = 1> (input_ids)
   axes = Constant <value_ints = [1, 3]> ()
   k = Unsqueeze (f, axes)
   "present.0.key" = Concat <axis: int = 2> ("past_key_values.0.key", k)
   last = Constant <value_ints = [2]> ()
   l = Unsqueeze (f, last)
   ones = Constant <value: tensor = float[1,1,3] {0, 2, -1}> ()
   logits = Mul (l, ones)
}
"""


def test_a_cache_of_inputs_and_outputs_is_handed_on(tmp_path: Path) -> None:
    """As optimum exports decoders: what a step outputs as present.* the next one takes as past_key_values.*."""
    path = tmp_path / "decoder.onnxtxt"
    path.write_text(CACHED)
    np.savez(tmp_path / "in.npz", **{"input_ids": [[5, 2]], "past_key_values.0.key": np.zeros((1, 1, 0, 1), "f")})
    words = ("--input", str(tmp_path / "in.npz"), "--steps", "3", "--output", str(tmp_path / "out.npz"))
    status, out, err = spawn("run", str(path), *words)
    assert status == 0, out + err
    assert out.count("  input_ids: int64 [1, 1] [[1]]\n") == len(("step 2", "step 3"))
    with np.load(tmp_path / "out.npz") as found:
        assert found["present.0.key"].ravel().tolist() == [5, 2, 1, 1], (
            "the likeliest token is 1 where all are positive"
        )
    status, out, err = spawn("run", str(path), "--state-out", str(tmp_path / "s.npz"))
    assert status == 2
    assert "its cache is given by inputs such as 'past_key_values.0.key': use --input and --output" in out + err


def test_the_names_of_caches() -> None:
    known = {
        "past_key_values.3.decoder.key": "present.3.decoder.key",
        "past_key_0": "present_key_0",
        "past.1": "present.1",
        "past_value_1": "present_value_1",
    }
    assert caches([*known, "past_key_values.9.key", "x"], [*known.values(), "y"]) == known
    branch = {"input_ids": np.array([[1]]), "use_cache_branch": np.array([False]), "past.1": np.zeros(1)}
    found = following(branch, {"logits": np.zeros((1, 1, 2)), "present.1": np.ones(2)})
    assert (found["use_cache_branch"].tolist(), found["past.1"].tolist()) == ([True], [1, 1])


def test_all_open_inputs_are_asked_for_at_once(tmp_path: Path) -> None:
    path = tiny.write(
        tmp_path / "model.xml", parameter("a", "?,?"), parameter("b", "?,?"), call("y", "opset1.Add", "a", "b")
    )
    _, out, err = spawn("run", str(path))
    assert "2 inputs have no fixed shape" in out + err
    assert "--input a=1,8 --input b=1,8" in out + err


def test_every_name_of_an_output_is_a_key(tmp_path: Path) -> None:
    path = tiny.write(tmp_path / "model.xml", parameter("x", "2"), call("y", "opset1.Relu", "x"))
    text = path.read_text().replace(
        '<port id="1" precision="FP32"/>', '<port id="1" precision="FP32" names="266,hidden"/>'
    )
    path.write_text(text)
    status, out, _ = spawn("run", str(path), "--output", str(tmp_path / "out.npz"))
    assert status == 0
    assert "hidden: float32 [2]" in out
    with np.load(tmp_path / "out.npz") as archive:
        assert set(archive.files) == {"266", "hidden"}
        np.savez(tmp_path / "ref.npz", **{"266": archive["266"]})
    assert spawn("run", str(path), "--compare", str(tmp_path / "ref.npz"))[0] == 0


def test_states_of_the_python_api(tmp_path: Path) -> None:
    model, x = counter(tmp_path), np.array([1, 10], np.float32)
    states: dict[str, Any] = {}
    runs = [irlint.run(model, {"x": x}, states=states)["y"].tolist() for _ in range(3)]
    assert runs == [[1, 10], [2, 20], [3, 30]]
    assert states["sum"].tolist() == [3, 30]
    assert irlint.run(model, {"x": x}, states={"sum": [5, 5]})["y"].tolist() == [6, 15]
    assert irlint.run(model, {"x": x})["y"].tolist() == [1, 10]
    with pytest.raises(ValueError, match="unknown state 'total'; the states are 'sum'"):
        irlint.run(model, {"x": x}, states={"total": [5, 5]})


def test_what_only_the_plug_in_refuses_runs(tmp_path: Path) -> None:
    axes = parameter("axes", "1", "i64")
    model = tiny.write(tmp_path / "m.xml", parameter("x", "2"), axes, call("y", "opset1.Unsqueeze", "x", "axes"))
    assert tiny.errors(model) == {"R305"}
    outputs = irlint.run(model, {"x": np.zeros(2, np.float32), "axes": np.array([0], np.int64)})
    assert outputs["y"].shape == (1, 2)
    np.savez(tmp_path / "in.npz", x=np.zeros(2, np.float32), axes=np.array([0], np.int64))
    status, out, err = spawn("run", str(model), "--input", str(tmp_path / "in.npz"))
    assert status == 0, out + err
