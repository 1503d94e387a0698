"""Pairs of models that compute the same, each with a copy of the second one that has a planted change: python -m oracle.review_pairs FOLDER PAIRS [small].

In the exporters' Python. IRLINT_SEED draws the models, IRLINT_ONNX_PYTHON converts to IR and runs what was made, IRLINT_PNNX (if it is there) converts to ncnn, which
IRLINT_NCNN_PYTHON runs.
FOLDER/03-slim-resnet has a.onnx, what a tool made of it (b.*), the changed model (planted.*) and pair.json:

    way, base      the tool, and the model of the bases that it was given
    apart          how far outputs of both are apart, as a share of the largest number; null: no runtime was asked
    is_exact       two ONNX models whose outputs differ by rounding alone
    what           the change; `node` has it, nodes next to it are `near`; `moved` is how far it moves outputs. A model of another format is converted after it

Two models that compute something else in a runtime are no pair, and a change without an effect on outputs is none.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import helper

from oracle.onnx_bases import builders, draws, made
from oracle.onnx_bases_derived import WAYS, _elsewhere
from oracle.review_planted import KINDS, Planted, planted

HERE = Path(__file__).parent
PYTHON, PNNX, NCNN = "IRLINT_ONNX_PYTHON", "IRLINT_PNNX", "IRLINT_NCNN_PYTHON"
GROUPS = ("torch", "torch", "timm", "vision", "language", "decoders", "ultralytics")
SMALL = ("small",)  # with the word small as last argument: more pairs in less time
LARGEST = 16_000_000  # bytes of a base
PATIENCE = 60  # seconds for a base
TRIES = 12  # bases for a pair
CHANGES = 8  # of which the first with an effect is kept
INT8 = 0.2  # of the pairs begin with a quantised model
ROUNDING = 1e-4
SHOWN, SHARE = 2e-3, 5  # what a change moves outputs by, at least, and how many times what the conversion does
FORMS: dict[str, float] = {  # way -> how far apart its outputs may be
    "ir-fp32": ROUNDING, "slim": ROUNDING, "dynamic": 0.2, "basic": ROUNDING, "ir-fp16": 0.02, "sim": ROUNDING, "extended": ROUNDING, "fused": 5e-3, "half-runtime": 0.05, "ncnn": 0.05,
    "layout": ROUNDING, "optimizer": ROUNDING, "ir-int8": 0.1, "newer": ROUNDING, "half-common": 0.05, "rewritten": ROUNDING,
}  # fmt: skip
UNCONVERTED = re.compile(r"^(torch|aten|prim|pnnx|nn|F|Tensor)[.:]", re.MULTILINE)  # layers that ncnn does not have
TAKES_INT8 = ("ir-fp32", "slim", "basic", "sim", "extended", "newer")


def pairs(root: Path, count: int, groups: Sequence[str]) -> Iterator[Path]:
    known = {group: list(builders(root / "bases", group)) for group in dict.fromkeys(groups)}
    ways = [way for way in FORMS if way != "ncnn" or os.environ.get(PNNX)]
    for number, way in zip(range(count), itertools.cycle(ways), strict=False):
        rng = draws(f"review/{number}")
        for _ in range(TRIES):
            group = rng.choice([group for group in groups if known[group]])
            name, builder = rng.choice(known[group])
            base = root / "bases" / group / f"{name}.onnx"
            made(base, builder, LARGEST, PATIENCE)
            folder = root / f"{number:02}-{way}-{base.stem}"
            if _is_paired(folder, base, way, number, rng):
                yield folder
                break


def _is_paired(folder: Path, base: Path, way: str, number: int, rng: random.Random) -> bool:
    if not base.with_suffix(".npz").exists() or (folder / "pair.json").exists():
        return (folder / "pair.json").exists()
    shutil.rmtree(folder, ignore_errors=True)
    try:
        pair = _paired(folder, base, way, number, rng)
    except Exception as error:
        print(f"{folder.name}: {repr(error)[:200]}", file=sys.stderr, flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        return False
    (folder / "pair.json").write_text(json.dumps(pair, indent=1), encoding="utf-8")
    return True


def _paired(folder: Path, base: Path, way: str, number: int, rng: random.Random) -> dict[str, Any]:
    a, sources, target = folder / "a.onnx", folder / "tries", folder / "tries" / "made"
    target.mkdir(parents=True)
    onnx.save(onnx.load(base), a)
    shutil.copy(base.with_suffix(".npz"), a.with_suffix(".npz"))
    if way in TAKES_INT8 and rng.random() < INT8:
        _tool(rng.choice(("dynamic", "qdq")), base, a, rng)
    if way in WAYS:
        _tool(way, a, target / "b.onnx", rng)
        ops = [sorted(node.op_type for node in onnx.load(path).graph.node) for path in (a, target / "b.onnx")]
        if way != "newer" and ops[0] == ops[1]:
            raise ValueError("the tool changes nothing")
        changes = dict(_changes(target / "b.onnx", number, rng))
    else:
        changes = dict(_changes(Path(shutil.copy(a, sources / "b.onnx")), number, rng))
        _convert(way, sources, target, base.with_suffix(".npz"))
    is_unasked = way == "ncnn" and not os.environ.get(NCNN)
    found = _outputs(sources if is_unasked else target, a)
    apart = _distance(found["a"], found["b"])
    if apart > FORMS[way]:
        raise ValueError(f"the tool's model outputs something else: {apart:.1e}")
    least, kept = max(SHOWN, SHARE * apart), {path.stem for path in target.iterdir()}
    moved = {name: _distance(found["b"], found[name]) for name in changes if name in found and name in kept}
    name = next((name for name, by in moved.items() if least < by < np.inf), None)
    if name is None:
        raise ValueError("no change has an effect")
    for old, new in (("b", "b"), (name, "planted")):
        for suffix in ("onnx", "xml", "bin", "param"):
            if (path := target / f"{old}.{suffix}").exists():
                path.replace(folder / f"{new}.{suffix}")
    shutil.rmtree(sources)
    is_exact = way in WAYS and apart <= ROUNDING and FORMS[way] <= ROUNDING
    row = {"way": way, "base": f"{base.parent.name}/{base.stem}", "apart": None if is_unasked else apart}
    return {**row, "is_exact": is_exact, **changes[name]._asdict(), "moved": moved[name]}


def _tool(way: str, base: Path, path: Path, rng: random.Random) -> None:
    with _elsewhere():
        WAYS[way][1](base, path, rng)
    onnx.save(onnx.load(path), path)  # one file


def _changes(source: Path, number: int, rng: random.Random) -> Iterator[tuple[str, Planted]]:
    """Write models with a change each, of all kinds in turn; each pair begins with another kind."""
    kinds = list(KINDS)
    first, count = number * 4 % len(kinds), 0
    for kind in kinds[first:] + kinds[:first]:
        model = onnx.load(source)
        del model.graph.value_info[:]  # it may contradict what is planted
        change = planted(model, kind, rng)
        if change is not None and count < CHANGES:
            onnx.save(model, source.with_name(f"change{count}.onnx"))
            yield f"change{count}", change
            count += 1


def _convert(way: str, sources: Path, target: Path, feeds: Path) -> None:
    files = sorted(sources.glob("*.onnx"))
    if way != "ncnn":
        _run([os.environ[PYTHON], str(HERE / "review_ir.py"), way.partition("-")[2], str(target), *map(str, files)])
        return
    with np.load(feeds) as given:
        inputs = [(list(array.shape), array.dtype) for array in given.values()]
    shapes = ",".join(f"{shape}{kind.kind}{8 * kind.itemsize}".replace(" ", "") for shape, kind in inputs)
    for file in files:
        try:
            _run([os.environ[PNNX], str(file), f"inputshape={shapes}", "fp16=0"])
            if UNCONVERTED.search(file.with_suffix(".ncnn.param").read_text()):
                raise ValueError("pnnx leaves operators of PyTorch")
            for suffix in ("param", "bin"):
                file.with_suffix(f".ncnn.{suffix}").replace(target / f"{file.stem}.{suffix}")
        except (ValueError, FileNotFoundError, subprocess.TimeoutExpired):
            if file.stem == "b":
                raise


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=5 * PATIENCE)
    if done.returncode:
        raise ValueError(f"{Path(command[0]).name}: {done.stderr.strip().splitlines()[-1:]}")


def _outputs(folder: Path, a: Path) -> dict[str, list[Any]]:
    """Run the models of a folder, and the first one, on the inputs of that."""
    shutil.copy(a, folder / "a.onnx")
    with np.load(a.with_suffix(".npz")) as given:
        feeds = dict(given)
    types = {name: array.dtype for name, array in feeds.items()}
    for path in [*folder.glob("*.onnx"), *folder.glob("*.xml")]:
        if path.suffix == ".onnx":  # a float16 converter changes types
            inputs = ((one.name, one.type.tensor_type.elem_type) for one in onnx.load(path).graph.input)
            types |= {name: helper.tensor_dtype_to_np_dtype(kind) for name, kind in inputs}
        if "." not in path.stem:  # pnnx writes others
            np.savez(path.with_suffix(".npz"), **{name: array.astype(types[name]) for name, array in feeds.items()})
    _run([os.environ[PYTHON], str(HERE / "runtime_worker.py"), str(folder)])
    found = {}
    for path in folder.glob("*.out.npz"):
        with np.load(path) as outputs:
            found[path.name.partition(".")[0]] = [outputs[f"arr_{k}"] for k in range(len(outputs))]
    if any(folder.glob("*.param")) and NCNN in os.environ:
        found |= _outputs_of_ncnn(folder, found["a"])
    for name in {"a", "b"} - found.keys():
        raise ValueError(f"{name} was not made, or cannot be run")
    return found


def _outputs_of_ncnn(folder: Path, expected: list[Any]) -> dict[str, list[Any]]:
    """Return what ncnn models output, in the shapes of the first model, for inputs with a batch or without: with what b is nearer."""
    _run([os.environ[NCNN], str(HERE / "review_ncnn.py"), str(folder)])
    ways: list[dict[str, list[Any]]] = [{}, {}]
    for path in folder.glob("*.[01].out.npz"):
        with np.load(path) as outputs:
            arrays = [outputs[f"arr_{k}"] for k in range(len(outputs))]
        same = len(arrays) == len(expected) and all(x.size == y.size for x, y in zip(arrays, expected, strict=True))
        if same:
            arrays = [x.reshape(y.shape) for x, y in zip(arrays, expected, strict=True)]
        name, way, *_ = path.name.split(".")
        ways[int(way)][name] = arrays
    return min((way for way in ways if "b" in way), key=lambda way: _distance(expected, way["b"]), default={})


def _distance(ours: list[Any], theirs: list[Any]) -> float:
    apart = 0.0 if len(ours) == len(theirs) else float("inf")
    for one, other in zip(ours, theirs, strict=False):
        if one.shape != other.shape or (one.dtype.kind != "f" and not np.array_equal(one, other)):
            return float("inf")
        gap = np.abs(one.astype(np.float64) - other.astype(np.float64)).max(initial=0.0)
        apart = max(apart, float(gap) / max(float(np.abs(one).max(initial=0)), 1e-6) if np.isfinite(gap) else np.inf)
    return apart


if __name__ == "__main__":
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)  # PyTorch prints whole graphs that it cannot export
    groups_of = SMALL if sys.argv[3:] == ["small"] else GROUPS
    made_pairs = list(pairs(Path(sys.argv[1]).resolve(), int(sys.argv[2]), groups_of))
    print(len(made_pairs), "pairs", file=sys.stderr, flush=True)
    os._exit(0)  # threads of libraries may not end
