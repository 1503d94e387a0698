"""Metadata in a model is compared with its inputs and outputs."""

from __future__ import annotations

import pytest

from companions.sherpa import FILES, speech
from companions.ultralytics import net
from irlint import engine

PROPS = '[names: "{0: \'cat\', 1: \'dog\', 2: None}", task: "detect", stride: "32", batch: "1", imgsz: "[160, 160]", args: "{\'nms\': False}"]'
MODEL = net("1,7,525").replace('opset_import: ["" : 17]>', f'opset_import: ["" : 17], metadata_props: {PROPS}>')


def quoted(model: str) -> str:
    for key in ("names", "task", "stride", "batch", "imgsz", "args"):
        model = model.replace(f"{key}: ", f'"{key}" : ', 1)
    return model


@pytest.mark.parametrize(
    ("old", "new", "code", "token"),
    [
        (", 2: None", "", "F005", "\"{0: 'cat', 1: 'dog'}\""),
        ("2: None", "2: None, 3: 'cow'", "F005", "\"{0: 'cat', 1: 'dog', 2: None, 3: 'cow'}\""),
        ("2: None", "4: None", "T006", "\"{0: 'cat', 1: 'dog', 4: None}\""),
        ("[160, 160]", "[160, 640]", "F004", '"[160, 640]"'),
        ('batch: "1"', 'batch: "8"', "F004", '"8"'),
        ("{0: 'cat', 1: 'dog', 2: None}", "{0: 'cat', 1", "T001", "\"{0: 'cat', 1\""),
        ('task: "detect"', 'task: "pose", "head": "Detect"', "F007", '"pose"'),
        ("float[1,7,525]", "float[1,9,525]", "F005", "\"{0: 'cat', 1: 'dog', 2: None}\""),
    ],
)
def test_what_is_planted_is_found(old: str, new: str, code: str, token: str) -> None:
    text = quoted(MODEL.replace(old, new, 1))
    found = {f.code: text[f.span.start : f.span.end] for f in engine.lint(text, "yolo.onnx").findings}
    assert found.get(code) == token


@pytest.mark.parametrize("more", ["", "'nms': True", "'dynamic': True", "'data': 'it\\\\'s'"])
def test_a_model_that_is_right_is_silent(more: str) -> None:
    text = quoted(MODEL.replace("'nms': False", more or "'nms': False"))
    assert engine.lint(text, "yolo.onnx").findings == []


@pytest.mark.parametrize(
    "keys",
    [
        {"model_type": "conformer"},
        {"model_type": "lstm", "d_model": "x"},
        {"framework": "nemo", "sample_rate": "1"},
        {"context_size": "2048"},
        {"model_type": "vits", "sample_rate": "1"},
        {"sos_id": "1", "num_layers": "2"},
        {"model_type": "whisper", "n_mels": "80"},
    ],
)
def test_metadata_of_other_programs_is_not_that_of_sherpa(keys: dict[str, str]) -> None:
    text = speech("float[N,3] x", "float[N,3] y", "   [a] y = Identity (x)\n", **keys, author="me")
    assert engine.lint(text, "net.onnx").findings == []


def test_names_of_layers_and_many_unknown_names_take_little_time() -> None:
    """The first `%d` is a number, others are letters; only for the first names is it looked for what is meant."""
    from irlint.companions.genai.names import fits
    from irlint.companions.ports import PortList, ServedPort
    from irlint.companions.report import OFFERED, Report
    from irlint.findings import OtherPlace
    from irlint.graph import Type
    from irlint.text.base import Place
    from irlint.text.placed import PlacedDocument

    document = PlacedDocument("a", "a", {}, {})
    at = OtherPlace(document, Place(()))
    ports = PortList(ServedPort((f"past.{k}.key",), Type(None, None), at) for k in range(3 * OFFERED))
    assert fits("past.%d.key", ports[7])
    assert not fits("past.%d.value", ports[7])
    assert not fits("%d" * 40, ServedPort(("1" * 80 + "x",), Type(None, None), at))
    report = Report(document, [])
    for k in range(2 * OFFERED):
        report.known(f"past.{k}.kex", ports.shown, (), "the model")
    assert sum(problem.fix is not None for problem in report.found) == OFFERED


def test_a_tensor_is_found_before_the_node_with_its_name() -> None:
    """A node with several outputs is called like one of them."""
    from irlint.companions.ports import PortList, ServedPort, find
    from irlint.findings import OtherPlace
    from irlint.graph import Type
    from irlint.text.base import Place
    from irlint.text.placed import PlacedDocument

    at = OtherPlace(PlacedDocument("a", "a", {}, {}), Place(()))
    first, last = (ServedPort((name, "past"), Type(None, None), at) for name in ("logits", "past"))
    assert find(PortList((first, last)), "past") is last
    assert find(PortList((first,)), "past") is first


def test_metadata_has_no_repair_in_the_graph() -> None:
    text = FILES["asr/decoder.onnx"].replace('"context_size" : "2"', '"context_size" : "3"')
    assert [(f.code, f.fix) for f in engine.lint(text, "decoder.onnx").findings] == [("F004", None)]
