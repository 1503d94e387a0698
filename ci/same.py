"""Compare the findings of two states of the tree: python ci/same.py REVISION [--only FORMAT] [--every N] [--show N].

The models are the corpus, and MUTANTS of each format: half of them are models of tests/messages.py, half are examples with changed tokens.
Compared are code, place, severity, node and the edits of fixes; not words. What the revision finds is kept in build/same for the next
comparison, or in the folder IRLINT_SAME, which several checkouts can share.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("IRLINT_SAME") or ROOT / "build" / "same")
MUTANTS = 2_200  # of a format
LARGEST = 60_000  # bytes of a file that mutants are made of
WORKERS = os.cpu_count() or 1
SIDES = (".bin", ".params")

Case = dict[str, Any]


class Input(NamedTuple):
    """A model to lint: the bytes of it and of the file next to it, or the path of one that stays where it is."""

    name: str
    data: bytes = b""
    side: tuple[str, bytes] | None = None
    format: str | None = None
    targets: tuple[tuple[str, str], ...] = ()
    path: Path | None = None


def inputs(only: list[str]) -> Iterator[Input]:
    """Yield the models of all formats, or of some and without the corpus."""
    from irlint.formats.base import all_formats

    if not only:
        yield from _of_the_corpus()
    made = defaultdict(list)
    for one in _of_messages():
        made[(one.format or "").partition(":")[0]].append(one)
    for name in only or all_formats():
        known = made[name]
        chosen = random.Random(name).sample(known, min(len(known), MUTANTS // 2))
        yield from chosen
        yield from _mutants(name, MUTANTS - len(chosen))


def _of_the_corpus() -> Iterator[Input]:
    folder = Path(os.environ.get("IRLINT_CORPUS") or ROOT.parent / "shared" / "corpus")
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file() and path.suffix not in SIDES:
            yield Input(path.name, path=path)


def _of_messages() -> Iterator[Input]:
    import messages

    suffixes = {"openvino": ".xml", "glacier": ".txt", "ncnn": ".param", "pnnx": ".pnnx.param", "onnx": ".onnxtxt"}
    for source in messages.sources():
        name = f"model{suffixes.get((source.format or '').partition(':')[0], '.json')}"
        side = None if source.weights is None else (f"{name.partition('.')[0]}.bin", source.weights)
        yield Input(name, source.text.encode("utf-8", "surrogateescape"), side, source.format, source.targets)


def _mutants(name: str, count: int) -> Iterator[Input]:
    from fuzz.mutate import mutate

    bases = [path for path in sorted((ROOT / "examples" / name).rglob("*")) if _is_base(path)]
    choose = random.Random(name)
    others = [path.read_bytes() for path in bases]
    for number in range(count):
        path = bases[number % len(bases)]
        weights = path.with_name(f"{path.name.partition('.')[0]}.bin")
        side = (weights.name, weights.read_bytes()) if weights.is_file() else None
        yield Input(path.name, mutate(path.read_bytes(), choose, others), side)


def _is_base(path: Path) -> bool:
    return (
        path.is_file()
        and path.suffix not in (*SIDES, ".md", ".yaml", ".npz", ".data")
        and path.stat().st_size <= LARGEST
    )


def _written(only: list[str], every: int) -> list[Case]:
    """Write the models into build/same/models, each with others of its content only once; return where they are."""
    folder, found, seen = BUILD / "models", [], set()
    for one in [*inputs(only)][::every]:
        settings = {"format": one.format, "targets": one.targets}
        path = one.path  # made of all that matters, so that it names a case
        if path is None:
            key = sha256(repr((one.name, one.data, one.side, settings)).encode()).hexdigest()
            path = folder / key[:2] / key / one.name
            if key in seen:
                continue
            seen.add(key)
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                if one.side is not None:
                    path.with_name(one.side[0]).write_bytes(one.side[1])
                path.write_bytes(one.data)
        found.append({"path": str(path), **settings})
    return found


def _found(tree: Path, cases: list[Case], out: Path) -> dict[str, Any]:
    """Return what the irlint of a tree finds in each model."""
    index = out.with_suffix(".index")
    index.write_text(json.dumps(cases), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tree), str(tree / "lsp"))), "PYTHONHASHSEED": "0"}
    script = ROOT / "ci" / "same_findings.py"
    running = [
        subprocess.Popen([sys.executable, script, index, f"{out}.{k}", str(k), str(WORKERS)], env=environment)
        for k in range(WORKERS)
    ]
    if any([process.wait() for process in running]):  # noqa: C419  # all of them
        raise SystemExit(f"irlint of {tree} failed")
    parts = [Path(f"{out}.{k}") for k in range(WORKERS)]
    lines = [line for part in parts for line in part.read_text(encoding="utf-8").splitlines()]
    for part in parts:
        part.unlink()
    index.unlink()
    found = dict(map(json.loads, lines))
    out.write_text(json.dumps(found), encoding="utf-8")
    return found


def _kept(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _found_at(revision: str, cases: list[Case]) -> dict[str, Any]:
    """Return what irlint found at a revision, which is asked only for models that it has not seen."""
    name = subprocess.check_output(["git", "rev-parse", f"{revision}^{{commit}}"], cwd=ROOT, text=True).strip()
    tree, out = BUILD / name[:12], BUILD / f"{name[:12]}.json"
    known = _kept(out)
    new = [case for case in cases if case["path"] not in known]
    if new and not tree.exists():
        tree.mkdir(parents=True)
        archive = subprocess.Popen(["git", "archive", name], cwd=ROOT, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", str(tree)], stdin=archive.stdout, check=True)
    if new:
        own = BUILD / f"{name[:12]}-{os.getpid()}.json"
        found = _found(tree, new, own)
        known = _kept(out) | found  # another comparison may have added to it
        own.write_text(json.dumps(known), encoding="utf-8")
        own.replace(out)
    return {case["path"]: known[case["path"]] for case in cases}


def _difference(old: Any, new: Any) -> list[str]:
    """Return the kinds of difference between what two states find in one model."""
    if isinstance(old, str) or isinstance(new, str):
        return (
            []
            if old == new
            else [f"{old if isinstance(old, str) else 'findings'} -> {new if isinstance(new, str) else 'findings'}"]
        )
    kinds = []
    before, after = (Counter(json.dumps(finding[:-1]) for finding in found) for found in (old, new))
    kinds += [f"- {json.loads(finding)[0]} {json.loads(finding)[2]}" for finding in (before - after).elements()]
    kinds += [f"+ {json.loads(finding)[0]} {json.loads(finding)[2]}" for finding in (after - before).elements()]
    if not kinds and old != new:
        kinds += [
            f"fix {a[0]}: {_grade(a)} -> {_grade(b)}"
            for a, b in zip(sorted(old, key=repr), sorted(new, key=repr), strict=True)
            if a != b
        ]
    return kinds


def _grade(finding: list[Any]) -> str:
    return finding[-1][0] if finding[-1] else "none"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision")
    parser.add_argument("--only", action="append", default=[], metavar="FORMAT", help="a format; without the corpus")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth model (default: 1)")
    parser.add_argument(
        "--show", type=int, default=3, metavar="N", help="name N models of each kind of difference (default: 3)"
    )
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    BUILD.mkdir(parents=True, exist_ok=True)
    cases = _written(args.only, args.every)
    old = _found_at(args.revision, cases)
    new = _found(ROOT, cases, BUILD / f"now-{os.getpid()}.json")
    (BUILD / f"now-{os.getpid()}.json").unlink()
    kinds = defaultdict(list)
    for path, found in new.items():
        for kind in set(_difference(old[path], found)):
            kinds[kind].append(path)
    for kind, paths in sorted(kinds.items(), key=lambda pair: -len(pair[1])):
        print(f"{len(paths):6}  {kind}")
        for path in paths[: args.show]:
            print(f"          {path}")
    different = {path for paths in kinds.values() for path in paths}
    print(f"{len(cases)} models, {len(cases) - len(different)} the same, {len(different)} different")
    return bool(different)


if __name__ == "__main__":
    raise SystemExit(main())
