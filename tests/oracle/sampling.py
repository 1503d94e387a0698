"""Random operators at their edges, before a real runtime and before irlint: python tests/oracle/sampling.py FORMAT --seed 7 --count 60.

FORMAT is onnx, openvino, mxnet or ncnn; the runtime's Python is named by IRLINT_ONNX_PYTHON and so on, as `make oracle` does. `--only N` judges one
sample, `--operators A,B` some operators, `--folder F` keeps the files. A sample is drawn from its seed and number alone. Prints every difference, and how many of each kind:

    false error   irlint refuses what the runtime computes
    missed        the runtime refuses what irlint takes
    type          the output is not of the type that irlint infers from the file
    does not run  the runtime computes what `irlint run` refuses
    numbers       outputs differ
    crash         irlint raises an exception that its API does not name

Differences that have a reason are rows of sampled_known.py and are counted apart.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import irlint
from irlint.dryrun.dims import compatible
from irlint.findings import Severity
from oracle.draw import Draw

WORKER = Path(__file__).with_name("runtime_worker.py")
PYTHONS = {name: f"IRLINT_{name.upper()}_PYTHON" for name in ("onnx", "openvino", "mxnet", "ncnn")}
TABLES = {
    "onnx": ("onnx_numbers", "onnx_moves", "onnx_windows"), "openvino": ("openvino_numbers", "openvino_windows"), "mxnet": ("mxnet",), "ncnn": ("ncnn",),
}  # fmt: skip


class Sample(NamedTuple):
    """A model of one operator: its files by suffix, the model's first, and values of its inputs."""

    operator: str
    label: str
    files: dict[str, bytes]
    feeds: dict[str, Any]
    traits: frozenset[str] = frozenset()


class Answer(NamedTuple):
    """What a runtime makes of a sample: outputs, or the stage at which it fails (load, run, died) and its words."""

    outputs: list[Any] | None
    stage: str = ""
    message: str = ""


class Difference(NamedTuple):
    kind: str
    what: str


Sampler = Callable[[Draw], Sample | None]
Asked = Callable[[list[Path], list[Sample]], list[Answer]]


def drawn(
    format_: str, count: int, seed: int, first: int = 0, only: Sequence[str] = ()
) -> Iterator[tuple[int, Sample]]:
    """Yield samples of a format with their numbers, of some operators or of all."""
    makers = [row for name in TABLES[format_] for row in _module(name).OPERATORS.items()]
    made, number = 0, first
    while made < count:
        draw = Draw(f"{format_} {seed} {number}")
        name, make = draw.choice(makers)
        if (not only or name in only) and (sample := make(draw, name)) is not None:
            made += 1
            yield number, sample._replace(traits=frozenset(draw.traits) | {a.dtype.name for a in sample.feeds.values()})
        number += 1


def _module(name: str) -> Any:
    return import_module(f"oracle.sampled_{name}")


def stored(folder: Path, number: int, sample: Sample) -> Path:
    for suffix, data in sample.files.items():
        (folder / f"{number:06}{suffix}").write_bytes(data)
    path = folder / f"{number:06}{next(iter(sample.files))}"
    np.savez(path.with_suffix(".npz"), **sample.feeds)
    return path


def asked(format_: str, folder: Path, paths: list[Path]) -> list[Answer]:
    """What the runtime says of each file."""
    python = os.environ[PYTHONS[format_]]
    if format_ == "ncnn":
        return list(_module(format_).asked(paths))
    subprocess.run([python, str(WORKER), str(folder)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [_answer(path) for path in paths]


def _answer(path: Path) -> Answer:
    failed = path.with_suffix(".failed.json")
    if failed.exists():
        return Answer(None, *json.loads(failed.read_text()))
    with np.load(path.with_suffix(".out.npz")) as found:
        return Answer([found[f"arr_{k}"] for k in range(len(found.files))])


def difference(path: Path, sample: Sample, answer: Answer, undecided: tuple[str, ...] = ()) -> Difference | None:
    """In what irlint differs from the runtime; `undecided` are words of refusals that say nothing of the model."""
    if answer.stage == "died" or any(words in answer.message for words in undecided):
        return _crash(path, sample)
    try:
        errors = [finding for finding in irlint.lint(path) if finding.severity == Severity.ERROR]
        if errors:
            said = f"{errors[0].code} {errors[0].message}"
            return Difference("false error", said) if answer.outputs is not None else None
        ours = _run(path, sample)
        if answer.outputs is None:
            is_missed = answer.stage == "load" or isinstance(ours, list)
            return Difference("missed", f"{answer.stage}: {answer.message}") if is_missed else None
        if what := _type(path, answer.outputs):
            return Difference("type", what)
    except Exception as error:
        return Difference("crash", repr(error))
    if isinstance(ours, str):
        return Difference("does not run", ours)
    if len(ours) != len(answer.outputs):
        return Difference("numbers", f"{len(ours)} outputs, the runtime {len(answer.outputs)}")
    for one, other in zip(ours, answer.outputs, strict=True):
        if what := unequal(one, other):
            return Difference("numbers", what)
    return None


def _crash(path: Path, sample: Sample) -> Difference | None:
    """Whether irlint ends in order, where there is nothing to compare it with."""
    try:
        irlint.lint(path)
        _run(path, sample)
    except Exception as error:
        return Difference("crash", repr(error))
    return None


def _run(path: Path, sample: Sample) -> list[Any] | str:
    """Outputs, or why there are none."""
    try:
        return list(irlint.run(path, sample.feeds).values())
    except NotImplementedError as error:
        return f"not supported: {error}"
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        return str(error)


def _type(path: Path, outputs: list[Any]) -> str:
    """In what the types that the file tells contradict the outputs."""
    model = irlint.load(path)
    try:
        types = irlint.infer(model)
    except ValueError as error:
        return str(error)
    for (node, output), array in zip(model.graph.outputs, outputs, strict=False):
        listed = types[model.graph.nodes[node].name]
        dtype, shape = listed[output] if output < len(listed) else (None, None)
        other_shape = shape is not None and (len(shape) != array.ndim or not all(map(compatible, shape, array.shape)))
        if other_shape or (dtype is not None and dtype != array.dtype.name and array.dtype.kind != "V"):
            return f"{dtype} {shape}, the runtime {array.dtype} {list(array.shape)}"
    return ""


def unequal(one: Any, other: Any) -> str:
    """In what two arrays differ beyond the rounding of floats, if they do."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return f"{one.dtype} {list(one.shape)}, the runtime {other.dtype} {list(other.shape)}"
    near = ""
    if other.dtype.kind not in "fc":
        is_same = np.array_equal(one, other)
        apart = np.abs(one.astype(np.float64) - other.astype(np.float64)) if other.dtype.kind in "iu" else np.array(9)
        near = "by 1: " if apart.max(initial=0) <= 1 else ""
    else:
        finite = np.abs(other[np.isfinite(other)])
        scale = max(1.0, float(finite.max(initial=0)) if finite.size else 0.0)
        rough = 2e-3 if other.dtype == np.float16 else 1e-4
        wide: Any = complex if other.dtype.kind == "c" else np.float64
        with np.errstate(all="ignore"):
            is_same = np.allclose(one.astype(wide), other.astype(wide), rtol=rough, atol=rough * scale, equal_nan=True)
    return "" if is_same else f"{near}{_shown(one)}, the runtime {_shown(other)}"


def _shown(array: Any) -> str:
    return " ".join(np.array2string(array, threshold=40, edgeitems=6, precision=5).split())


class Judged(NamedTuple):
    number: int
    sample: Sample
    answer: Answer
    difference: Difference | None
    reason: str  # why the difference stands; empty if nobody knows


def judged(
    format_: str, count: int, seed: int, folder: Path, first: int = 0, only: Sequence[str] = ()
) -> Iterator[Judged]:
    """Yield samples of a format with what the runtime says, and in what irlint differs."""
    from oracle.sampled_known import reason

    samples = list(drawn(format_, count, seed, first, only))
    paths = [stored(folder, number, sample) for number, sample in samples]
    answers = asked(format_, folder, paths)
    undecided = _module(format_).UNDECIDED
    for (number, sample), path, answer in zip(samples, paths, answers, strict=True):
        found = difference(path, sample, answer, undecided)
        yield Judged(number, sample, answer, found, reason(format_, sample, found) if found else "")


def report(rows: list[Judged]) -> Iterator[str]:
    """Yield a line for each difference without a reason, then the sums."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts["runs" if row.answer.outputs is not None else "refused" if row.answer.stage != "died" else "died"] += 1
        if row.difference is not None:
            counts[f"known: {row.difference.kind}" if row.reason else row.difference.kind] += 1
            if not row.reason:
                yield f"{row.number} {row.sample.label} {sorted(row.sample.traits)}\n    {row.difference.kind}: {row.difference.what}"
    yield f"{len(rows)} samples: {dict(counts)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("format", choices=sorted(PYTHONS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--only", type=int)
    parser.add_argument("--operators", default="")
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    os.environ["IRLINT_RAISE"] = "1"
    with tempfile.TemporaryDirectory() as made:
        folder = args.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        only = args.only is not None
        rows = list(
            judged(
                args.format,
                1 if only else args.count,
                args.seed,
                folder,
                args.only or 0,
                list(filter(None, args.operators.split(","))),
            )
        )
    if only:
        print(rows[0].sample.label, rows[0].sample.feeds, rows[0].answer, rows[0].difference, rows[0].reason, sep="\n")
    print(*report(rows), sep="\n")


if __name__ == "__main__":
    main()
