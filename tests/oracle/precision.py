"""What irlint says of good models under --target precision=fp16, next to what a run in that precision computes: python tests/oracle/precision.py FOLDER [--most N].

FOLDER is one that onnx_bases.py has made with the groups language, timm and vision (make oracle-precision). A model counts if it runs in 32 bits without
NaN. Those whose outputs agree with a run that rounds to float16 should have no finding; in copies of transformers, a constant is planted that overflows,
and the finding has to be at that constant. Prints each exception, and the figures.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

RULES = "C010,C011,C012"
PATIENCE = 240  # seconds of one run
LARGEST = 40_000_000  # bytes of a model
GROUPS = ("language", "timm", "vision")
PLANTS = 10


def irlint(*words: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "irlint", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.returncode, done.stdout


def findings(path: Path) -> list[dict[str, Any]]:
    _, text = irlint(
        "check", "--isolated", "--target", "precision=fp16", "--select", RULES, "--output-format", "json", str(path)
    )
    return [one for one in json.loads(text) if one["severity"] != "pedantic"]


def agrees(path: Path) -> bool | None:
    """Whether the outputs of a run in float16 agree with those of one in float32; None if the model does not run, or not to numbers."""
    feeds = path.with_suffix(".npz")
    try:
        code, text = irlint(
            "run",
            str(path),
            "--as",
            "fp16",
            "--output-format",
            "json",
            *(("--input", str(feeds)) if feeds.exists() else ()),
        )
    except subprocess.TimeoutExpired:
        return None
    return json.loads(text)["outputs_agree"] if code in (0, 1) and text.startswith("{") else None


def good(paths: list[Path], most: int) -> Iterator[tuple[Path, bool, list[dict[str, Any]]]]:
    seen = 0
    for path in paths:
        if seen == most:
            return
        same = agrees(path) if path.stat().st_size <= LARGEST else None
        if same is None:
            print(f"  {path.parent.name}/{path.stem}: does not run", flush=True)
            continue
        seen += 1
        yield path, same, findings(path)


def planted(path: Path, to: Path) -> str | None:
    """Write a copy of a model in which one number of a constant that others are multiplied by overflows; return the constant's name."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(path))
    weights = {one.name: one for one in model.graph.initializer if one.data_type == onnx.TensorProto.FLOAT}
    read = [
        name
        for node in model.graph.node
        if node.op_type in ("MatMul", "Gemm", "Mul", "Conv")
        for name in node.input
        if name in weights
    ]
    if not read:
        return None
    rng = random.Random(path.stem)
    name = rng.choice(sorted(set(read)))
    array = numpy_helper.to_array(weights[name]).copy()
    array.reshape(-1)[rng.randrange(array.size)] = rng.choice((-1, 1)) * 10 ** rng.uniform(5, 12)
    weights[name].CopyFrom(numpy_helper.from_array(array, name))
    onnx.save(model, str(to))
    return name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--plant", metavar="PYTHON", help="a Python with onnx, which plants the constants")
    parser.add_argument("--planted", nargs=2, metavar=("MODEL", "COPY"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.planted:
        print(planted(*map(Path, args.planted)) or "")
        return
    rng = random.Random(7)
    groups = [sorted((args.folder / group).glob("*.onnx")) for group in GROUPS]
    shuffled = [rng.sample(group, len(group)) for group in groups]
    turns = range(max(map(len, groups), default=0))
    paths = [group[turn] for turn in turns for group in shuffled if turn < len(group)]
    same = quiet = other = told = 0
    for path, is_same, found in good(paths, args.most):
        same, other = same + is_same, other + (not is_same)
        quiet, told = quiet + (is_same and not found), told + (not is_same and bool(found))
        said = "; ".join(sorted({f"{one['code']} {one['message']}" for one in found}))
        print(
            f"  {path.parent.name}/{path.stem}: {'same' if is_same else 'differs'}{': ' + said[:300] if said else ''}",
            flush=True,
        )
    print(f"{same} models compute the same in float16: {quiet} without a finding; {other} do not: {told} with one")
    if args.plant:
        plant(args, shuffled[0])


def plant(args: argparse.Namespace, paths: list[Path]) -> None:
    made = hit = 0
    for path in paths:
        copy = args.folder / "planted.onnx"
        command = [args.plant, __file__, str(args.folder), "--planted", str(path), str(copy)]
        name = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        if not name or path.stat().st_size > LARGEST:
            continue
        made += 1
        found = [one for one in findings(copy) if one["code"] == "C010" and f"'{name}'" in one["message"]]
        hit += bool(found)
        if not found:
            print(f"  {path.stem}: {name} was not found", flush=True)
        if made == PLANTS:
            break
    print(f"{made} constants planted in transformers: {hit} found at the constant")


if __name__ == "__main__":
    main()
