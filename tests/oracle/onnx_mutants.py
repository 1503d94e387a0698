"""Models with one planted defect: python -m oracle.onnx_mutants FOLDER COUNT SEED, in the oracle's Python. Bases: onnx_bases.py.

FOLDER/00012/model.onnx with the files next to it, FOLDER/cases.jsonl with a line for each: `path`, `family` ("graph input_gone"; "" for a base), `what`,
`places` (onnx_sites.Place: any line on which the defect can be seen), `base`, `feeds`.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx

from oracle import onnx_bases, onnx_wrong_attributes, onnx_wrong_bytes, onnx_wrong_graph, onnx_wrong_weights
from oracle.onnx_sites import Made, Side, sides

LIST = "cases.jsonl"
TRIES = 400  # bases looked at for one that a kind of defect can be planted in
NODES = 0.15  # of the mutants are of models of one node

FAMILIES: dict[str, Any] = {
    **{f"graph {way.__name__}": way for way in onnx_wrong_graph.WAYS}, **{f"attribute {way.__name__}": way for way in onnx_wrong_attributes.WAYS},
    **{f"weights {way.__name__}": way for way in onnx_wrong_weights.WAYS}, **{f"external {way.__name__}": way for way in onnx_wrong_weights.EXTERNAL},
    **{f"bytes {way.__name__}": way for way in onnx_wrong_bytes.WAYS},
}  # fmt: skip


def mutant(family: str, base: Path, rng: random.Random) -> tuple[bytes, Made, list[Side]] | None:
    kind, way = family.partition(" ")[0], FAMILIES[family]
    data = base.read_bytes()
    kept = [Side(file.name, file.read_bytes()) for file in sides(base)]
    if kind == "bytes":
        what, made = way(data, rng)
        return (made, Made(what), kept) if made != data else None
    model = onnx.ModelProto.FromString(data)
    if kind == "external":
        found = None if kept else onnx_wrong_weights.outside(model, way, rng)
        if found is None:
            return None
        planted, side = found
        return model.SerializeToString(), planted, [side]
    planted = way(model, rng)
    changed = model.SerializeToString()
    return (
        None
        if planted is None or changed == onnx.ModelProto.FromString(data).SerializeToString()
        else (changed, planted, kept)
    )


def plant(folder: Path, count: int, seed: int, bases: list[Path]) -> Iterator[dict[str, Any]]:
    """The bases that were used first, then the mutants: every family in turn, of any base that it can be planted in."""
    rng = random.Random(seed)
    small = [base for base in bases if base.parent.name == "nodes"]
    large = [base for base in bases if base.parent.name != "nodes"] or small
    names = list(FAMILIES)
    for number in range(count):
        family = names[number % len(names)]
        for _ in range(TRIES):
            base = rng.choice(small if small and rng.random() < NODES else large)
            try:
                made = mutant(family, base, rng)
            except (UnicodeEncodeError, ValueError):
                continue  # protobuf does not write it
            if made:
                break
        else:
            continue
        data, planted, kept = made
        path = folder / f"{number:05}" / "model.onnx"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        for side in kept:
            if side.data is not None:
                path.with_name(side.name).write_bytes(side.data)
        yield _row(path.relative_to(folder), family, planted, base)


def _row(path: Path, family: str, planted: Made, base: Path) -> dict[str, Any]:
    feeds = base.with_suffix(".npz")
    return {
        "path": str(path), "family": family, "what": planted.what, "places": [place._asdict() for place in planted.places], "base": str(base),
        "feeds": str(feeds) if feeds.exists() else None,
    }  # fmt: skip


def store(folder: Path, count: int, seed: int, bases: list[Path]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    found = list(plant(folder, count, seed, bases))
    used = sorted({row["base"] for row in found})
    rows = [_row(Path(base), "", Made(""), Path(base)) for base in used] + found
    (folder / LIST).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def main() -> None:
    folder, count, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    store(folder.resolve(), count, seed, list(onnx_bases.bases(onnx_bases.folder())))


if __name__ == "__main__":
    main()
