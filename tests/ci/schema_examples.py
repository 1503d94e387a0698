"""A file that each published schema accepts, and files that it refuses: small, written here or made by irlint."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from cli.helpers import ROOT

from irlint.config.read_yaml import read_yaml
from irlint.formats.keras.samples import KERAS_2, KERAS_3
from tests.formats.openvino.test_legacy import OLD
from tests.report.zoo_records import records


class Pair(NamedTuple):
    """Texts of files; of JSON schemas JSON, also where people write YAML."""

    valid: str
    invalid: tuple[str, ...]


def _text(path: str) -> str:
    return (ROOT / "examples" / path).read_text(encoding="utf-8")


def _changed(text: str, *changes: tuple[str, str]) -> tuple[str, ...]:
    """Return a text once with each change."""
    assert all(old in text for old, _ in changes)
    return tuple(text.replace(old, new, 1) for old, new in changes)


def _values(value: Any, *changes: dict[str, Any]) -> Pair:
    return Pair(json.dumps(value), tuple(json.dumps({**value, **change}) for change in changes))


def _report() -> Any:
    command = [sys.executable, "-m", "irlint", "mistakes.onnx", "--output-format", "json", "--no-cache", "--isolated"]
    done = subprocess.run(command, cwd=ROOT / "examples/onnx", capture_output=True, text=True, timeout=100, check=False)
    return json.loads(done.stdout)


def pairs() -> dict[str, Pair]:
    """Return the files of each schema by its name."""
    symbol, ir = _text("nnvm/lenet-symbol.json"), _text("openvino/digits.xml")
    old = json.dumps({"nodes": [{"op": "null", "param": {}, "name": "x", "inputs": [], "backward_source_id": -1}],
                      "arg_nodes": [0], "heads": [[0, 0]]})  # fmt: skip
    nnvm = {"nodes": [{"op": "null", "name": "x", "inputs": []}], "arg_nodes": [0], "heads": [[0, 0, 0]]}
    nnvm["node_row_ptr"] = [0, 1]
    attrs = {"dltype": ["list_str", ["float32"]], "shape": ["list_shape", [[1]]], "storage_id": ["list_int", [0]]}
    event = json.loads(_text("glacier/mobilenetv2.events.jsonl").splitlines()[0])
    report, config = _report(), read_yaml("", b"select: [A, R001]\nseverity: {W: info}\n").values
    tenth = ir.replace('version="11"', 'version="10"', 1)
    broken_ir = (
        (' version="opset1"', ""),
        ("<layers>", "<layer>"),
        ('to-port="0"', 'to-port="zero"'),
        ("</net>", "<more/></net>"),
    )
    genai: Any = {
        "model": {"type": "llama", "vocab_size": 8, "context_length": 8, "decoder": {"filename": "model.onnx"}}
    }
    ovms = {"model_config_list": [{"config": {"name": "net", "base_path": "/models/net", "nireq": 4}}]}
    yolo = {"task": "detect", "names": {"0": "cat"}, "stride": 32, "imgsz": [640, 640], "batch": 1}
    return {
        "genai-config.schema.json": _values(genai, {"model": 1}, {"model": {"vocab_size": "8"}}),
        "ovms-config.schema.json": _values(ovms, {"model_config_list": 1}, {"model_config_list": [{"config": {}}]}),
        "ultralytics-metadata.schema.json": _values(yolo, {"stride": 0}, {"imgsz": "640"}, {"names": None}),
        "mxnet-symbol.schema.json": Pair(symbol, _changed(symbol, ('"op": "null"', '"op": 3'), ('"nodes"', '"node"'))),
        "mxnet-symbol-legacy.schema.json": Pair(old, _changed(old, ('"param": {}', '"param": 1'), ("[0]", '["0"]'))),
        "nnvm.schema.json": _values(nnvm, {"heads": 1}, {"arg_nodes": ["x"]}),
        "tvm-graph.schema.json": _values({**nnvm, "attrs": attrs}, {"attrs": {}}, {"nodes": {}}),
        "lightnet.schema.json": Pair(_text("lightnet/digits.json"), ('{"ops": 3}', '{"ops": [{"name": 1}]}')),
        "keras-3.schema.json": Pair(KERAS_3, _changed(KERAS_3, ('"layers"', '"layer"'), ('"inbound_nodes": []', '"inbound_nodes": 1'))),
        "keras-2.schema.json": Pair(KERAS_2, _changed(KERAS_2, ('"layers"', '"layer"'), ('"class_name": "Dense"', '"class_name": 1'))),
        "glacier-event.schema.json": _values(event, {next(iter(event)): None}),
        "glacier-events.schema.json": Pair(json.dumps([event]), (json.dumps(event), '[{"no": "event"}]')),
        "irlint-config.schema.json": _values(config, {"selct": ["A"]}, {"severity": {"W": "bad"}}),
        "irlint-report.schema.json": Pair(json.dumps(report), (json.dumps([{**report[0], "line": "1"}]), "{}")),
        "zoo-object.schema.json": _values(next(records(1)), {"size": "much"}, {"findings": None}),
        "openvino-ir-11.xsd": Pair(ir, (*_changed(ir, *broken_ir[:1], *broken_ir[2:]), tenth)),
        "openvino-ir-10.xsd": Pair(tenth, (*_changed(tenth, *broken_ir[:1], *broken_ir[2:]), ir)),
        "openvino-ir-legacy.xsd": Pair(OLD.replace("{0}", "7"), (*_changed(OLD.replace("{0}", "7"), ('offset="0"', ""), ('type="Input"', "")), ir)),
    }  # fmt: skip


def write(folder: Path) -> dict[str, dict[str, bool]]:
    """Write the files; return for each schema whether it accepts each file, by its path."""
    found: dict[str, dict[str, bool]] = {}
    for schema, pair in pairs().items():
        ending = "xml" if schema.endswith(".xsd") else "json"
        for number, text in enumerate((pair.valid, *pair.invalid)):
            path = folder / f"{schema.partition('.')[0]}-{number}.{ending}"
            path.write_text(text, encoding="utf-8")
            found.setdefault(schema, {})[str(path)] = number == 0
    return found
