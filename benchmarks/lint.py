"""Linting large files of each format, against what it costs to read them at all and against other checkers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import inputs
from measure import CHECK, ROOT, Call, Runner, Spent, exponent, middle, run, turns
from tables import PEERS, Table, peer

ROUNDS = 5
NODES = (8_000, 40_000, 200_000)
OPERATORS = (5_000, 20_000, 80_000)
BLOCKS = (166, 1667, 8334, 25_000)
SCHEMA = str(ROOT / "schemas" / "mxnet-symbol.schema.json")
READ_MODEL = "import sys, openvino; openvino.Core().read_model(sys.argv[1])"
CHECK_ONNX = "import sys, onnx; onnx.checker.check_model(sys.argv[1])"
LOAD_SYMBOL = "import sys, mxnet; mxnet.sym.load(sys.argv[1])"

Costs = dict[float, Spent]  # irlint's, by the size of the file


def loads(path: Path) -> Call:
    return Call("import json; text = open(sys.argv[1], encoding='utf-8').read()", "json.loads(text)", (str(path),))


def parse(path: Path) -> Call:
    return Call("from lxml import etree", "etree.parse(sys.argv[1])", (str(path),))


def tables() -> Iterator[Table]:
    yield from _symbols()
    yield from _lightnet()
    yield from _irs()


def _symbols() -> Iterator[Table]:
    text = (
        "MXNet symbols as convolutional networks have them. `json.loads` is the call alone, without Python's start; "
        "all others are whole processes."
    )
    costs, rows = {}, []
    for nodes in NODES:
        path = inputs.nnvm(nodes)
        runners: dict[str, Runner] = {"irlint": (*CHECK, str(path)), "json.loads": loads(path)}
        if nodes <= 40_000:
            runners["check-jsonschema"] = (
                sys.executable, "-m", "check_jsonschema", "--no-cache", "--schemafile", SCHEMA, str(path),
            )  # fmt: skip
        if mxnet := _mxnet():
            runners["mxnet.sym.load"] = (mxnet, "-c", LOAD_SYMBOL, str(path))
        found = turns(runners, ROUNDS, {"check-jsonschema": 2, "mxnet.sym.load": 3})
        costs[path.stat().st_size] = middle(found["irlint"])
        rows += _rows(path, found, {"json.loads": "3" if nodes == 40_000 else "", "check-jsonschema": "0.125"})
    yield Table("Symbols (NNVM)", text, PEERS, rows, _growth(costs))
    yield from _findings()


def _findings() -> Iterator[Table]:
    rows = []
    for kind, title in (("", "shapes not declared"), ("declared-", "each variable declares its shape")):
        clean, broken = inputs.nnvm(40_000, kind.rstrip("-") or "nnvm"), inputs.nnvm(40_000, f"{kind}broken")
        found = turns({"broken": (*CHECK, str(broken)), "clean": (*CHECK, str(clean))}, ROUNDS)
        rows.append(peer(f"the same without mistakes, {title}", found["broken"], found["clean"], "2; 4 at the most"))
    text = "A symbol of 40,000 nodes with 10,000 findings, written in full with their source, against the clean file."
    yield Table("Ten thousand findings", text, PEERS, rows)


def _lightnet() -> Iterator[Table]:
    costs, rows = {}, []
    for operators in OPERATORS:
        path = inputs.lightnet_file(operators)
        found = turns({"irlint": (*CHECK, str(path)), "json.loads": loads(path)}, ROUNDS)
        costs[path.stat().st_size] = middle(found["irlint"])
        rows += _rows(path, found, {"json.loads": "6, and the start" if operators == 20_000 else ""})
    yield Table(
        "LightNet", "Networks with their weights' shapes; `json.loads` is the call alone.", PEERS, rows, _growth(costs)
    )


def _irs() -> Iterator[Table]:
    text = (
        "Deep networks that OpenVINO wrote. `lxml.etree.parse` is the call alone; all others are whole processes, "
        "`onnx.checker` on the same network as ONNX."
    )
    costs, rows = {}, []
    for blocks in BLOCKS:
        path = inputs.layers(blocks)
        runners: dict[str, Runner] = {
            "irlint": (*CHECK, str(path)),
            "lxml.etree.parse": parse(path),
            "openvino.Core().read_model": (sys.executable, "-c", READ_MODEL, str(path)),
            "onnx.checker": (sys.executable, "-c", CHECK_ONNX, str(path.with_suffix(".onnx"))),
        }
        found = turns(runners, ROUNDS if blocks < 9_000 else 3)
        costs[path.stat().st_size] = middle(found["irlint"])
        asked = {"lxml.etree.parse": "2", "openvino.Core().read_model": "0.6"} if 1_000 < blocks < 9_000 else {}
        rows += _rows(path, found, asked)
    yield Table("OpenVINO IR", text, PEERS, rows, _growth(costs, memory=True))


def _rows(path: Path, found: dict[str, list[Spent]], asked: dict[str, str]) -> list[tuple[str, ...]]:
    size = path.stat().st_size / 1e6
    count = "".join(filter(str.isdigit, path.stem.partition("-")[0]))
    return [
        peer(f"{name}, {int(count):,} nodes, {size:.1f} MB", found["irlint"], theirs, asked.get(name, ""))
        for name, theirs in found.items()
        if name != "irlint"
    ]


def _growth(costs: Costs, memory: bool = False) -> str:
    """How cost grows with size, once the time is taken off that the smallest of files takes."""
    start = median(run((*CHECK, str(inputs.nnvm(40)))).cpu for _ in range(5))
    sizes = list(costs)
    grown = exponent(sizes, [spent.cpu - start for spent in costs.values()])
    told = f"CPU time beyond the start ({start:.3f} s) grows with the {grown:.2f}th power of the size (asked: 1.1 at the most)"
    if memory:
        largest = max(sizes)
        told += f"; of the largest file irlint holds {costs[largest].peak / largest:.1f} times its size at the most"
    return told + "."


def _mxnet() -> str | None:
    """A Python that has MXNet."""
    beside = ROOT / ".oracle" / "mxnet" / "bin" / "python"
    return os.environ.get("IRLINT_MXNET_PYTHON") or (str(beside) if beside.exists() else None)
