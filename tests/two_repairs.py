"""Defects with two right repairs: python tests/two_repairs.py [--count 200] [--seed 1] tells of fixes that claim to know which is meant.

Two sound models that differ in one token (or in two that are exchanged) have a broken model between them: the one in which that
token is gone, or says the same as the other. Nobody can know which of the two it was.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from oracle.sources import FORMATS, Source, sources

from irlint import engine, offers
from irlint.findings import Finding, Severity
from irlint.repairs import strict
from irlint.settings import Settings

SETTINGS = Settings()
STRICT = strict(SETTINGS)
LARGEST = 30_000
TURNS = 6  # of generated models
# Errors whose repairs say the same whichever was meant, by what their messages begin with: a missing Split, whose outputs are copies; names
# of nodes and graphs; versions whose operators mean the same for all nodes
SAME = {"R501": "", "G003": "duplicate node name", "T002": "the graph has no name", "T006": "unknown opset"}
OF_ONE = 5  # defects of each way to make them in one model

WORDS = {
    "numpy": "none", "explicit": "same_upper", "same_upper": "same_lower", "valid": "same_upper", "floor": "ceil", "true": "false",
    "max": "min", "half_pixel": "asymmetric", "Relu": "Tanh", "Sigmoid": "Exp", "Add": "Subtract", "Multiply": "Maximum",
    "ReduceSum": "ReduceMax", "relu": "tanh", "avg": "max", "True": "False", "NOTSET": "VALID",
}  # fmt: skip


class Token(NamedTuple):
    kind: str
    start: int
    end: int


class Defect(NamedTuple):
    path: Path
    text: str
    told: str


_WORDS = (r'(?:(\w+)"? ?[:=] ?"?)?([\w./-]+)',)  # words and numbers, each with its key if it has one
_PATTERNS = {
    "openvino": (r' ([\w-]+)="([^"]*)"',),
    "nnvm": (r'"(\w+)": *"([^"]*)"', r"()\[(\d+), \d+(?:, \d+)?\]"),
    "lightnet": (r'"(\w+)": *"([^"]*)"', r'"(value)": *(-?\d+)\b', r'"(dims|value)": *\[(\d+)'),
}
# an offset's gap, what ports repeat, what says nothing of a model
_SKIPPED = {
    "openvino": {
        "offset", "size", "shape", "element_type", "names", "version", "precision", "id", "from-port", "name",
    },
    "onnx": {"ir_version", "irVersion"},
}  # fmt: skip


def tokens(format_: str, text: str) -> list[Token]:
    """The words and numbers of a model that may be wrong."""
    found = [(m[1] or "", m.start(2), m.end(2)) for p in _PATTERNS.get(format_, _WORDS) for m in re.finditer(p, text)]
    skipped = _SKIPPED.get(format_, set())
    return [Token(*token) for token in found if token[0] not in skipped]


def others(token: Token, text: str, same: list[str]) -> list[str]:
    """What a token might say as well."""
    old = text[token.start : token.end]
    near = [WORDS[old]] if old in WORDS else []
    if re.fullmatch(r"-?\d+", old):
        near += [str(int(old) + step) for step in (1, -1, 2) if int(old) + step >= 0]
    elif re.fullmatch(r"-?\d+\.\d+", old):
        near.append(str(float(old) * 2))
    elif re.search(r"\d", old) and "," in old:
        near += [re.sub(r"\d+", lambda m: str(int(m[0]) + 1), old, count=1)]
    return near + [word for word in same if word != old][:4]


def found(text: str, path: Path, settings: Settings = SETTINGS) -> engine.Result:
    return engine.lint(text, path.name, settings, path=path)


def _is_sound(text: str, path: Path, known: list[Finding]) -> bool:
    after = found(text, path, STRICT).findings
    said = {(f.code, f.message) for f in known}
    return all((f.code, f.message) in said for f in after)


def defects(format_: str, seed: int, folder: Path) -> Iterator[Defect]:
    """Broken models without end but that of the sources."""
    rng = random.Random(f"{seed} {format_}")
    models = [model for turn in range(TURNS) for model in _shuffled(sources(format_, seed + turn), rng)]
    for k, model in enumerate(models):
        path = folder / f"{format_}{k}{model.suffix}"
        path.write_text(model.text, encoding="utf-8", errors="surrogateescape")
        if model.weights is not None:
            path.with_suffix(".bin").write_bytes(model.weights)
        known = found(model.text, path, STRICT).findings
        if len(model.text) <= LARGEST and all(f.severity < Severity.ERROR for f in known):
            yield from _lost(format_, model.text, path, known, rng)
            yield from _doubled(format_, model.text, path, known, rng)


def _shuffled(models: list[Source], rng: random.Random) -> list[Source]:
    return rng.sample(models, len(models))


def _lost(format_: str, text: str, path: Path, known: list[Finding], rng: random.Random) -> Iterator[Defect]:
    """One token that says nothing, where two words would be right."""
    listed, made = tokens(format_, text), 0
    rng.shuffle(listed)
    for token in listed[:40]:
        kind, start, end = token
        old = text[start:end]
        same = [w for w in dict.fromkeys(text[t.start : t.end] for t in listed if t.kind == kind) if _are_alike(w, old)]
        right = next(
            (w for w in others(token, text, same) if _is_sound(text[:start] + w + text[end:], path, known)), None
        )
        if right is None:
            continue
        wrong = (
            rng.choice(("9999", "77"))
            if re.fullmatch(r"\d+", old) and text[start - 1] != '"'
            else rng.choice(("zork", ""))
        )
        yield Defect(path, text[:start] + wrong + text[end:], f"{kind}: {old} or {right} -> {wrong!r}")
        made += 1
        if made == OF_ONE:
            return


def _are_alike(word: str, other: str) -> bool:
    """Whether both are numbers, or neither is."""
    return word.lstrip("-")[:1].isdigit() == other.lstrip("-")[:1].isdigit()


def _doubled(format_: str, text: str, path: Path, known: list[Finding], rng: random.Random) -> Iterator[Defect]:
    """Two tokens that may be exchanged, and say the same now."""
    listed, made = tokens(format_, text), 0
    pairs = [(a, b) for k, a in enumerate(listed) for b in listed[k + 1 :] if a.kind == b.kind]
    rng.shuffle(pairs)
    for a, b in pairs[:30]:
        first, second = text[a.start : a.end], text[b.start : b.end]

        def put(one: str, two: str, a: Token = a, b: Token = b) -> str:
            return text[: a.start] + one + text[a.end : b.start] + two + text[b.end :]

        if a.end < b.start and first != second and _is_sound(put(second, first), path, known):
            for word in (first, second):
                yield Defect(path, put(word, word), f"{a.kind}: {first} and {second} -> {word!r} twice")
            made += 1
            if made == OF_ONE:
                return


def claims(defect: Defect) -> list[str] | None:
    """The repairs of errors that claim to know what was meant; None if there is no error."""
    result = found(defect.text, defect.path)
    if all(f.severity < Severity.ERROR for f in result.findings):
        return None
    offers.confirm(result)
    errors = [f for f in result.findings if f.severity == Severity.ERROR and f.fix and not _is_same(f)]
    return [
        f"{f.fix.safety}: {f.code} {f.message} -> {f.fix.title}" for f in errors if f.fix and f.fix.safety != "unsafe"
    ]


def _is_same(finding: Finding) -> bool:
    return finding.code in SAME and finding.message.startswith(SAME[finding.code])


def claimed(format_: str, count: int, seed: int, folder: Path) -> tuple[int, list[str]]:
    """How many defects were tried, and the repairs that claim too much."""
    tried, told = 0, []
    for defect in defects(format_, seed, folder):
        said = claims(defect)
        tried += said is not None
        told += [f"{defect.path.name} {defect.told}: {claim}" for claim in said or ()]
        if tried >= count:
            break
    return tried, told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for format_ in FORMATS:
        with tempfile.TemporaryDirectory() as folder:
            tried, told = claimed(format_, args.count, args.seed, Path(folder))
        print(f"{format_}: {tried} defects, {len(told)} claims", *told, sep="\n  ")


if __name__ == "__main__":
    main()
