"""Models to plant defects in: files of the corpus, the examples, and small generated ones."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from formats.lightnet import models as lightnet_models
from formats.nnvm import models as nnvm_models
from formats.nnvm import tvm_models
from formats.nnvm.writer import render
from formats.openvino import models as openvino_models
from rule_cases import cases

from irlint.formats.base import all_formats
from irlint.formats.samples import Sample, file_name, samples
from irlint.rules import registry
from oracle import ncnn_networks, ncnn_worker

ROOT = Path(__file__).resolve().parent.parent.parent
LARGEST = 60_000  # bytes of a file that is worth many mutants
LARGEST_WEIGHTS = 3_000_000  # bytes of a .bin that is copied for each mutant
GENERATED = 60  # models of each generator

FORMATS = tuple(all_formats())


class Source(NamedTuple):
    format: str
    name: str
    suffix: str
    text: str
    weights: bytes | None = None
    graph: Any = None  # of a generated symbol: what the planters of formats/nnvm change
    is_tvm: bool = False


def sources(format_: str, seed: int, folders: Sequence[Path] = ()) -> list[Source]:
    """Models of a format, in an order that does not depend on the machine: the examples, those of `folders`, generated ones.

    What may be in a folder is told by the folder's name, as in the corpus; other names are for IRs.
    """
    found = list(_files(format_, ROOT / "examples" / format_))
    for folder in folders:
        if folder.name == format_ or (format_ == "openvino" and folder.name not in FORMATS):
            found += _files(format_, folder)
    return [*found, *_GENERATORS.get(format_, partial(_samples, format_))(seed)]


def _files(format_: str, folder: Path) -> Iterator[Source]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in _suffixes(format_) and path.name not in ("index.json", "status.json"):
            if "not-ir" in path.parts or path.stat().st_size > LARGEST:
                continue
            weights = path.with_suffix(".bin")
            if format_ == "ncnn" and weights.exists() and weights.stat().st_size > LARGEST_WEIGHTS:
                continue
            yield Source(
                format_,
                str(path.relative_to(folder.parent)),
                path.suffix,
                path.read_bytes().decode("utf-8", "surrogateescape"),
                weights.read_bytes() if format_ in ("openvino", "ncnn") and weights.exists() else None,
            )


def _texts(format_: str) -> list[Sample]:
    """The samples of a format that are texts."""
    return [s for form, s in samples().items() if form.startswith(f"{format_}:") and form != "onnx:binary"]


@cache
def _suffixes(format_: str) -> set[str]:
    return {Path(sample.name).suffix for sample in _texts(format_)}


def _samples(format_: str, seed: int) -> Iterator[Source]:
    """What irlint itself has of a format that nothing generates: samples, and the sound examples of rules."""
    for sample in _texts(format_):
        yield Source(format_, f"sample/{sample.name}", Path(sample.name).suffix, sample.data.decode())
    suffix = Path(file_name(format_)).suffix
    for rule in registry.all_rules().values():
        for number, example in enumerate(cases(rule).valid):
            if example.format.partition(":")[0] == format_ and not example.side_files:
                yield Source(format_, f"rule/{rule.code}-{number}", suffix, example.text)


def _openvino(seed: int) -> Iterator[Source]:
    for key in sorted(openvino_models.operations()):
        if key.partition(".")[2] not in ("Parameter", "Const", "Constant", "Result"):
            made = openvino_models.model(key)
            yield Source("openvino", f"one/{key}", ".xml", made.text, made.weights)


def _nnvm(seed: int) -> Iterator[Source]:
    for k in range(GENERATED):
        rng = random.Random(f"{seed} symbol {k}")
        graph = nnvm_models.model(rng)
        yield Source("nnvm", f"symbol/{k}", ".json", render(graph), graph=graph)
        graph = tvm_models.tvm_graph(random.Random(f"{seed} tvm {k}"))
        yield Source("nnvm", f"tvm/{k}", ".json", render(graph), graph=graph, is_tvm=True)
    for name, graph in CLASSIC.items():
        yield Source("nnvm", f"classic/{name}", ".json", render(graph), graph=graph)


def _lightnet(seed: int) -> Iterator[Source]:
    for name in lightnet_models.MODELS:
        yield Source("lightnet", f"own/{name}", ".json", json.dumps(lightnet_models.model(name), indent=2))


def _glacier(seed: int) -> Iterator[Source]:
    """The first lines of the examples: short listings are as good for most defects."""
    for name in ("mobilenetv2.txt", "mobilenetv2.events.jsonl"):
        lines = (ROOT / "examples" / "glacier" / name).read_text(encoding="utf-8").splitlines(keepends=True)
        for count in (4, 9, 15, 30):
            suffix = Path(name).suffix
            yield Source("glacier", f"short{suffix}/{count}", suffix, "".join(lines[:count]))


def _ncnn(seed: int) -> Iterator[Source]:
    """Networks that the runtime itself has a part in, where it is, and irlint's own."""
    yield from _samples("ncnn", seed)
    if os.environ.get(ncnn_worker.PYTHON):
        yield from _files("ncnn", ncnn_networks.kept(3 * GENERATED, seed))


_GENERATORS = {"ncnn": _ncnn, "openvino": _openvino, "nnvm": _nnvm, "lightnet": _lightnet, "glacier": _glacier}


def _variable(name: str) -> dict[str, Any]:
    return {"op": "null", "name": name, "inputs": []}


def _call(op: str, name: str, *inputs: int, **attrs: str) -> dict[str, Any]:
    return {"op": op, "name": name, "attrs": attrs, "inputs": [[k, 0, 0] for k in inputs]}


def _graph(*nodes: dict[str, Any]) -> dict[str, Any]:
    """A graph whose last node is its output, every node with one output."""
    return {
        "nodes": list(nodes),
        "arg_nodes": [k for k, node in enumerate(nodes) if node["op"] == "null"],
        "heads": [[len(nodes) - 1, 0, 0]],
        "node_row_ptr": list(range(len(nodes) + 1)),
    }


CLASSIC = {
    "dense": _graph(
        _variable("data"),
        _variable("dense0_weight"),
        _variable("dense0_bias"),
        _call("dense", "dense0", 0, 1, 2, units="10", use_bias="True"),
        _call("relu", "relu0", 3),
        _call("softmax", "softmax0", 4, axis="1"),
    ),
    "conv2d": _graph(
        _variable("data"),
        _variable("conv0_weight"),
        _call("conv2d", "conv0", 0, 1, channels="8", kernel_size="(3, 3)", padding="(1, 1)", strides="(1, 1)", use_bias="False"),
        _call("leaky_relu", "act0", 2, alpha="0.1"),
        _call("max_pool2d", "pool0", 3, pool_size="(2, 2)", strides="(2, 2)"),
        _call("flatten", "flat0", 4),
        _call("clip", "clip0", 5, a_min="0", a_max="6"),
    ),
    "pieces": _graph(
        _variable("a"),
        _variable("b"),
        _call("elemwise_add", "add0", 0, 1),
        _call("expand_dims", "expand0", 2, axis="1", num_newaxis="1"),
        _call("concatenate", "concat0", 3, 3, axis="1"),
        _call("transpose", "transpose0", 4, axes="(0, 2, 1)"),
        _call("sum", "sum0", 5, axis="1", keepdims="True"),
    ),
}  # fmt: skip
