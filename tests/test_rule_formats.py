"""The formats that a rule declares are those in which it is found: by the models of messages.py, its own examples, or an example here."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import messages
import pytest
from rule_cases import Case, cases
from rule_cases.texts import GRAPH, LIGHTNET, NETWORK, ONNX, SYMBOL, lightnet, network, onnx, openvino, prototext

from irlint import engine
from irlint.codes import BESIDE, COMPARING
from irlint.formats.base import all_formats
from irlint.rules import page, registry
from irlint.rules.base import Rule
from irlint.settings import Settings

RULES = list(registry.all_rules().values())
NAMES = {
    "glacier": "model.txt",
    "keras": "config.json",
    "lightnet": "model.json",
    "ncnn": "model.param",
    "nnvm": "model-symbol.json",
    "onnx": "model.onnxtxt",
    "openvino": "model.xml",
    "pnnx": "model.pnnx.param",
}
OPTIONS = {"ncnn": {"extensions": {"ncnn": {"MyLayer": {}}}}}  # a layer that a program registers
WORDS = ("ALL", "PEDANTIC", "W006", "W007", "W008")


def params(*bias: float, more: str = "") -> dict[str, bytes]:
    """MXNet's parameter file of the sample: the weight, the bias, and perhaps an array of another name."""
    arrays = {"arg:fc0_weight": ((4, 8), (1.0,) * 32), "arg:fc0_bias": ((len(bias),), bias)}
    if more:
        arrays[more] = ((1,), (1.0,))
    found = struct.pack("<QQQ", 0x112, 0, len(arrays))
    for shape, values in arrays.values():
        found += struct.pack(f"<Iii{len(shape)}qiii", 0xF993FAC9, 0, len(shape), *shape, 1, 0, 0)
        found += struct.pack(f"<{len(values)}f", *values)
    names = b"".join(struct.pack("<Q", len(name)) + name.encode() for name in arrays)
    return {"model-0000.params": found + struct.pack("<Q", len(arrays)) + names}


def data(values: str) -> Case:
    return Case(lightnet(("[1, 2, 3, 4, 5, 6]", values)), "lightnet")


def pnnx(old: str, new: str) -> Case:
    """A graph of pnnx, with a word changed."""
    return Case(GRAPH.replace(old, new, 1), "pnnx")


def model(old: str, new: str, **more: Any) -> Case:
    """A model of ONNX, with a word changed."""
    return Case(onnx((old, new)), "onnx", **more)


def external(entries: str, **more: Any) -> Case:
    """A model of ONNX with weights in another file."""
    return model("kernel = {...}", f"kernel = [{entries}]", **more)


MODEL_DATA = '"location": "model.data"'
WEIGHTED = GRAPH.replace("a=1", "@a=(1)f32")
RARE = {
    "T003": [Case('{"irVersion": "8", "opsetImport": [{"version": "17"}], "graph": {"name": "g", "node": [], "nodes": []}}', "onnx:json")],
    "T007": [model("(\n   float[1,10] scores\n) <", "() <")],
    "T004": [model("kernel = {...}", "kernel = {1.0}")],
    "G003": [model("[relu]", "[conv]")],
    "G001": [model("   [relu]", "   [idle] idle = Neg (features)\n   [relu]")],
    "D005": [Case(onnx(("float[1,1,8,8] image", "float[1,0,8,8] image"), ("= Conv <", "= MaxPool <"), ("(image, kernel)", "(image)")), "onnx")],
    "D009": [model("float[10,256] weight", "float[10000000000,10000000000] weight")],
    "C002": [Case(ONNX, "onnx", targets={"onnxruntime": "1.11"})],
    "A008": [model("<axis: int = 1>", "<axis: int = 1, axis: int = 1>")],
    "A005": [model("[conv] features = Conv <", "[conv] features = Conv <auto_pad: string = \"NO\", "), pnnx("a=1", "@a=(1)f23")],
    "S016": [Case(GRAPH.partition(" 1 0 1")[0], "pnnx")],
    "S011": [Case("", "onnx"), Case("", "pnnx")],
    "S005": [Case(prototext(('"relu"', '"\\xff"')), "onnx:prototext")],
    "S002": [Case(prototext(('name: "relu"', 'name: "relu" name: "act"')), "onnx:prototext")],
    "S006": [Case("\ufeff" + ONNX, "onnx"), pnnx("7767517", "\ufeff7767517")],
    "R003": [model("Relu (features)", "Relu (positive)"), pnnx("1 1 0 1", "1 1 1 1")],
    "R002": [Case("\n".join(GRAPH.splitlines()[i] for i in (0, 1, 3, 2, 4)) + "\n", "pnnx")],
    "O003": [pnnx("in0 0 1 0", "in0 0 0")],
    "O001": [pnnx("mul(@0", "mull(@0")],
    "A007": [pnnx("mul(@0,2)", "mul(@0,2),3")],
    "A006": [pnnx("3 2", "3 2000000")],
    "A003": [pnnx("a=1", "a=(1,1.5)")],
    "A002": [pnnx("expr=mul(@0,2) ", "")],
    "C001": [
        Case(openvino(('version="opset8"', 'version="opset1"'), ('shape="1,3,8,8" element_type="f32"', 'shape="1,3,8,8" element_type="f4e2m1"')), "openvino", targets={"openvino": "2023.1"}),
    ],
    "D001": [
        Case(GRAPH.replace("pnnx.Expression mul", "nn.Linear mul").replace("a=1", "in_features=3 out_features=3 @weight=(3,4)f32"), "pnnx"),
    ],
    "D006": [model("float[1,10] scores", "float[1,11] scores"), pnnx("#0=(1,3)f32 #1", "#0=(1,4)f32 #1")],
    "D007": [model("float[1,10] scores", "int64[1,10] scores"), pnnx("#0=(1,3)f32 #1", "#0=(1,3)f16 #1")],
    "D008": [model("{-1,256}", "{1,255}"), Case(network(("ReLU ", "Reshape "), ("conv_0 relu\n", "conv_0 relu 0=7\n")), "ncnn")],
    "D010": [Case(network(("ReLU ", "MyLayer ")), "ncnn")],
    "G002": [Case("0 nn.conv2d []\n1 clip []\n2 add []\n", "glacier")],
    "G005": [
        Case(f"{ONNX}# irlint: ignore[R001]\n", "onnx"),
        Case("0 abs ['x']  # irlint: ignore[R001]\n", "glacier"),
        Case(f"{NETWORK}# irlint: ignore[R001]\n", "ncnn"),
        Case(LIGHTNET.replace("\n", "  // irlint: ignore[R001]\n", 1), "lightnet"),
        Case(f"{GRAPH}# irlint: ignore[R001]\n", "pnnx"),
    ],
    "O002": [
        pnnx("out 1 0 1", "out 0 0"),
        Case(openvino(('<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>', ""), ('<port id="1" precision="FP32">\n\t\t\t\t\t<dim>1</dim>\n\t\t\t\t\t<dim>3</dim>\n\t\t\t\t\t<dim>1</dim>\n\t\t\t\t\t<dim>1</dim>\n\t\t\t\t</port>\n\t\t\t</input>', "</input>")), "openvino")],
    "R004": [Case(onnx(("(image, kernel)", "(flattened, kernel)")), "onnx"), Case(openvino(('<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>', '<edge from-layer="3" from-port="1" to-layer="2" to-port="0"/>')), "openvino")],
    "R005": [model("positive = Relu", "features = Relu"), Case("0 abs ['x']\n0 abs [0]\n", "glacier")],
    "R006": [pnnx("@0", "@1")],
    "S004": [pnnx("a=1", "a=3000000000")],
    "S008": [Case(openvino(("image", "im\0age")), "openvino")],
    "S010": [
        Case(ONNX.replace("float[1,1,8,8]", "optional(" * 120 + "float" + ")" * 120), "onnx"),
        Case('[{"nodeID": 0, "name": "abs", "inputs": %s}]' % ("[" * 1200 + "]" * 1200), "glacier"),
        Case(openvino(("<rt_info/>", "<a>" * 600 + "</a>" * 600)), "openvino"),
    ],
    "S017": [
        Case("0 abs ['x']\n".encode("utf-16").decode("utf-8", "surrogateescape"), "glacier"),
        Case(openvino(('version="1.0"', 'version="1.0" encoding="latin-1"')), "openvino"),
    ],
    "W001": [external(MODEL_DATA), Case(SYMBOL, "nnvm", links={"model-0000.params": "gone"}), Case(NETWORK, "ncnn")],
    "W002": [external(MODEL_DATA, side_files={"model.data": b"x"}), Case(SYMBOL, "nnvm", side_files={"model-0000.params": params(1)["model-0000.params"][:20]})],
    "W003": [external(MODEL_DATA, side_files={"model.data": b"version https://git-lfs.github.com/spec/v1\n"}), Case(SYMBOL, "nnvm", side_files={"model-0000.params": b"<html>"}), Case(NETWORK, "ncnn", side_files={"model.bin": b"<html>"})],
    "W004": [model("weight = {...}", "weight = {...},\n   float idle = {1.0}"), Case(SYMBOL, "nnvm", side_files=params(1, 2, 3, 4, more="arg:other"))],
    "W005": [external(f'{MODEL_DATA}],\n   float[400] idle = [{MODEL_DATA}, "offset": "4"'), Case(SYMBOL, "nnvm", side_files=params(1, 2, 3, 4, more="other"))],
    "W006": [model("weight = {...}", "weight = {...},\n   float idle = {nan}"), Case(SYMBOL, "nnvm", side_files=params(1, 2, 3, float("nan")))],
    "W007": [model("weight = {...}", "weight = {...},\n   float[2] idle = {0.0,0.0}"), Case(SYMBOL, "nnvm", side_files=params(0, 0, 0, 0)), data("[0, 0, 0, 0, 0, 0]")],
    "W008": [model("weight = {...}", "weight = {...},\n   float[2] idle = {1.0,1e-40}"), Case(SYMBOL, "nnvm", side_files=params(1, 2, 3, 1e-41)), data("[1, 1e-40, 0, 0, 0, 0]")],
    "X002": [
        external('"location": "../model.data"'),
        Case(WEIGHTED, "pnnx", links={"model.pnnx.bin": "/dev/null"}),
        Case(SYMBOL, "nnvm", links={"model-0000.params": "/dev/null"}),
        Case(NETWORK, "ncnn", links={"model.bin": "/dev/null"}),
    ],
}  # fmt: skip


def found_in(rule: type[Rule], example: Case, folder: Path) -> str:
    """The format of an example that breaks the rule."""
    format_ = example.format.partition(":")[0]
    path = folder / NAMES[format_]
    for name, content in example.side_files.items():
        (folder / name).write_bytes(content)
    for name, target in example.links.items():
        (folder / name).symlink_to(target)
    settings = Settings(WORDS, targets=tuple(example.targets.items()), options=OPTIONS)
    text = example.text.encode("utf-8", "surrogateescape")
    path.write_bytes(text)
    result = engine.lint_bytes(text, str(path), settings, example.format, path)
    assert rule.code in {finding.code for finding in result.findings}
    return format_


@pytest.mark.parametrize(
    "rule",
    [rule for rule in RULES if rule.code not in ("S012", "I001", "I002", "T008", *COMPARING, *BESIDE)],
    ids=lambda rule: rule.code,
)
def test_a_rule_declares_the_formats_in_which_it_is_found(rule: type[Rule], tmp_path: Path) -> None:
    lines = (line.split() for line in messages.FORMATS.read_text(encoding="utf-8").splitlines())
    found = {code: set(formats) for code, *formats in lines}.get(rule.code, set())
    for number, example in enumerate((*cases(rule).invalid, *RARE.get(rule.code, ()))):
        folder = tmp_path / str(number)
        folder.mkdir()
        found.add(found_in(rule, example, folder))
    every = {name for name, format_ in all_formats().items() if type(format_).__module__.startswith("irlint.")}
    assert set(page.formats_of(rule) or every) == found


@pytest.mark.parametrize("name", sorted(NAMES.keys() - {"pnnx"}))  # which has none of its own
def test_rules_of_a_format_are_for_it_alone(name: str) -> None:
    assert {page.formats_of(rule) for rule in registry.format_rules(name)} == {(name,)}
