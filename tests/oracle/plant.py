"""Plant defects: python tests/oracle/plant.py FOLDER [--formats openvino,nnvm] [--count 2000] [--seed 7] writes a folder of cases."""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import os
import random
import sys
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from formats.lightnet import mutants as lightnet_mutants
from formats.nnvm import tvm_models
from formats.nnvm.changes import CHANGES, TEXT_CHANGES, Skip
from formats.nnvm.mutants import mutants as symbol_mutants
from formats.nnvm.writer import render
from formats.openvino import blind
from formats.openvino import mutate as known

from oracle import json_defects, legal_ir, legal_symbol, ncnn_mutants, repair_ir, repair_symbol, text_defects
from oracle.cases import Case, store
from oracle.json_defects import Change
from oracle.sources import FORMATS, ROOT, Source, sources

BROKEN = {
    "mistakes",
    "mistakes-symbol",
    "broken",
    "misspelt",
    "commas",
    "race",
}  # examples that hold more than one defect already
ATTEMPTS = 30  # sources tried for a defect that few have room for
Planter = Callable[[Source, random.Random], "Case | None"]


def corpus() -> list[Path]:
    """The folders of real files, where there are any."""
    folder = Path(os.environ.get("IRLINT_CORPUS") or ROOT.parent / "shared" / "corpus")
    return sorted(path for path in folder.glob("*") if path.is_dir())


def plant(
    format_: str,
    count: int,
    seed: int,
    folders: Sequence[Path] = (),
    only: Container[str] | None = None,
    kinds: Sequence[str] = (),
) -> Iterator[Case]:
    """Every source as it is, then as many mutants of them. "mxnet": the symbols of "nnvm" that MXNet is a judge of.

    `folders` hold more models than the examples and what is generated; `only` are the names of those that are wanted, `kinds` the kinds
    of defects, if not all.
    """
    if format_ == "mxnet":
        found = [s for s in sources("nnvm", seed, folders) if not s.is_tvm and not _is_foreign(s)]
    else:
        found = sources(format_, seed, folders)
    found = [source for source in found if only is None or source.name in only]
    for source in found:
        yield _case(source, "", "", source.text, source.weights, 0)
    yield from itertools.islice(_mutants("nnvm" if format_ == "mxnet" else format_, found, seed, kinds), count)


def _mutants(format_: str, found: list[Source], seed: int, kinds: Sequence[str]) -> Iterator[Case]:
    """Mutants without end: of each kind of defects, of each way to make them, and of each folder or generator as often."""
    groups: dict[str, list[Source]] = {}
    for source in found:
        if Path(source.name).stem not in BROKEN and not (source.weights is None and 'offset="' in source.text):
            groups.setdefault(source.name.partition("/")[0], []).append(source)
    planters = [ways for kind, ways in PLANTERS.get(format_, (("word", _WORDS),)) if not kinds or kind in kinds]
    for number in itertools.count():
        rng = random.Random(f"{format_} {seed} {number}")
        planter = rng.choice(rng.choice(planters))
        for _ in range(ATTEMPTS):
            source = rng.choice(groups[rng.choice(sorted(groups))])
            case = planter(source, rng)
            if case is not None and (case.text, case.weights) != (source.text, source.weights):
                yield case
                break


def _case(s: Source, family: str, change: str, text: str, weights: bytes | None, line: int) -> Case:
    return Case(s.format, family, change, s.name, s.suffix, text, weights, line)


def _changed(source: Source, family: str, change: Change | None) -> Case | None:
    if change is None:
        return None
    text = source.text[: change.start] + change.new + source.text[change.end :]
    line = source.text.count("\n", 0, change.start) + 1
    what = f"{change.what}: {source.text[change.start : change.end][:60]!r} -> {change.new[:60]!r}"
    return _case(source, family, what, text, source.weights, line)


# OpenVINO


def _ir_known(source: Source, rng: random.Random) -> Case | None:
    make = rng.choice(known.KINDS)
    try:
        made = list(make(known.Source(source.text, source.weights), rng))
    except (ValueError, IndexError):  # a file that its regular expressions do not fit
        return None
    if not made:
        return None
    mutant = rng.choice(made)
    return _case(source, f"known {make.__name__}", mutant.kind, mutant.text, mutant.weights, mutant.line)


def _ir_blind(source: Source, rng: random.Random) -> Case | None:
    way = rng.choice(blind.WAYS)
    try:
        mutant = next(way(source.text, rng), None)
    except (ValueError, IndexError):
        return None
    return mutant and _case(
        source, f"blind {way.__name__.strip('_')}", mutant.kind, mutant.text, source.weights, mutant.line
    )


def _ir_way(family: str, way: legal_ir.Way, source: Source, rng: random.Random) -> Case | None:
    made = way(source.text, source.weights, rng)
    if made is None:
        return None
    line = 0 if made.at < 0 else source.text.count("\n", 0, made.at) + 1
    return _case(source, family, made.what, made.text, made.weights, line)


def _text_defect(way: text_defects.Way, source: Source, rng: random.Random) -> Case | None:
    return _changed(source, f"text {way.__name__}", way(source.text, rng))


# NNVM


@cache
def _parsed(text: str) -> Any:
    try:
        graph = json.loads(text)
        return graph if isinstance(graph["nodes"], list) and graph["heads"] else None
    except (ValueError, KeyError, TypeError):
        return None


def _graph(source: Source) -> Any:
    """The graph that planters may change, if the file is one that they understand."""
    return copy.deepcopy(source.graph if source.graph is not None else _parsed(source.text))


def _is_foreign(source: Source) -> bool:
    """Whether MXNet is no judge of a graph."""
    return source.name.startswith("classic/") or '"tvm_op"' in source.text


def _is_tvm(source: Source, graph: Any) -> bool:
    return source.is_tvm or any(node.get("op") == "tvm_op" for node in graph["nodes"])


def _symbol_known(source: Source, rng: random.Random) -> Case | None:
    graph = _graph(source)
    if graph is None:
        return None
    changes = CHANGES
    if _is_tvm(source, graph):
        changes = {**CHANGES, **tvm_models.TVM_CHANGES}
    kind = rng.choice([*sorted(changes), *sorted(TEXT_CHANGES)])
    if _is_tvm(source, graph) and rng.random() < 0.5:
        kind = rng.choice(sorted(tvm_models.TVM_CHANGES))
    try:
        mutant = next(symbol_mutants(graph, rng, [kind], changes), None)
    except (
        Skip,
        IndexError,
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
    ):  # a graph that the planter was not made for
        return None
    return mutant and _case(source, f"known {kind}", kind, mutant.text, None, mutant.line)


def _symbol_way(family: str, way: legal_symbol.Way, source: Source, rng: random.Random) -> Case | None:
    graph = _graph(source)
    try:
        if graph is None or not way(rng, graph):
            return None
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None
    before, text = render(_graph(source)), render(graph)
    lines = list(zip(before.split("\n"), text.split("\n"), strict=False))
    at = next((k for k, (a, b) in enumerate(lines) if a != b), -1)
    if at < 0:
        return None
    change = f"{lines[at][0].strip()[:80]} -> {lines[at][1].strip()[:80]}"
    return _case(source, family, change, text, None, at + 1)


def _json_blind(source: Source, rng: random.Random) -> Case | None:
    way = rng.choice(json_defects.WAYS)
    return _changed(source, f"blind {way.__name__}", way(source.text, _parts(source.text), rng))


def _json_sign(family: str, way: json_defects.Way, source: Source, rng: random.Random) -> Case | None:
    return _changed(source, family, way(source.text, _parts(source.text), rng))


@cache
def _parts(text: str) -> list[json_defects.Part]:
    return json_defects.parts(text)


# LightNet


def _lightnet_known(source: Source, rng: random.Random) -> Case | None:
    mutant = lightnet_mutants.plant(rng.randrange(1 << 30))
    if mutant is None:
        return None
    base = source._replace(name=f"own/{mutant.change.partition(' ')[0]}", suffix=".json")
    return _case(base, f"known {mutant.kind}", mutant.change, mutant.text, None, mutant.line)


# ncnn


def _param(family: str, way: ncnn_mutants.Way, source: Source, rng: random.Random) -> Case | None:
    made = way(ncnn_mutants.model(source.text), rng)
    if made is None:
        return None
    line, *lines = made.lines
    return _case(source, family, made.what[:160], made.text, source.weights, line)._replace(lines=tuple(lines))


def _bin(family: str, way: ncnn_mutants.WeightsWay, source: Source, rng: random.Random) -> Case | None:
    if source.weights is None:
        return None
    made = way(source.weights, rng)
    return made and _case(source, family, made[0], source.text, made[1], 0)


# Glacier


def _listing(source: Source, rng: random.Random) -> Case | None:
    way = rng.choice(text_defects.LINES)
    return _changed(source, f"line {way.__name__}", way(source.text, rng))


def _event(source: Source, rng: random.Random) -> Case | None:
    """A defect in one line of events."""
    if source.suffix != ".jsonl":
        return None
    lines = source.text.splitlines(keepends=True)
    k = rng.randrange(len(lines))
    way = rng.choice(json_defects.WAYS)
    change = way(lines[k], json_defects.parts(lines[k]), rng)
    if change is None:
        return None
    before = sum(map(len, lines[:k]))
    moved = change._replace(start=before + change.start, end=before + change.end)
    return _changed(source, f"event {way.__name__}", moved)


_IR_LEGAL = [partial(_ir_way, f"legal {way.__name__}", way) for way in legal_ir.WAYS]
_IR_REPAIR = [partial(_ir_way, f"repair {name}", way) for name, way in repair_ir.WAYS.items()]
_IR_MARKUP = [partial(_text_defect, way) for way in text_defects.MARKUP]
_SYMBOL_LEGAL = [partial(_symbol_way, f"legal {way.__name__}", way) for way in legal_symbol.WAYS]
_SYMBOL_REPAIR = [partial(_symbol_way, f"repair {name}", way) for name, way in repair_symbol.WAYS.items()]
_PARAM = [partial(_param, f"param {way.__name__}", way) for way in ncnn_mutants.WAYS]
_TWO = [partial(_param, "two", ncnn_mutants.two)]
_BIN = [partial(_bin, f"bin {way.__name__}", way) for way in ncnn_mutants.WEIGHTS]
_SIGNS = [partial(_json_sign, f"sign {name}", way) for name, way in json_defects.SIGNS.items()]

_WORDS = [partial(_text_defect, way) for way in (text_defects.word_changed, text_defects.cut_off)]

# Kinds of defects, each as often as it is listed, and the ways to make them
PLANTERS: dict[str, tuple[tuple[str, Sequence[Planter]], ...]] = {
    "openvino": (
        ("known", [_ir_known]), ("blind", [_ir_blind]), ("legal", _IR_LEGAL), ("legal", _IR_LEGAL), ("markup", _IR_MARKUP),
        ("repair", _IR_REPAIR), ("repair", _IR_REPAIR), ("repair", _IR_REPAIR),
    ),
    "nnvm": (
        ("known", [_symbol_known]), ("legal", _SYMBOL_LEGAL), ("legal", _SYMBOL_LEGAL), ("blind", [_json_blind]), ("sign", _SIGNS),
        ("repair", _SYMBOL_REPAIR), ("repair", _SYMBOL_REPAIR), ("repair", _SYMBOL_REPAIR),
    ),
    "ncnn": (*(("param", _PARAM),) * 10, ("two", _TWO), ("bin", _BIN)),
    "lightnet": (("known", [_lightnet_known]), ("known", [_lightnet_known]), ("blind", [_json_blind]), ("sign", _SIGNS)),
    "glacier": (("line", [_listing]), ("event", [_event])),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--count", type=int, default=2000, help="mutants of each format")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--extra", type=Path, nargs="*", default=[], help="folders of more models to plant defects in")
    args = parser.parse_args()
    for format_ in args.formats.split(","):
        cases = store(plant(format_, args.count, args.seed, [*corpus(), *args.extra]), args.folder / format_)
        print(f"{args.folder / format_}: {len(cases)} files")


if __name__ == "__main__":
    main()
