"""Every kind of message with one example, for reading them together: python tests/messages.py writes golden/messages.txt, and
in which formats each rule was found into golden/rule-formats.txt.

The examples come from broken models that the tests know how to make: examples of rules, broken texts of the readers' tests,
and seeded mutants of small models of each format.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))

import companions
from dryrun import mxnet_cases, mxnet_compare
from formats.lightnet import cases as lightnet_cases
from formats.lightnet import mutants as lightnet_mutants
from formats.lightnet.layout import render
from formats.ncnn import cases as ncnn_cases
from formats.nnvm import changes, tvm_models
from formats.nnvm import models as nnvm_models
from formats.nnvm import mutants as nnvm_mutants
from formats.openvino import models as openvino_models
from formats.openvino import mutate
from rule_cases import cases
from rule_cases.texts import PROTOTEXT

from irlint import engine
from irlint.findings import Finding
from irlint.formats.base import all_formats
from irlint.formats.keras.samples import KERAS_2, KERAS_3
from irlint.formats.onnx.text.document import read_binary
from irlint.operators import table
from irlint.rules import registry
from irlint.settings import Settings

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
GOLDEN = HERE / "golden" / "messages.txt"
FORMATS = HERE / "golden" / "rule-formats.txt"
OLD_NCNN = (("ncnn", "20220420"),)
PARAM_WORDS = (
    "", "7", "x", "0", "-1", "1", "1.5", "2,1", "1,1", "=", "#", "Split", "conv", "data", "out", "0=1", "3=", "-23300=2,1", "nn.relu", "f16",
    "@0", "(1,2)", "\n", "\ufeff",
)  # fmt: skip
ONNX_WORDS = (
    "", "7", "x", "0", "-1", "1", "1.5", "=", ",", "(", "{", '"', "Relu", "Conv", "float", "int64", "axis", "image", "99", "if", "com.microsoft.Gelu", "type99",
    "[1]", "\n",
)  # fmt: skip
PROTOTEXT_WORDS = (
    "", "7", "x", "-1", "1.5", ":", "{", "}", "<", "[", ",", "#", '"', "'", '"\\x"', '"\\q"', '"\\377"', '"Relu"', "FLOATS", "99999999999", "dim_param", "node", "names",
    "op_typ", "floats: [1, .5f]", "\udcff", "\n",
)  # fmt: skip
MOST = 2_000  # characters in a line of an example


class Source(NamedTuple):
    """A model to lint; `weights` are the bytes of its side file."""

    text: str
    format: str | None = None
    targets: tuple[tuple[str, str], ...] = ()
    weights: bytes | None = None
    name: str = "model"
    beside: Mapping[str, bytes] = {}


def sources() -> Iterator[Source]:
    yield from _of_rules()
    yield from _of_readers()
    yield from _symbols()
    yield from _lightnet()
    yield from _irs()
    yield from _listings()
    yield from _params()
    yield from _onnx()
    yield from _prototext()
    yield from _companions()
    yield from _keras()


def _of_rules() -> Iterator[Source]:
    for rule in registry.all_rules().values():
        for example in cases(rule).invalid:
            beside = example.side_files if example.name else {}
            yield Source(
                example.text,
                example.format,
                tuple(example.targets.items()),
                name=example.name or "model",
                beside=beside,
            )


def _of_readers() -> Iterator[Source]:
    formats = {"strict": "nnvm", "events": "glacier", "listing": "glacier", "xml": "openvino"}
    for path in sorted((HERE / "text" / "golden").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield Source(json.loads(line)["text"], formats.get(path.stem, path.stem))


def _symbols() -> Iterator[Source]:
    rng = random.Random(1)
    for case in mxnet_cases.CASES:
        if not all(case.shapes):
            continue
        symbol = json.loads(mxnet_compare.symbol(case, 1))
        for k, shape in enumerate(case.shapes):
            symbol["nodes"][k]["attrs"] = {"__shape__": str(tuple(shape or ()))}
        yield from _spoiled_symbols(symbol, rng)
    for number in range(25):
        rng = random.Random(f"symbol {number}")
        yield from (Source(m.text, "nnvm") for m in nnvm_mutants.mutants(nnvm_models.model(rng), rng))
    for number in range(6):
        rng = random.Random(f"tvm {number}")
        graph = tvm_models.tvm_graph(rng)
        kinds = {**changes.CHANGES, **tvm_models.TVM_CHANGES}
        yield from (Source(m.text, "nnvm") for m in nnvm_mutants.mutants(graph, rng, changes=kinds))


def _spoiled_symbols(symbol: dict[str, list[dict[str, dict[str, str]]]], rng: random.Random) -> Iterator[Source]:
    """One number or word of a node's attributes changed at a time: its shapes do not fit any more, or it is not what it was."""
    for node in symbol["nodes"]:
        for key, value in list(node.get("attrs", {}).items()):
            for other in rng.sample(_others(value, rng), 1):
                node["attrs"][key] = other
                yield Source(json.dumps(symbol), "nnvm:mxnet")
            node["attrs"][key] = value


def _others(value: str, rng: random.Random) -> list[str]:
    numbers = list(re.finditer(r"\d+", value))
    if not numbers:
        return [f"{value}x", "", "7"]
    at = rng.choice(numbers)
    longer = value.replace("(", "(2, ") if "(" in value else f"{value}0"
    return [f"{value[: at.start()]}{other}{value[at.end() :]}" for other in ("0", "-1", "3", "5", "64")] + [longer]


def _lightnet() -> Iterator[Source]:
    for case in lightnet_cases.CASES:
        yield Source(render(case.document()[0], "values").text, "lightnet")
    for seed in range(900):
        if (mutant := lightnet_mutants.plant(seed)) is not None:
            yield Source(mutant.text, "lightnet")


def _irs() -> Iterator[Source]:
    for number, key in enumerate(openvino_models.operations()):
        model = openvino_models.model(key)
        found = list(mutate.mutants(model.text, model.weights, number))
        shapes = [m for m in found if "dim" in m.kind or "shape" in m.kind or "attribute" in m.kind]
        for mutant in random.Random(key).sample(found, min(len(found), 5)) + shapes[:9]:
            yield Source(mutant.text, "openvino", weights=mutant.weights)
    for path in sorted((EXAMPLES / "openvino").glob("*.xml")):
        weights = path.with_suffix(".bin").read_bytes()
        for seed in range(2):
            for mutant in mutate.mutants(path.read_text(encoding="utf-8"), weights, seed):
                yield Source(mutant.text, "openvino", weights=mutant.weights)


def _listings() -> Iterator[Source]:
    rng = random.Random(3)
    for path in sorted((EXAMPLES / "glacier").iterdir()):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[:30]
        for _ in range(200):
            at, broken = rng.randrange(len(lines)), list(lines)
            words = re.split(r"(\W)", broken[at])
            words[rng.randrange(len(words))] = rng.choice(("", "7", "x", "[", "]", ",", " ", "-1", "999", '"'))
            broken[at] = "".join(words)
            yield Source("".join(broken), "glacier")


def _params() -> Iterator[Source]:
    """Lists of layers: words of the examples changed, weights cut, each parameter of each layer type given another value."""
    yield from (Source(case.text, "ncnn") for case in ncnn_cases.CASES.values())
    for path in sorted(path for name in ("ncnn", "pnnx") for path in (EXAMPLES / name).glob("*.param")):
        text, weights = path.read_text(encoding="utf-8"), path.with_suffix(".bin").read_bytes()
        format_, rng = path.parent.name, random.Random(path.name)
        for number in range(500):
            words = re.split(r"(\s+|[=,])", text)
            for _ in range(rng.choice((1, 1, 1, 2))):
                at = rng.randrange(len(words))
                words[at] = rng.choice((*PARAM_WORDS, words[rng.randrange(len(words))]))
            yield Source("".join(words), format_, OLD_NCNN * (number % 5 == 0), weights)
        for size in (0, 1, 3, 4, 100, len(weights) - 1, len(weights) + 4):
            yield Source(text, format_, weights=(weights + bytes(4))[:size])
        for flag in (1, 0x01306B47, 0x000D4B38, 0x0002C056):
            yield Source(text, format_, weights=flag.to_bytes(4, "little") + weights[4:])
    layers, rng = table("ncnn"), random.Random(5)
    for name in layers.names:
        operator = layers.get(name)
        assert operator is not None
        inputs = sum(port.kind == "required" or port.kind.startswith("variadic") for port in operator.inputs)
        for attribute in operator.attributes.values():
            for value in ("-1", "0", "1", "7", "0.5", "x", "1,1", "99999999999", str(attribute.facts.get("min"))):
                layer = f"{name} x {inputs} 1{' a' * inputs} b {attribute.name}={value}"
                text = f"7767517\n2 2\nInput a 0 1 a 0=8 1=8 2=3\n{layer}\n"
                yield Source(text, "ncnn", OLD_NCNN * (rng.random() < 0.2))


def _onnx() -> Iterator[Source]:
    """Words of the examples changed, and each attribute of each operator given another value."""
    rng = random.Random(7)
    for path in sorted((EXAMPLES / "onnx").iterdir()):
        data = path.read_bytes()
        text = data.decode() if path.suffix == ".onnxtxt" else read_binary(data, path.name).text
        for number in range(500):
            words = re.split(r"(\s+|[=,:<>()\[\]{}])", text)
            for _ in range(rng.choice((1, 1, 1, 2))):
                at = rng.randrange(len(words))
                words[at] = rng.choice((*ONNX_WORDS, words[rng.randrange(len(words))]))
            yield Source("".join(words), "onnx", (("onnx", f"1.{rng.randrange(3, 16)}"),) * (number % 5 == 0))
    for name, since in table("onnx").raw["versions"].items():
        yield from _onnx_attributes(name, since[-1])


def _prototext() -> Iterator[Source]:
    rng = random.Random(8)
    for _ in range(500):
        words = re.split(r"(\s+|[:{}])", PROTOTEXT)
        words[rng.randrange(len(words))] = rng.choice((*PROTOTEXT_WORDS, words[rng.randrange(len(words))]))
        yield Source("".join(words), "onnx:prototext")


KERAS_WORDS = (
    ('"Dense"', '"Dence"'), ('"Dense"', '"Gate"'), ('"units": 4', '"unitz": 4'), ('"units": 4', '"units": 0'), ('"units": 4', '"units": "four"'), ('"units": 4, ', ""), ('"relu"', '"rely"'),
    ('"Dense", "config": {', '"Conv2D", "config": {"filters": 4, "kernel_size": [1, 1, 1], '), ('"Dense", "config": {', '"Reshape", "config": {"target_shape": [5, 5], '),
    ('"Dense", "config": {', '"Conv1D", "config": {"filters": 4, "kernel_size": 3, '), ('"Dense", "config": {', '"Concatenate", "config": {"axis": 5, '),
    ('"Dense", "config": {', '"Permute", "config": {"dims": [1, 2], '), ('"Dense", "config": {', '"Dot", "config": {"axes": 1, '), ('"Dense", "config": {', '"Lambda", "config": {"function": ["4w", null, null], '),
    ('"Dense", "config": {', '"TFSMLayer", "config": {"filepath": "x", '), ('"Dense", "config": {', '"RNN", "config": {"cell": {}, '), ('["hidden", 0, 0', '["hiden", 0, 0'), ('["hidden", 0, 0', '["hidden", 2, 0'),
    ('["hidden", 0, 0', '["hidden", 0, 3'), ('["scores", 0, 0]]', '["scores", 0, 3]]'), ('["image", 0, 0', '["hidden", 0, 0'), ('["image", 0, 0', '["scores", 0, 0'), ('"config": {"name": "scores"', '"config": {"name": "hidden"'),
    ('"name": "scores", "inbound', '"name": "hidden", "inbound'), ('"inbound_nodes": []}', '"inbound_node": []}'), ('"input_layers"', '"input_layer"'), ('"layers": [', '"layers": 3, "layer": ['), ('"keras.layers"', '"keras.layer"'),
    ('"keras.layers"', '"my.layers"'), ('"inbound_nodes": [{', '"build_config": {"input_shape": [null, 9]}, "inbound_nodes": [{"args": [], "kwargs": {}}, {'), ('"units": 3', '"units": 3, "units": 3'),
    ('"image", 0, 0]', '"image", 0]'), ('"units": 4', '"units": 4 // x'), ("{", "\ufeff{"), ('"relu"', '"re\\ud800lu"'), ("]]\n", "]]"), ("}", ""), ('"units": 4', '"units": ' + "[" * 400), ("}\n}\n", "}\n} x\n"),
    ("}\n}\n", ""), ('"relu"', '"re\udcfflu"'), ('"units": 4', '"activation": {"module": "keras", "config": {}, "registered_name": null}, "units": 4'),
)  # fmt: skip


KERAS_LAYER = '"Dense", "config": {"name": "hidden", "units": 4, "activation": "relu"},'
KERAS_LAYERS = (
    ("[null, 8]", '"Reshape", "config": {"name": "hidden", "target_shape": [5, 5]},'), ("[null, 8]", '"Conv2D", "config": {"name": "hidden", "filters": 4, "kernel_size": 3},'),
    ("[null, 8]", '"GroupNormalization", "config": {"name": "hidden", "groups": 3},'), ("[null, 8]", '"Concatenate", "config": {"name": "hidden", "axis": 5},'),
    ("[null, 4, 8]", '"Cropping1D", "config": {"name": "hidden", "cropping": [2, 2]},'), ("[null, 4, 8]", '"Conv1D", "config": {"name": "hidden", "filters": 4, "kernel_size": 5},'),
    ("[null, 4, 8]", '"Conv1D", "config": {"name": "hidden", "filters": 4, "kernel_size": 1, "groups": 3},'), ("[null, 4, 8]", '"Permute", "config": {"name": "hidden", "dims": [1, 2, 3]},'),
    ("[null, 9]", KERAS_LAYER + ' "build_config": {"input_shape": [null, 8]},'),
)  # fmt: skip


def _keras() -> Iterator[Source]:
    for text in (KERAS_2, KERAS_3):
        found = (text.replace(old, new, 1) for old, new in KERAS_WORDS if old in text)
        yield from (Source(one, "keras", name="config.json") for one in found)
    for shape, layer in KERAS_LAYERS:
        text = KERAS_3.replace("[null, 8]", shape, 1).replace(KERAS_LAYER, layer, 1)
        yield Source(text, "keras", name="config.json")
    yield Source("", "keras", name="config.json")


def _companions() -> Iterator[Source]:
    """Contradictions planted in the folders around companions."""
    for number, one in enumerate(one for module in companions.TABLES.values() for one in module.PLANTED):
        files = {f"{number}/{name}": text for name, text in one.written().items()}
        name = f"{number}/{one.at}"
        beside = {os.path.relpath(other, os.path.dirname(name)): text.encode() for other, text in files.items()}
        yield Source(files[name], name=name, beside=beside)


def _onnx_attributes(name: str, since: int) -> Iterator[Source]:
    operator = table("onnx").get(f"{name}-{since}")
    assert operator is not None
    domain, _, _ = name.rpartition(".")
    imports = f'"" : 22, "{domain}" : {since}' if domain else f'"" : {since}'
    inputs = [f"x{k}" for k, port in enumerate(operator.inputs) if port.kind in ("required", "variadic")]
    listed = ", ".join(f"float[2,3,4] {name}" for name in inputs)
    for attribute in operator.attributes.values():
        for value in ("-1", "0", "3", "0.5", '"x"', "[]", "[1, 2]", "[-1, 0, 2]", '["x"]', "float[2] {1.0,2.0}"):
            typed = f"{attribute.name}: ints" if value == "[]" else attribute.name
            call = f"y = {name} <{typed} = {value}> ({', '.join(inputs)})"
            text = f"<ir_version: 10, opset_import: [{imports}]>\ng ({listed}) => (float[] y) {{\n   {call}\n}}\n"
            yield Source(text, "onnx")


class Said(NamedTuple):
    """What was said, by what it is when names and numbers are left out: the shortest example of each."""

    findings: dict[str, dict[str, tuple[str, bool]]]  # by rule; with whether the finding has a note
    notes: dict[str, str]
    titles: dict[str, str]
    formats: dict[str, set[str]]  # by rule: in which it was found


def collected() -> Said:
    said = Said(defaultdict(dict), {}, {}, defaultdict(set))
    with TemporaryDirectory() as folder:
        for source in sources():
            result = _linted(source, Path(folder))
            for finding in result.findings:
                _add(said, finding)
                if result.format in all_formats():
                    said.formats[finding.code].add(result.format)
    return said


def _linted(source: Source, folder: Path) -> engine.Result:
    path = folder / source.name
    for name, data in source.beside.items():
        (path.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (path.parent / name).write_bytes(data)
    weights = path.with_suffix(".bin")
    weights.unlink(missing_ok=True)
    if source.weights is not None:
        weights.write_bytes(source.weights)
    settings = Settings(("ALL", "PEDANTIC"), targets=source.targets)
    data = source.text.encode("utf-8", "surrogateescape")
    name = str(path) if source.beside else path.name  # a companion is known by what is next to it
    return engine.lint_bytes(data, name, settings, source.format, path)


def _add(said: Said, finding: Finding) -> None:
    if len(finding.message) < MOST:
        example = finding.message, bool(finding.related)
        _keep(said.findings[f"{finding.code} {finding.name}"], finding.message, example)
    for note in finding.related:
        _keep(said.notes, note.message, note.message)
    if finding.fix is not None:
        _keep(said.titles, finding.fix.title, finding.fix.title)


def _keep(known: dict[str, object], text: str, example: object) -> None:
    form = normal(text)
    if form not in known or (len(str(example)), str(example)) < (len(str(known[form])), str(known[form])):
        known[form] = example


def normal(text: str) -> str:
    """A message without what differs from model to model: names, values, numbers, shapes, types of operators."""
    text = re.sub(r"\b[A-Za-z_][\w.]* '[^']*'", "Op 'x'", text)
    text = re.sub(r"`[^`]*`", "`x`", text)
    text = re.sub(r"'[^']*'", "'x'", text)
    text = re.sub(r"[\[(][^\])]*[\])]", "[]", text)
    text = re.sub(r"\b(?:float|int|uint|bfloat)\d+\b|\bbool\b", "int", text)
    text = re.sub(r"\b0x[0-9A-F]+", "0", text)
    return re.sub(r"-?\d[\d,.]*", "0", text)


def written(said: Said) -> str:
    lines = ["# python tests/messages.py writes this file: read what changed before you keep it.", ""]
    for rule in sorted(said.findings):
        lines += [rule, *sorted(f"    {message}" for message, _ in said.findings[rule].values()), ""]
    lines += ["notes", *sorted(f"    {note}" for note in said.notes.values()), ""]
    lines += ["fixes", *sorted(f"    {title}" for title in said.titles.values())]
    return "\n".join(line.encode("unicode_escape").decode("ascii") for line in lines) + "\n"


def written_formats(said: Said) -> str:
    return "".join(f"{code} {' '.join(sorted(formats))}\n" for code, formats in sorted(said.formats.items()))


if __name__ == "__main__":
    found = collected()
    GOLDEN.write_text(written(found), encoding="utf-8")
    FORMATS.write_text(written_formats(found), encoding="utf-8")
