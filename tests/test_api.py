"""The Python API: names, places, fixes, settings."""

from __future__ import annotations

import inspect
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irlint
from tests.cli.test_cli_states import counter
from tests.formats.onnx.build import binary
from tests.formats.openvino import tiny
from tests.formats.openvino.tiny import call, parameter

ROOT = Path(__file__).resolve().parent.parent
SYMBOL = ROOT / "examples/nnvm/mistakes-symbol.json"


def test_public_names_are_documented_and_typed() -> None:
    for name in irlint.__all__:
        value = getattr(irlint, name)
        if name == "__version__":
            continue
        assert inspect.getdoc(value), name
        if inspect.isfunction(value):
            signature = inspect.signature(value)
            assert signature.return_annotation is not signature.empty, name
            assert all(p.annotation is not p.empty for p in signature.parameters.values()), name
    assert dir(irlint) == irlint.__all__


@pytest.mark.parametrize("kind", ["f16", "bf16"])  # arrays store the second in 32 bits
def test_states_of_short_types(kind: str, tmp_path: Path) -> None:
    runner, states = irlint.run(irlint.load(counter(tmp_path, kind))), dict[str, object]()
    assert [runner({"x": np.float32([1, 10])}, states=states)["y"].tolist() for _ in range(2)] == [[1, 10], [2, 20]]


def test_a_loaded_model_runs_again_and_again(tmp_path: Path) -> None:
    model = irlint.load(counter(tmp_path))
    runner = irlint.run(model)
    for k in (1, 2, 3):
        assert runner({"x": [k, 10]})["y"].tolist() == [k, 10]
    states: dict[str, object] = {}
    assert [runner({"x": [1, 10]}, states=states)["y"].tolist() for _ in range(3)] == [[1, 10], [2, 20], [3, 30]]
    assert runner({"x": [1, 10], "zeros": [5, 5]})["y"].tolist() == [6, 15]
    assert runner({"x": [1, 10]})["y"].tolist() == [1, 10]
    assert irlint.run(model, {"x": [2, 3]})["y"].tolist() == [2, 3]
    with pytest.raises(ValueError, match="unknown input 'z'"):
        runner({"z": [1, 2]})
    with pytest.raises(TypeError, match=r"irlint\.load"):
        irlint.run(model, {"x": [1, 2]}, weights="other.bin")  # type: ignore[call-overload]


def test_a_loaded_model_with_errors_does_not_run() -> None:
    with pytest.raises(ValueError, match=r"^[A-Z]\d\d\d "):
        irlint.run(irlint.load(SYMBOL))


def test_a_runner_follows_other_shapes(tmp_path: Path) -> None:
    path = tiny.write(tmp_path / "model.xml", parameter("a", "?,3"), call("y", "opset1.Relu", "a"))
    runner = irlint.run(irlint.load(path), seed=1)
    for count in (1, 2, 2, 1):
        assert runner({"a": np.ones((count, 3))})["y"].shape == (count, 3)


def test_findings_have_places() -> None:
    finding = next(finding for finding in irlint.lint(SYMBOL) if finding.code == "A001")
    assert (finding.file, finding.line, finding.column, finding.end_line, finding.end_column) == (
        str(SYMBOL),
        39,
        9,
        39,
        17,
    )
    text = SYMBOL.read_text()
    assert text[finding.span.start : finding.span.end] == '"kernal"'
    assert (finding.severity, finding.name, finding.node) == (irlint.Severity.ERROR, "unknown-attribute", "pool1")
    assert str(finding).startswith(f"{SYMBOL}:39:9: A001[unknown-attribute] error: unknown attribute `kernal`")
    related = [place for finding in irlint.lint(SYMBOL) for place in finding.related]
    assert all(place.line > 0 and place.message for place in related)


def test_a_model_has_a_graph_and_findings() -> None:
    model = irlint.load(ROOT / "examples/nnvm/lenet-symbol.json")
    assert (model.format, model.dialect, model.findings) == ("nnvm", "mxnet", ())
    assert model.graph.nodes[0].name == "data"
    assert irlint.infer(model) == irlint.infer(model.graph)
    assert irlint.flatten(model).text() == irlint.flatten(model.graph).text()
    with pytest.raises(ValueError, match="not recognized as a supported model file"):
        irlint.load(b"{}")


def test_fix() -> None:
    safe, unsafe = irlint.fix(SYMBOL), irlint.fix(SYMBOL, unsafe=True)
    assert '"kernel": "(2, 2)"' in safe
    assert [finding.fix for finding in irlint.lint(safe) if finding.fix and finding.fix.safety == "safe"] == []
    assert irlint.lint(unsafe) == []
    assert irlint.fix("") == ""


def test_settings(tmp_path: Path) -> None:
    (tmp_path / "irlint.yaml").write_text("ignore: [A001]\n")
    model = tmp_path / "a-symbol.json"
    model.write_text(SYMBOL.read_text())
    codes = {finding.code for finding in irlint.lint(model)}
    assert {finding.code for finding in irlint.lint(model, settings=irlint.settings_for(model))} == codes - {"A001"}
    assert {finding.code for finding in irlint.lint(model, settings=irlint.Settings(select=("A",)))} == {"A001", "A005"}


ADD = '<ir_version: 10, opset_import: ["" : 21]> g (float[2] x) => (float[2] y) { y = Neg (x) }'


def test_mistakes_of_callers() -> None:
    with pytest.raises(ValueError, match="A0O1"):
        irlint.lint(SYMBOL, settings=irlint.Settings(select=("A0O1",)))
    with pytest.raises(TypeError, match="tuple of rules"):
        irlint.lint(SYMBOL, settings=irlint.Settings(select="A001"))  # type: ignore[arg-type]
    named = irlint.Settings(select=("unknown-attribute",))
    assert {finding.code for finding in irlint.lint(SYMBOL, settings=named)} == {"A001"}
    with pytest.raises(ValueError, match="unknown format 'nope'"):
        irlint.fix(SYMBOL, as_format="nope")
    model = irlint.load(ROOT / "examples/nnvm/lenet-symbol.json")
    with pytest.raises(ValueError, match="unknown input 'nope'"):
        irlint.infer(model, {"nope": (1,)})
    with pytest.raises(FileNotFoundError, match="nope"):
        irlint.run(ROOT / "examples/nnvm/lenet-symbol.json", weights="nope.params")
    runner = irlint.run(irlint.load(ADD))
    with pytest.raises(ValueError, match="dictionary of arrays by name for `inputs`, got list"):
        runner([np.zeros(2, np.float32)])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"an array for input '\w+', got lists of different lengths"):
        irlint.run(ADD, {"x": [[1], [2, 3]]})
    with pytest.raises(ValueError, match=r"an array for input '\w+', got NoneType"):
        irlint.run(ADD, {"x": None})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="`weights` has no effect: ONNX models hold"):
        irlint.load(ADD, weights=SYMBOL)
    with pytest.raises(TypeError, match="NoneType"):
        irlint.lint(None)  # type: ignore[arg-type]
    assert irlint.lint(bytearray(SYMBOL.read_bytes()))
    assert irlint.lint('{"a": "\ud800"}')


class Proto:
    """What has this method is a message of protobuf."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def SerializeToString(self) -> bytes:
        return self.data


ONNX = ROOT / "examples/onnx/mistakes.onnx"


@pytest.mark.parametrize("kind", ["path", "text", "bytes", "proto"])
def test_check_model_raises_the_report(kind: str) -> None:
    data = ONNX.read_bytes()
    model = {"path": ONNX, "text": str(ONNX), "bytes": data, "proto": Proto(data)}[kind]
    with pytest.raises(AssertionError) as caught:
        irlint.check_model(model)
    error = caught.value
    assert isinstance(error, irlint.ModelError)
    assert "A001[unknown-attribute] unknown attribute `kernal_shape` for Conv 'conv'" in str(error)
    assert "\n\nFound 4 errors in 1 file" in str(error)
    assert ("--fix" in str(error)) is (kind in ("path", "text")), (
        "a file can be fixed by the command, whose report it is"
    )
    assert [finding.code for finding in error.findings] == ["A001", "R002", "R001", "O001"]
    again = pickle.loads(pickle.dumps(error))  # as pytest-xdist sends it
    assert (str(again), again.findings) == (str(error), error.findings)


def test_check_model_names_the_severities() -> None:
    with pytest.raises(ValueError, match="expected one of pedantic, info, warning, error, got 'warn'"):
        irlint.check_model("model.onnx", fail_on="warn")


def test_check_model_returns_what_it_allows() -> None:
    digits = ROOT / "examples/onnx/digits.onnx"
    assert irlint.check_model(digits, fail_on="warning") == []
    settings = irlint.Settings(severities=tuple((code, irlint.Severity.WARNING) for code in ("A", "R", "O")))
    found = irlint.check_model(ONNX, settings=settings)
    assert [finding.code for finding in found] == ["A001", "R002", "R001", "O001"]
    with pytest.raises(irlint.ModelError, match="4 warnings"):
        irlint.check_model(ONNX, settings=settings, fail_on="warning")
    with pytest.raises(irlint.ModelError):
        irlint.check_model(ONNX, settings=settings, fail_on=irlint.Severity.INFO)
    assert irlint.check_model(ONNX, settings=irlint.Settings(select=("S",))) == []
    with pytest.raises(ValueError, match="unknown format"):
        irlint.check_model(ONNX, as_format="tflite")
    with pytest.raises(TypeError, match="expected a path, text, bytes or a protobuf message, got int"):
        irlint.check_model(3)  # type: ignore[arg-type]


def test_pedantic_findings_are_looked_for_only_where_they_fail() -> None:
    text = '<ir_version: 8, opset_import: ["": 17]> g (float[2] x) => (float[2] y) <float[2] unused = {1, 2}> { y = Relu (x) }'
    assert irlint.check_model(text + "\n") == []
    with pytest.raises(irlint.ModelError, match="unused"):
        irlint.check_model(text + "\n", fail_on="pedantic")


PLUGIN = """
import irlint, sys

def test_starts_without_it(request):
    assert request.config.pluginmanager.hasplugin("irlint")
    assert not any(name.startswith("irlint.") and name != "irlint.pytest_plugin" for name in sys.modules)

def test_sound(irlint_model):
    assert irlint_model({digits!r}, fail_on="warning") == []
    assert "onnx" not in sys.modules

def test_broken(irlint_model):
    irlint_model({mistakes!r})


def test_missing(irlint_model):
    irlint_model("missing.onnx")


def test_missing_without_the_fixture():
    import irlint

    irlint.check_model("missing.onnx")
"""


def test_the_pytest_plugin(tmp_path: Path) -> None:
    digits, mistakes = str(ROOT / "examples/onnx/digits.onnx"), str(ONNX)
    (tmp_path / "test_it.py").write_text(PLUGIN.format(digits=digits, mistakes=mistakes))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ".", "test_it.py"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=100, check=False)
    assert "3 failed, 2 passed" in done.stdout
    assert f"irlint: missing.onnx: no such file; the current folder is {tmp_path.resolve()}" in done.stdout
    assert "No such file or directory: 'missing.onnx'" in done.stdout
    assert all(line.startswith("test_it.py:") for line in re.findall(r"^\S+\.py:\d+: .*", done.stdout, re.M))
    assert "pathlib" not in done.stdout
    assert "FAILED test_it.py::test_broken" in done.stdout
    assert "A001[unknown-attribute] unknown attribute `kernal_shape`" in done.stdout
    assert "pytest_plugin.py" not in done.stdout, "the report, not the code that fails"


def test_a_folder_is_named_with_its_models(tmp_path: Path) -> None:
    for name in ("net.onnx", "other.onnx"):
        (tmp_path / name).write_bytes(binary(ADD))
    with pytest.raises(IsADirectoryError, match=r"a folder, not a model; expected one of .*net\.onnx"):
        irlint.check_model(tmp_path)


ARRAY = {"x": np.float32([-1, 2])}


@pytest.mark.parametrize(
    "call",
    [
        irlint.lint,
        irlint.check_model,
        lambda model: "".join(irlint.fix(model).split()),
        lambda model: irlint.load(model).format,
        lambda model: str(irlint.infer(model)),
        lambda model: [node.op for node in irlint.flatten(model).graph.nodes],
        lambda model: irlint.run(model, ARRAY)["y"].tolist(),
    ],
)
def test_every_function_takes_whatever_one_takes(call: Any, tmp_path: Path) -> None:
    data, path = binary(ADD), tmp_path / "add.onnx"
    path.write_bytes(data)
    known = str(call(path))
    sources: dict[str, Any] = {"a string": str(path), "text": ADD, "bytes": data, "a message": Proto(data)}
    sources |= {f"a model of {name}": irlint.load(source) for name, source in sources.items()}
    sources["a loaded model twice"] = irlint.load(irlint.load(path))
    for name, source in sources.items():
        assert str(call(source)) == known, name
    for missing in (tmp_path / "none.onnx", str(tmp_path / "none.onnx")):
        with pytest.raises(FileNotFoundError, match=r"none\.onnx"):
            call(missing)
    assert str(call(tmp_path)) == known, "the only model of a folder"
    (tmp_path / "other.onnx").write_bytes(data)
    with pytest.raises(IsADirectoryError, match=re.escape(str(tmp_path))):
        call(tmp_path)


@pytest.mark.parametrize(
    ("count", "ends"), [(6, "5.onnx"), (9, "4.onnx or 4 others"), (30, "4.onnx or at least 15 others")]
)
def test_a_folder_with_many_models_is_named_briefly(count: int, ends: str, tmp_path: Path) -> None:
    for k in range(count):
        (tmp_path / f"{k:02}.onnx").write_bytes(binary(ADD))
    with pytest.raises(IsADirectoryError) as raised:
        irlint.load(tmp_path)
    assert str(raised.value).endswith(ends)


def test_a_loaded_model_keeps_its_format() -> None:
    model = irlint.load(SYMBOL, as_format="nnvm")
    assert (model.as_format, irlint.load(model).as_format) == ("nnvm", "nnvm")
    assert [finding.code for finding in irlint.lint(model)] == [finding.code for finding in irlint.lint(SYMBOL)]
    assert re.fullmatch(r"<irlint\.Model .*mistakes-symbol\.json: nnvm \(\S+\), \d+ nodes, \d+ findings>", repr(model))
