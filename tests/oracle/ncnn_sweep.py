"""Every parameter of every layer with values around its bounds and typical slips: python tests/oracle/ncnn_sweep.py [--types A,B] [--share 0.1] [--list].

A base is a layer on constants, which runs. Each case changes one parameter, the shape of one constant, or the order of inputs; what the runtime
makes of it (load_param, load_model with weights of zeros, extract; crashes count) is compared with irlint's errors. A layer that runs is wrong
nevertheless if its numbers depend on memory that nobody wrote: malloc fills it with two different bytes. Needs IRLINT_NCNN_PYTHON.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from irlint import engine
from irlint.codes import Severity
from irlint.operators import Attribute, table
from oracle.ncnn_joins import JOINS
from oracle.ncnn_layers import ONE, QUANTIZED, SIZES, Made, Shape
from oracle.ncnn_networks import Growing, Layer
from oracle.ncnn_worker import Ncnn

SHAPES: list[Shape] = [[16], [6, 8], [8, 9], [8, 6, 8], [4, 8, 8], [4, 4, 6, 6]]
PER_RANK = 2  # bases of a type for each rank of its first input
# Types that no maker makes.
MORE: list[tuple[tuple[int, ...], Any]] = [
    ((1, 2, 3), lambda r, s: Made("Packing", {0: 1})),
    ((1, 2, 3), lambda r, s: Made("Dequantize", {0: 1, 1: r.choice((0, 1))})),
    ((1, 2, 3), lambda r, s: Made("Requantize", {0: 1, 1: 1, 2: r.choice((0, 1))})),
    ((1, 2, 3), lambda r, s: Made("Cast", {0: 1, 1: 2})),
]
NUMBERS = ("-500", "-234", "-233", "-5", "-2", "-1", "0", "1", "2", "3", "4", "5", "7", "16", "100")
FLOATS = ("-1.0", "0.0", "0.3", "1.0", "2.0", "1e6")
ARRAYS = (
    ("0",), ("1",), ("2",), ("-1",), ("-2",), ("3",), ("5",), ("-5",), ("-233",), ("0", "1"), ("1", "0"), ("-1", "-2"), ("2", "2"), ("0", "0"),
    ("-233", "-233"), ("1", "2", "3"), ("-233", "-233", "-233"), ("1", "1", "1", "1", "1"),
)  # fmt: skip
# Errors that hold though the layer runs. It uses a default, or numbers of other rows than its author meant;
TRUE = {"A001", "A003", "A007", "D001", "D003", "D004", "D008", "D010"}
# or it reads or writes what is next to a blob, where the judge sees no difference.
OUTSIDE = (
    "(pad_",
    "negative padding",
    "offset)",
    "cannot cut",
    "cannot reflect",
    "cannot compute the sizes",
    "(top)",
    "(bottom)",
    "(left)",
    "(right)",
)
BY_DATA = {
    "DetectionOutput",
    "Proposal",
    "YoloDetectionOutput",
    "Yolov3DetectionOutput",
}  # without boxes, extract fails


class Case(NamedTuple):
    type: str
    change: str
    text: str


class Judged(NamedTuple):
    case: Case
    stage: str | None  # of the runtime's refusal
    said: str
    errors: list[str]


def bases(ncnn: Ncnn, folder: Path, types: set[str]) -> Iterator[list[Layer]]:
    """Networks of one layer on constants."""
    rng, seen = random.Random(7), dict[tuple[str, int], set[str]]()
    for shape in SHAPES * 3:
        makers = [(None, make) for ranks, make in [*ONE, *QUANTIZED, *MORE] if len(shape) in ranks]
        for join, make in [*makers, *((join, None) for join in dict.fromkeys(JOINS) for _ in range(2))]:
            net = Growing(rng, folder / "base.param")
            blob = net.memory(shape)
            if make is not None:
                made = make(rng, shape)
                if made is None:
                    continue
                net.add(made.type, [blob], made.parameters, made.outputs)
            else:
                assert join is not None
                if not join(net, blob, shape):
                    continue
            last = net.layers[-1]
            found = seen.setdefault((last.type, len(shape)), set())
            if (types and last.type not in types) or len(found) >= PER_RANK or last.parameters in found:
                continue
            if net.asked(ncnn)["stage"] is None:
                found.add(last.parameters)
                yield net.layers


def text_of(layers: list[Layer]) -> str:
    blobs = sum(len(layer.outputs) for layer in layers)
    return f"7767517\n{len(layers)} {blobs}\n" + "".join(f"{layer.line()}\n" for layer in layers)


def values(attribute: Attribute, old: str | None) -> Iterator[str]:
    key = attribute.name
    if attribute.kind in ("ints", "floats"):
        for items in ARRAYS:
            yield f"-{23300 + int(key)}={len(items)}," + ",".join(
                f"{item}.0" if attribute.kind == "floats" else item for item in items
            )
        return
    if attribute.kind == "string":
        yield from (
            f'{key}="{text}"'
            for text in ("0w", "1w", "0w,0h", "0w,*(0h", "0w,0h,0c", "0", "-1", "2,-1", "x", "/(0w,0)")
        )
        yield f'{key}="0w'
        return
    yield from (f"{key}={number}" for number in (FLOATS if attribute.kind == "float" else NUMBERS))
    if attribute.kind == "int" and old and old.lstrip("-").isdigit():
        yield from (f"{key}={int(old) + step}" for step in (-1, 1))
        yield f"{key}={2 * int(old)}"


def cases(layers: list[Layer], share: float, rng: random.Random) -> Iterator[Case]:
    """The changes of a base."""
    last = layers[-1]
    words = last.parameters.split()
    keys = {
        (str(-int(word.split("=")[0]) - 23300) if word.startswith("-233") else word.split("=")[0]): word
        for word in words
    }

    def case(change: str, layer: Layer, others: list[Layer] | None = None) -> Case:
        return Case(last.type, change, text_of([*(layers[:-1] if others is None else others), layer]))

    yield case("base", last)
    for attribute in table("ncnn").get(last.type).attributes.values():  # type: ignore[union-attr]
        old = keys.get(attribute.name)
        kept = [word for word in words if word != old]
        if old:
            yield case(f"without {old}", last._replace(parameters="".join(f" {word}" for word in kept)))
        if attribute.kind == "any":
            continue
        for word in values(attribute, old.partition("=")[2] if old else None):
            if word != old and rng.random() < share:
                yield case(f"{old} -> {word}", last._replace(parameters="".join(f" {w}" for w in (*kept, word))))
    if len(last.inputs) > 1 and last.type != "Concat":
        yield case("inputs swapped", last._replace(inputs=[last.inputs[1], last.inputs[0], *last.inputs[2:]]))
    for k, layer in enumerate(layers[:-1]):
        if layer.type == "MemoryData":
            shape = [int(word.partition("=")[2]) for word in layer.parameters.split()]
            for other in shapes(shape):
                parameters = "".join(f" {key}={n}" for key, n in zip(SIZES[len(other)], other, strict=True))
                if rng.random() < share:
                    changed = layer._replace(parameters=parameters)
                    yield case(f"{layer.name} {shape} -> {other}", last, [*layers[:k], changed, *layers[k + 1 : -1]])


def shapes(shape: Shape) -> Iterator[Shape]:
    for k in range(len(shape)):
        yield from ([*shape[:k], n, *shape[k + 1 :]] for n in (1, shape[k] - 1, shape[k] + 1) if 0 < n != shape[k])
    if len(shape) > 1:
        yield from (shape[1:], shape[:-1], shape[::-1])
    if len(shape) < 4:
        yield from ([1, *shape], [*shape, 1], [2, *shape])


class Judges(NamedTuple):
    plain: Ncnn
    filled: tuple[Ncnn, Ncnn]  # with memory of their own


def judges(stack: ExitStack) -> Judges:
    tunables = (f"glibc.malloc.perturb={byte}:glibc.malloc.tcache_count=0" for byte in (85, 170))
    one, other = (stack.enter_context(Ncnn(GLIBC_TUNABLES=text)) for text in tunables)
    return Judges(stack.enter_context(Ncnn()), (one, other))


def verdict(asked: Judges, path: Path, is_wrong: bool) -> dict[str, Any]:
    """What the runtime says of a file; of one that irlint calls wrong, also with random weights."""
    said = asked.plain(param=path, patience=5)
    if said["stage"] is not None or not is_wrong:
        return said
    weights = path.with_suffix(".bin")
    asked.plain(param=path, weights=weights)
    one, other = (ncnn(param=path, bin=weights, patience=5) for ncnn in asked.filled)
    weights.unlink()
    if one["stage"] or other["stage"]:
        return one if one["stage"] else other
    return said if one["digests"] == other["digests"] else {"stage": "memory", "message": ""}


def judge(asked: Judges, folder: Path, case: Case) -> Judged:
    path = folder / "case.param"
    path.write_text(case.text, encoding="utf-8")
    found = engine.lint_bytes(path.read_bytes(), path.name).findings
    errors = [f"{finding.code} {finding.message}" for finding in found if finding.severity == Severity.ERROR]
    said = verdict(asked, path, any(map(_is_disproved, errors)))
    if said.get("signal") == "timeout" or (case.type in BY_DATA and said["stage"] == "extract" and not said["signal"]):
        said = {"stage": None}
    why = f"{said.get('signal', '')} {said['message'].strip()[-100:]}" if said["stage"] else ""
    return Judged(case, said["stage"], why, errors)


def swept(
    asked: Judges, folder: Path, share: float = 1, types: set[str] | None = None, seed: int = 1
) -> Iterator[Judged]:
    rng = random.Random(seed)
    for layers in list(bases(asked.plain, folder, types or set())):
        for case in cases(layers, share, rng):
            yield judge(asked, folder, case)


def is_false(row: Judged) -> bool:
    return row.stage is None and row.case.type not in BY_DATA and any(map(_is_disproved, row.errors))


def _is_disproved(error: str) -> bool:
    return error[:4] not in TRUE and not any(text in error for text in OUTSIDE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--types", default="")
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    total = refused = missed = false = 0
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        for row in swept(judges(stack), Path(folder), args.share, set(filter(None, args.types.split(","))), args.seed):
            total += 1
            refused += row.stage is not None
            line = row.case.text.splitlines()
            if row.stage is not None and not row.errors:
                missed += 1
                print(
                    f"MISSED {row.case.type}: {row.case.change} | {' ; '.join(' '.join(x.split()) for x in line[2:])} | {row.stage} {row.said!r}"
                )
            elif is_false(row):
                false += 1
                print(
                    f"FALSE {row.case.type}: {row.case.change} | {' ; '.join(' '.join(x.split()) for x in line[2:])} | {row.errors}"
                )
    print(
        f"{total} cases, {refused} refused, {missed} missed: recall {100 * (1 - missed / max(refused, 1)):.2f} %; {false} false errors"
    )


if __name__ == "__main__":
    main()
