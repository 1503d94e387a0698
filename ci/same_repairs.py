"""Compare the repairs of two states of the tree: python ci/same_repairs.py REVISION [--count N] [--show N] [FORMAT...].

COUNT sound models of each format (examples, samples, generated ones) are broken in one token each, and the repairs of the errors are
recorded: how sure they are, and whether the text is the original's again. Mutants and what the revision finds are kept in build/repairs.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "repairs"
LARGEST = 12_000  # characters of a model: trials of small ones are cheap
OF_ONE = 12  # mutants of one model
_TOKENS = re.compile(r"[A-Za-z_][\w./-]*|-?\d+(?:\.\d+)?")

Row = dict[str, Any]


def mutants(format_: str, count: int) -> Iterator[Row]:
    """Yield broken models with what is right."""
    from oracle.sources import sources

    rng = random.Random(f"repairs {format_}")
    models = [one for one in sources(format_, 1) if len(one.text) <= LARGEST and one.text.isascii()]
    rng.shuffle(models)
    made = 0
    with tempfile.TemporaryDirectory() as folder:
        for turn, model in enumerate(models * 6):
            base = {"format": format_, "suffix": model.suffix, "right": model.text, "weights": _hex(model.weights)}
            if made >= count:
                return
            if _errors(model.text, base, Path(folder)) != 0:
                continue
            for _ in range(3 * OF_ONE // (1 + turn // len(models))):
                broken = _broken(model.text, rng)
                if broken != model.text and 0 < _errors(broken, base, Path(folder)) <= 4:
                    yield {**base, "broken": broken}
                    made += 1
                    if made % OF_ONE == 0 or made >= count:
                        break


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def _broken(text: str, rng: random.Random) -> str:
    """Return a text with one token changed, removed, or exchanged with one like it."""
    tokens = [*_TOKENS.finditer(text)]
    one = rng.choice(tokens)
    old, is_number = one[0], one[0].lstrip("-")[0].isdigit()
    alike = [other for other in tokens if (other[0].lstrip("-")[0].isdigit()) == is_number and other[0] != old]
    kind = rng.choice(("near", "near", "other", "other", "gone", "swap"))
    if kind == "near" and is_number:
        new = str(int(float(old)) + rng.choice((1, -1, 3)))
    elif kind == "near":
        at = rng.randrange(len(old))
        new = rng.choice((old[:at] + old[at + 1 :], old[:at] + old[at] + old[at:], old[:at] + "x" + old[at + 1 :]))
    elif kind == "gone" or not alike:
        new = ""
    else:
        other = rng.choice(alike)
        new = other[0]
        if kind == "swap":
            first, second = sorted((one, other), key=lambda token: token.start())
            between = text[first.end() : second.start()]
            return f"{text[: first.start()]}{second[0]}{between}{first[0]}{text[second.end() :]}"
    return text[: one.start()] + new + text[one.end() :]


def _path(row: Row, folder: Path) -> Path:
    path = folder / f"model{row['suffix']}"
    if row["weights"] is not None:
        path.with_suffix(".bin").write_bytes(bytes.fromhex(row["weights"]))
    else:
        path.with_suffix(".bin").unlink(missing_ok=True)
    return path


def _errors(text: str, row: Row, folder: Path) -> int:
    """Return the number of errors; -1 if a text cannot be read completely."""
    from irlint import engine
    from irlint.findings import Severity
    from irlint.fixes import UNREADABLE

    path = _path(row, folder)
    result = engine.lint(text, path.name, as_format=row["format"], path=path)
    errors = [f for f in result.findings if f.severity == Severity.ERROR]
    return -1 if result.document is None or any(f.name in UNREADABLE for f in errors) else len(errors)


def repaired(row: Row, folder: Path) -> list[list[Any]]:
    """Return the repairs of a mutant: the error's code, how sure it is, whether the text is right again, and what it says."""
    import irlint
    from irlint.findings import Severity
    from irlint.text.base import apply

    path, text = _path(row, folder), row["broken"]
    path.write_bytes(text.encode())
    right = "".join(row["right"].split())
    return [
        [f.code, f.fix.safety, "".join(apply(text, f.fix.edits).split()) == right, f.fix.title] if f.fix else [f.code]
        for f in irlint.lint(path, as_format=row["format"])
        if f.severity == Severity.ERROR
    ]


def _found(tree: Path, name: str) -> list[Any]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tree), str(tree / "tests"))), "PYTHONHASHSEED": "0"}
    command = [sys.executable, __file__, "--found", name]
    found: list[Any] = json.loads(subprocess.check_output(command, env=environment))
    return found


def _at(revision: str) -> Path:
    """Return the tree of a revision."""
    tree = BUILD / revision
    if not tree.exists():
        tree.mkdir(parents=True)
        archive = subprocess.Popen(["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", str(tree)], stdin=archive.stdout, check=True)
    return tree


def _print_found(name: str) -> None:
    rows = json.loads((BUILD / f"{name}.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps([repaired(row, Path(folder)) for row in rows]))


def _best(found: list[list[Any]]) -> str:
    """Return what the repairs of one mutant are worth together."""
    fixes = [one for one in found if len(one) > 1]
    right = next((one for one in fixes if one[2]), None)
    if right is not None:
        return f"right {right[1]}"
    return f"other {min(one[1] for one in fixes)}" if fixes else "none"


def compare(format_: str, revision: str, count: int, show: int) -> None:
    name = f"{format_}-{count}"
    listed, known = BUILD / f"{name}.json", BUILD / f"{name}-{revision}.json"
    if not listed.exists():
        listed.write_text(json.dumps([*mutants(format_, count)]), encoding="utf-8")
    if not known.exists():
        known.write_text(json.dumps(_found(_at(revision), name)), encoding="utf-8")
    old, new = json.loads(known.read_text(encoding="utf-8")), _found(ROOT, name)
    kinds = Counter((_best(a), _best(b)) for a, b in zip(old, new, strict=True))
    titles = sum(a != b for a, b in zip(old, new, strict=True))
    print(f"{format_}: {len(old)} mutants, {titles} with other repairs")
    for kind in sorted({kind for pair in kinds for kind in pair}):
        before, after = (sum(n for pair, n in kinds.items() if pair[k] == kind) for k in (0, 1))
        print(f"  {kind:14} {before:5} -> {after:5}")
    shown = 0
    rows = json.loads(listed.read_text(encoding="utf-8"))
    for k, (a, b) in enumerate(zip(old, new, strict=True)):
        if _best(a) != _best(b) and shown < show:
            shown += 1
            print(f"    {k}: {_best(a)} -> {_best(b)}: {_changed(rows[k])}\n      {a}\n      {b}")


def _changed(row: Row) -> str:
    old, new = row["right"], row["broken"]
    at = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return repr(old[max(0, at - 30) : at + 50]) + " became " + repr(new[max(0, at - 30) : at + 50])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", nargs="?")
    parser.add_argument("formats", nargs="*")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--found", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.found:
        _print_found(args.found)
        return
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    from irlint.formats.base import all_formats

    BUILD.mkdir(parents=True, exist_ok=True)
    for format_ in args.formats or all_formats():
        compare(format_, args.revision, args.count, args.show)


if __name__ == "__main__":
    main()
