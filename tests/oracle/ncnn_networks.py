"""Random networks that ncnn runs: python tests/oracle/ncnn_networks.py FOLDER [--count 200] [--seed 1]; needs IRLINT_NCNN_PYTHON.

A network grows layer by layer, and the runtime is asked each time: what it refuses is taken back, and the shapes it computes are what the
next layer is made for. The list of networks.jsonl holds, for each, what the judge says of it: shapes of all blobs, inputs, outputs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracle.ncnn_joins import JOINS, Join
from oracle.ncnn_layers import ONE, QUANTIZED, SIZES, Maker, Shape, text
from oracle.ncnn_worker import Ncnn

ROOT = Path(__file__).resolve().parents[2]
LIST = "networks.jsonl"
LARGEST = 20_000  # elements of a blob
MAGIC = 7767517


class Family(NamedTuple):
    name: str
    shapes: list[Shape]
    makers: list[tuple[tuple[int, ...], Maker]] = ONE
    joins: list[Join] = JOINS
    storage: str = "fp32"


FAMILIES = [
    Family("cnn", [[3, 16, 16], [3, 20, 12], [4, 8, 9]]),
    Family("fp16", [[3, 16, 16], [8, 16]], storage="fp16"),
    Family("sequence", [[8, 24], [6, 16]]),
    Family("volume", [[2, 6, 8, 8], [3, 4, 5, 6]]),
    Family("attention", [[6, 8], [4, 12], [2, 4, 8]]),
    Family("vector", [[16], [24], [40]]),
    Family("int8", [[3, 16, 16], [8, 8, 8]], QUANTIZED, [], "int8"),
]


class Layer(NamedTuple):
    type: str
    name: str
    inputs: list[str]
    outputs: list[str]
    parameters: str

    def line(self) -> str:
        blobs = "".join(f" {blob}" for blob in (*self.inputs, *self.outputs))
        return f"{self.type:<16} {self.name:<16} {len(self.inputs)} {len(self.outputs)}{blobs}{self.parameters}"


class Growing:
    """A network that is being made. `open` are the blobs that the next layer may read, with their shapes once they are known."""

    def __init__(self, rng: random.Random, path: Path) -> None:
        self.rng, self.path = rng, path
        self.layers: list[Layer] = []
        self.open: dict[str, Shape] = {}
        self.integers: list[int] = []  # numbers of the inputs that hold indices
        self._blobs = 0
        self._style = rng.choice(("{n}", "{kind}_{n}", "blob{n}"))

    def add(self, type_: str, inputs: list[str], parameters: dict[int, Any], outputs: int = 1) -> list[str]:
        made = []
        for _ in range(outputs):
            self._blobs += 1
            made.append(self._style.format(n=self._blobs, kind=type_.lower()))
        self.layers.append(
            Layer(type_, f"{type_.lower()}_{len(self.layers)}", inputs, made, text(parameters, self.rng))
        )
        for blob in inputs:
            del self.open[blob]
        self.open |= {blob: [] for blob in made}
        return made

    def memory(self, shape: Shape) -> str:
        return self._source("MemoryData", shape)

    def input(self, shape: Shape) -> str:
        return self._source("Input", shape)

    def indices(self, count: int) -> str:
        self.integers.append(sum(layer.type == "Input" for layer in self.layers))
        return self.input([count])

    def _source(self, type_: str, shape: Shape) -> str:
        blob = self.add(type_, [], dict(zip(SIZES[len(shape)], shape, strict=True)))[0]
        self.open[blob] = shape
        return blob

    def like(self, blob: str, shape: Shape) -> str:
        """Another open blob of the shape, or a constant."""
        return next((name for name, size in self.open.items() if size == shape and name != blob), None) or self.memory(
            shape
        )

    def end(self, type_: str, inputs: list[str], parameters: dict[int, Any]) -> None:
        """Add a layer whose output no other can read: its shape depends on data, or its numbers have 8 bits."""
        del self.open[self.add(type_, inputs, parameters)[0]]

    def text(self) -> str:
        blobs = sum(len(layer.outputs) for layer in self.layers)
        return f"{MAGIC}\n{len(self.layers)} {blobs}\n" + "".join(f"{layer.line()}\n" for layer in self.layers)

    def asked(self, ncnn: Ncnn, **job: Any) -> dict[str, Any]:
        self.path.write_text(self.text(), encoding="utf-8")
        return ncnn(param=self.path, integers=self.integers, **job)

    def grows(self, ncnn: Ncnn, makers: list[tuple[tuple[int, ...], Maker]], joins: list[Join]) -> bool:
        """One more layer, or none if the runtime does not take it."""
        kept = [*self.layers], dict(self.open), [*self.integers], self._blobs
        names = list(self.open)
        if not names:
            return False
        blob = names[-1] if self.rng.random() < 0.6 else self.rng.choice(names)
        if not self._added(blob, makers, joins) or not self._settled(ncnn):
            self.layers, self.open, self.integers, self._blobs = kept
            return False
        return True

    def _added(self, blob: str, makers: list[tuple[tuple[int, ...], Maker]], joins: list[Join]) -> bool:
        shape = self.open[blob]
        if joins and self.rng.random() < 0.3:
            return self.rng.choice(joins)(self, blob, shape)
        make = self.rng.choice([make for ranks, make in makers if len(shape) in ranks])
        made = make(self.rng, shape)
        if made is None:
            return False
        self.add(made.type, [blob] * made.inputs, made.parameters, made.outputs)
        return True

    def _settled(self, ncnn: Ncnn) -> bool:
        said = self.asked(ncnn, shapes=True)
        if said["stage"] is not None or any(not shape or not 0 < prod(shape) <= LARGEST for _, shape in said["shapes"]):
            return False
        shapes = dict(said["shapes"])
        self.open = {blob: shapes[blob] for blob in self.open}
        return True


def network(ncnn: Ncnn, family: Family, seed: str, path: Path) -> dict[str, Any] | None:
    """Write a network and its weights; return what the judge says of it."""
    rng = random.Random(seed)
    net = Growing(rng, path)
    shape = rng.choice(family.shapes)
    for _ in range(rng.choice((1, 1, 1, 2))):
        net.input(shape)
    wanted, tries = rng.randint(4, 14), 60
    while len(net.layers) < wanted and tries:
        tries -= 1
        net.grows(ncnn, family.makers, family.joins)
    weights = path.with_suffix(".bin")
    for attempt in range(4):
        storage = "fp32" if family.storage == "int8" and attempt % 2 else family.storage
        said = net.asked(ncnn, weights=weights, seed=attempt, storage=storage)
        if said["stage"] is None:
            said = net.asked(ncnn, bin=weights, shapes=True, values=True)
        if said["stage"] is None and said["finite"]:
            return {
                "path": path.name,
                "family": family.name,
                "types": sorted({layer.type for layer in net.layers}),
                **said,
            }
    return None


def networks(ncnn: Ncnn, folder: Path, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Networks of all families in turn, written to a folder with the list of them."""
    folder.mkdir(parents=True, exist_ok=True)
    made = 0
    with (folder / LIST).open("w", encoding="utf-8") as listed:
        for number in range(count * 3):
            if made == count:
                return
            family = FAMILIES[number % len(FAMILIES)]
            path = folder / f"{family.name}-{number:04}.param"
            row = network(ncnn, family, f"{seed} {number}", path)
            if row is None:
                path.unlink(missing_ok=True)
                path.with_suffix(".bin").unlink(missing_ok=True)
                continue
            made += 1
            listed.write(f"{json.dumps(row)}\n")
            yield row


def kept(count: int, seed: int) -> Path:
    """The folder of networks that this generator makes, which are made where they are missing."""
    parts = [Path(__file__).with_name(f"ncnn_{name}.py") for name in ("judge", "joins", "layers", "networks")]
    version = hashlib.sha1(b"".join(path.read_bytes() for path in parts)).hexdigest()[:8]
    folder = ROOT / "build" / "ncnn" / f"{seed}-{count}-{version}"
    if not (folder / "done").exists():
        with Ncnn() as ncnn:
            made = sum(1 for _ in networks(ncnn, folder, count, seed))
        (folder / "done").write_text(f"{made}\n", encoding="utf-8")
    return folder


def _traced(path: Path) -> list[tuple[Shape, str]]:
    """Shapes without the batch and types of the inputs that a module was traced with, from the file of pnnx next to its network."""
    text = path.with_name(path.name.replace(".ncnn.", ".pnnx.")).read_text(encoding="utf-8")
    found = re.findall(r"^pnnx\.Input .*=\((?:1,)?([\d,]*)\)(\w+)", text, re.MULTILINE)
    return [([int(size) for size in sizes.split(",")], kind) for sizes, kind in found]


def judged(ncnn: Ncnn, folder: Path) -> Iterator[dict[str, Any]]:
    """What the judge says of the networks that are in a folder already, with the list of them; those that do not run are left out."""
    with (folder / LIST).open("w", encoding="utf-8") as listed:
        for path in sorted(folder.glob("*.ncnn.param")):
            inputs = _traced(path)
            integers = [k for k, (_, kind) in enumerate(inputs) if kind.startswith("i")]
            shapes = [shape for shape, _ in inputs]
            weights = path.with_suffix(".bin")
            said = ncnn(param=path, bin=weights, inputs=shapes, integers=integers, shapes=True, values=True)
            if said["stage"] is None and said["finite"]:
                types = {line.split()[0] for line in path.read_text(encoding="utf-8").splitlines()[2:] if line.strip()}
                row = {"path": path.name, "family": folder.name, "types": sorted(types), **said}
                listed.write(f"{json.dumps(row)}\n")
                yield row
            else:
                print(f"{path}: {said['stage'] or 'not finite'} {said['message']}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--judge", action="store_true", help="judge the files of ncnn_pnnx.py that are there, instead of making any"
    )
    args = parser.parse_args()
    with Ncnn() as ncnn:
        rows = list(judged(ncnn, args.folder) if args.judge else networks(ncnn, args.folder, args.count, args.seed))
    types = Counter(type_ for row in rows for type_ in row["types"])
    print(f"{len(rows)} networks of {len(types)} layer types:", *(f"{name} {n}" for name, n in sorted(types.items())))


if __name__ == "__main__":
    main()
