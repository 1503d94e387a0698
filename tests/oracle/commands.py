"""A table command x file of what irlint's commands make of models with a mistake: python -m oracle.commands WORK BASE... [--count 45] [--seed 43] [--as-is].

For the oracle's Python, with irlint and tests/ in PYTHONPATH. The mistakes in .onnx files are those of onnx_mutants.py, one kind a file, and onnxruntime says
whether it loads and runs them; those in .xml and .param files are those of commands_text.py, and OpenVINO and ncnn (IRLINT_NCNN_PYTHON) say whether they load.

    .  worked               n  worked, with a note on stderr
    r  refused, and the last line ends with a command that was then tried: the refused command works after it, or it only shows the finding
    R  refused, and no such line, or the command does not help         X  refused although onnxruntime loads (or, for a run, runs) the file
    C  exit status 3, an internal error or a signal                    T  more than PATIENCE seconds        -  does not fit this file
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

PATIENCE = 60
COMMANDS = {
    "check": ("{f}",), "summary": ("{f}",), "weights": ("{f}",), "diff": ("{f}", "{o}"), "flatten": ("{f}",), "ngrams": ("{f}",),
    "ngrams 2": ("{f}", "{o}"), "graph": ("{f}", "-o", "{t}.html"), "graph 2": ("{o}", "{f}", "-o", "{t}.html"), "show": ("{f}",), "show json": ("{f}", "--json"),
    "run shapes": ("{f}", "--shapes-only"), "run": ("{f}", "--events", "{t}.jsonl"), "compare": ("{t}.jsonl", "{t}.jsonl"), "schema": ("--validate", "{f}"),
    "prove": ("{f}", "{f}"), "breaking": ("{f}", "{f}"),
}  # fmt: skip
RUNS = ("run", "run shapes", "prove")
_NAMED = re.compile(r"`?irlint ((?:--fix (?:--unsafe-fixes )?)?)(?=\S)((?:'[^']*'|[^`' ])+)`?$")


class Case(NamedTuple):
    path: Path
    original: Path
    what: str
    loads: bool
    runs: bool
    feeds: Path | None


class Ended(NamedTuple):
    status: int  # negative: a signal
    said: str
    printed: int


def irlint(arguments: list[str]) -> Ended:
    """Run a command in a process of its own, which has imported irlint already."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            signal.alarm(PATIENCE)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            from irlint.cli.dispatch import guarded

            status = 70
            try:
                status = guarded(arguments)
            finally:
                os._exit(status)
        raw = os.waitpid(child, 0)[1]
        err.seek(0)
        return Ended(os.waitstatus_to_exitcode(raw), err.read().decode("utf-8", "replace"), out.seek(0, 2))


def arguments(command: str, case: Case, path: Path) -> list[str]:
    words = {"f": path, "o": case.original, "t": path.with_suffix("")}
    found = [command.split()[0], *(word.format(**words) for word in COMMANDS[command])]
    return [*found, "--input", str(case.feeds)] if case.feeds is not None and command in RUNS else found


def tried(command: str, case: Case) -> tuple[str, str]:
    """Return the letter of a command with a file, and what it said."""
    if command == "compare" and not case.path.with_suffix(".jsonl").exists():
        return "-", ""
    ended = irlint(arguments(command, case, case.path))
    if ended.status == -signal.SIGALRM:
        return "T", ended.said
    if ended.status < 0 or ended.status in (3, 70) or "internal error" in ended.said:
        return "C", ended.said
    lines = ended.said.strip().splitlines()
    if ended.status == 4 or (
        command in RUNS and ended.status == 2
    ):  # no kernel, or inputs that have no size or not that of the feeds
        return "-", ended.said
    if ended.status == 2 and command == "schema" and ("has no schema" in ended.said or "not installed" in ended.said):
        return "-", ended.said
    if ended.status == 0 or ended.printed or command == "check":
        return ("n" if any("irlint: " in line for line in lines) else "."), ended.said
    if case.runs if command in RUNS else case.loads:
        return "X", ended.said
    named = _NAMED.search(lines[-1]) if lines else None
    if named is None or Path(shlex.split(named[2])[0]) != case.path:
        return "R", ended.said
    return ("r" if not named[1] or _helps(named[1].split(), command, case) else "R"), ended.said


def _helps(options: list[str], command: str, case: Case) -> bool:
    """Return whether the command works with a copy of the model after a repair."""
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(shutil.copytree(case.path.parent, Path(folder) / "m")) / case.path.name
        irlint(["check", *options, str(copied)])
        ended = irlint(arguments(command, case, copied))
    return ended.status in (0, 4) or ended.printed > 0 or (command in RUNS and ended.status == 2)


def unchanged(work: Path, bases: list[Path]) -> Iterator[Case]:
    """Copy each model, with the files next to it."""
    for number, base in enumerate(bases):
        path = work / f"{number:03}" / base.name
        path.parent.mkdir(parents=True)
        for each in {base, *base.parent.glob(f"{base.stem}.*")}:
            shutil.copy(each, path.parent)
        feeds = base.with_suffix(".npz") if base.with_suffix(".npz").exists() else None
        yield Case(path, base, "", *_judged(path, feeds), feeds)


def planted(work: Path, bases: list[Path], count: int, seed: int) -> Iterator[Case]:
    """Put one mistake into a copy of each base in turn, each of another kind."""
    rng = random.Random(seed)
    onnx = bases[0].suffix == ".onnx"
    if onnx:
        from oracle.onnx_mutants import FAMILIES, mutant
    else:
        from oracle.commands_text import FAMILIES, mutant
    kinds, number = list(FAMILIES if onnx else FAMILIES[bases[0].suffix]), 0
    rng.shuffle(kinds)
    for kind in kinds:
        for base in rng.sample(bases, len(bases)):
            try:
                made: Any = mutant(kind, base, rng)
            except (UnicodeEncodeError, ValueError):
                continue
            if made:
                break
        else:
            continue
        data, what, sides = made
        path = work / f"{number:03}" / f"model{base.suffix}"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        for side in sides:
            if side.data is not None:
                path.with_name(side.name).write_bytes(side.data)
        feeds = base.with_suffix(".npz") if base.with_suffix(".npz").exists() else None
        loads, runs = _judged(path, feeds)
        yield Case(path, base, f"{kind}: {getattr(what, 'what', what)}", loads, runs, feeds)
        number += 1
        if number == count:
            return


def _judged(path: Path, feeds: Path | None) -> tuple[bool, bool]:
    if path.suffix != ".onnx":
        from oracle.commands_text import judged

        return judged(path)
    from oracle.onnx_judge import ask

    said = ask("ort", path.resolve(), feeds)
    return said["stage"] in (None, "run"), said["stage"] is None


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=Path)
    parser.add_argument("bases", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=45)
    parser.add_argument("--seed", type=int, default=43)
    parser.add_argument("--as-is", action="store_true", help="the models themselves, without a mistake")
    args = parser.parse_args()
    work = args.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    total: Counter[tuple[str, str]] = Counter()
    words = []
    print(f"{'file':4} ort  {' '.join(COMMANDS)}")
    bases = [base.resolve() for base in args.bases]
    for case in unchanged(work, bases) if args.as_is else planted(work, bases, args.count, args.seed):
        row = []
        for command in COMMANDS:
            letter, said = tried(command, case)
            row.append(letter.center(len(command)))
            total[command, letter] += 1
            if letter in "RXCTr":
                words.append(f"== {case.path.parent.name} {letter} {command}\n{said.rstrip()[-1500:]}")
        verdict = "runs" if case.runs else "load" if case.loads else "no"
        print(
            f"{case.path.parent.name:4} {verdict:4} {' '.join(row)}  {case.original.stem} {case.what[:70]}", flush=True
        )
    print()
    for letter in ".nrRXCT-":
        print(f"{letter:4}      {' '.join(f'{total[command, letter]:>{len(command)}}' for command in COMMANDS)}")
    (work / "said.txt").write_text("\n".join(words) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
