"""What irlint says of good models under --target precision=fp16, next to what a run in that precision computes: python tests/oracle/precision.py FOLDER [--most N].

FOLDER is one that onnx_bases.py has made with the groups language, timm and vision (make oracle-precision). A model counts if it runs in 32 bits without
NaN. Those whose outputs agree with a run that rounds to float16 should have no finding; in copies of transformers, a constant is planted that overflows,
and the finding has to be at that constant. Prints each exception, and the figures.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irlint import cli

RULES = "C010,C011,C012"
PATIENCE = 240  # seconds of one run
LARGEST = 40_000_000  # bytes of a model
GROUPS = ("language", "timm", "vision")
PLANTS = 10


def irlint(*words: str) -> tuple[int, str]:
    """Return the exit status and the output of a command; raise TimeoutError if it takes too long."""
    signal.alarm(PATIENCE)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
            code = cli.main(list(words))
    finally:
        signal.alarm(0)
    return code, out.getvalue()


def late(*_: object) -> None:
    raise TimeoutError


def findings(path: Path) -> list[dict[str, Any]]:
    words = ("--isolated", "--target", "precision=fp16", "--select", RULES, "--output-format", "json")
    return [one for one in json.loads(irlint("check", *words, str(path))[1]) if one["severity"] != "pedantic"]


def agrees(path: Path) -> bool | None:
    """Whether the outputs of a run in float16 agree with those of one in float32; None if the model does not run."""
    feeds = path.with_suffix(".npz")
    given = ("--input", str(feeds)) if feeds.exists() else ()
    try:
        code, text = irlint("run", str(path), "--as", "fp16", "--output-format", "json", *given)
    except TimeoutError:
        return None
    if code not in (0, 1) or not text.startswith("{"):
        return None
    agrees: bool = json.loads(text)["outputs_agree"]
    return agrees


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--plant", metavar="PYTHON", help="a Python with onnx, which plants the constants")
    args = parser.parse_args()
    signal.signal(signal.SIGALRM, late)
    groups = [sorted((args.folder / group).glob("*.onnx"), key=lambda path: path.stat().st_size) for group in GROUPS]
    turns = range(max(map(len, groups), default=0))  # the smallest of each first
    paths = [group[turn] for turn in turns for group in groups if turn < len(group)]
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
        plant(args, groups[0])


def plant(args: argparse.Namespace, paths: list[Path]) -> None:
    made = hit = 0
    for path in paths:
        copy = args.folder / "planted.onnx"
        command = [args.plant, str(Path(__file__).with_name("precision_plant.py")), str(path), str(copy)]
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
