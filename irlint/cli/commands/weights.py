"""List the weights of a model: element type, shape, bytes, values and (as JSON or CSV) hashes; save them as .npy files."""

from __future__ import annotations

import argparse
import csv
import io
import os
import re
import sys
from collections import Counter
from fnmatch import fnmatchcase
from shlex import quote
from typing import TYPE_CHECKING, Any

from irlint.cli.model import load_model, model_file
from irlint.cli.options import add_as
from irlint.cli.output import save, show, show_json
from irlint.cli.status import OK, UsageError, say
from irlint.files.read import plainly
from irlint.formats.base import all_formats
from irlint.text.safe import columns, put, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irlint.inspection.weights import WeightRow
    from irlint.rules.base import Model

_COLUMNS = ("name", "dtype", "shape", "bytes", "min", "max", "mean", "nan", "infinite", "zeros", "denormal", "sha256")
_NAMED, _LOOKED = 3, 10_000  # names in a suggestion, and of those that may be near
_SORTED = {"bytes": 3, "min": 4, "max": 5, "mean": 6, "nan": 7, "infinite": 8, "zeros": 9, "denormal": 10}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=model_file, metavar="MODEL", help="model file of any format, or - for stdin")
    parser.add_argument(
        "--name", metavar="GLOB", action="append", default=[], help="show only weights of this name, such as '*bias*'"
    )
    parser.add_argument(
        "--sort",
        choices=("name", *_SORTED),
        metavar="COLUMN",
        help=f"sort by name, or the largest first by {', '.join(_SORTED)} (default: in file order)",
    )
    parser.add_argument("--output-format", choices=("text", "json", "csv"), default="text")
    parser.add_argument(
        "--save",
        metavar="DIR",
        help="also save each weight as a .npy file in this folder: bfloat16 and floats below 16 bits as float32, integers below 8 bits as"
        " int8 or uint8",
    )
    add_as(parser)


def run(args: argparse.Namespace) -> int:
    import numpy  # noqa: F401 - without it no weight could be read, which would look as if none were there

    from irlint.inspection.weights import weights

    model = load_model(args.model, "nodes", args.as_format, shapes=True)
    saved = _Saved(args.save, args.name)
    every = [*weights(model, saved)]
    found, names = [weight for weight in every if _is_asked(weight.name, args.name)], [weight.name for weight in every]
    if not every:
        _say_where(model, args.model)
    for pattern in args.name:
        if not any(fnmatchcase(name, pattern) for name in names):
            say(f"{args.model}: no weight is named `{pattern}`{_suggestion(pattern, names)}")
    if args.sort == "name":
        found.sort(key=lambda weight: weight.name)
    elif args.sort:
        column = _SORTED[args.sort]
        found.sort(key=lambda weight: (value := _row(weight)[column]) is not None and value, reverse=True)
    if args.output_format == "json":
        rows = [
            {**dict(zip(_COLUMNS, _row(weight), strict=True)), "why": weight.why or None, **saved.field(weight)}
            for weight in found
        ]
        show_json({"file": args.model, "weights": rows})
    elif args.output_format == "csv":
        put(sys.stdout, _csv(found))
    else:
        _show(found)
    saved.report(len(found))
    return OK


def _say_where(model: Model, name: str) -> None:
    """Say where the weights are of a model that has none which are read."""
    if kept := dict(all_formats()[model.format].facts(model)).get("weights"):
        say(f"{name}: weights: {kept}")


def _suggestion(pattern: str, names: Sequence[str]) -> str:
    """Return which names are near one that no weight has: those that hold it in any letter case, or one that is spelled like it."""
    plain = pattern.strip("*?").lower()
    holding = [name for name in names if plain and plain in name.lower()]
    if holding:
        listed = ", ".join(repr(name) for name in holding[:_NAMED])
        more = f" and {len(holding) - _NAMED:,} more" if len(holding) > _NAMED else ""
        return f"; `--name {quote(f'*{_common(holding[0], plain)}*')}` shows {listed}{more}"
    from irlint.operators import nearest

    close = nearest(
        pattern.strip("*?"), [*names, *{part for name in names[:_LOOKED] for part in re.split(r"[./:]", name) if part}]
    )
    return f"; did you mean `{close if close in names else f'*{close}*'}`?" if close else ""


def _common(name: str, plain: str) -> str:
    """Return what the user wrote as the name spells it."""
    at = name.lower().index(plain)
    return name[at : at + len(plain)]


class _Saved:
    """Writes weights to files while they are read."""

    def __init__(self, folder: str | None, patterns: Sequence[str]) -> None:
        from irlint.inspection.saved_weights import FileNames

        self._folder, self._patterns, self._names = folder, patterns, FileNames()
        self._files: dict[int, str] = {}  # by id() of the row
        self._types: Counter[tuple[str, str]] = Counter()  # that NumPy lacks, and those of the files
        if folder is not None:
            try:
                os.makedirs(folder, exist_ok=True)
            except OSError as error:
                raise UsageError(f"--save {folder}: {plainly(error)}") from error

    def __call__(self, row: WeightRow, array: Any) -> None:
        from irlint.inspection.saved_weights import npy, saved_as

        if self._folder is None or array.dtype.hasobject or not _is_asked(row.name, self._patterns):
            return
        name = self._names.of(row.name)
        path = os.path.join(self._folder, name)
        if os.path.islink(path):
            raise UsageError(f"--save {self._folder}: {name} is a link, which may lead out of the folder")
        save(path, npy(array))
        self._files[id(row)] = name
        if other := saved_as(row.type.dtype, array):
            self._types[row.type.dtype or "", other] += 1

    def field(self, row: WeightRow) -> dict[str, str | None]:
        """Return what JSON says of the file of a weight."""
        return {} if self._folder is None else {"file": self._files.get(id(row))}

    def report(self, asked: int) -> None:
        """Say on stderr what was saved, and how."""
        if self._folder is None:
            return
        from irlint.text.words import count

        kept = asked - len(self._files)
        left = f"; {count(kept, 'weight')} without numbers not saved" if kept else ""
        put(sys.stderr, f"Saved {count(len(self._files), 'weight')} in {visible(self._folder)}{left}\n")
        for (dtype, other), times in self._types.items():
            put(sys.stderr, f"NumPy has no {dtype}: {count(times, 'weight')} saved as {other} with the same values\n")


def _is_asked(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)


def _row(weight: WeightRow) -> tuple[Any, ...]:
    known = weight.statistics or (None,) * 7
    shape = None if weight.type.shape is None else list(weight.type.shape)
    return (weight.name, weight.type.dtype, shape, weight.bytes, *known, weight.sha256)


def _csv(found: Sequence[WeightRow]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for weight in found:
        name, dtype, shape, *rest = _row(weight)
        writer.writerow([name, dtype, "" if shape is None else "x".join(map(str, shape)), *rest])
    return out.getvalue()


def _show(found: Sequence[WeightRow]) -> None:
    from irlint.dryrun.dims import show as written
    from irlint.text.words import count, exact_size, size

    rows: list[Sequence[str]] = [("bytes", "dtype", "shape", "min", "max", "mean", "odd", "name")]
    for weight in found:
        _, dtype, shape, stored, low, high, mean, *_ = _row(weight)
        numbers = [_short(value) for value in (low, high, mean)]
        dims = "?" if shape is None else written(shape)
        kept = "?" if stored is None else size(stored)
        rows.append((kept, dtype or "?", dims, *numbers, _odd(weight), visible(weight.name)))
    total = sum(weight.bytes or 0 for weight in found)
    gone = sum(weight.statistics is None for weight in found)
    if not any(row[_ODD] for row in rows[1:]):
        rows = [[*row[:_ODD], *row[_ODD + 1 :]] for row in rows]
    lines = _lines(rows, columns(sys.stdout)) if found else []
    last = f"{count(len(found), 'weight')}, {exact_size(total)}" + (
        f", {gone:,} of them without values" if gone else ""
    )
    show([*lines, *([""] if found else []), last])


def _lines(rows: Sequence[Sequence[str]], room: int | None) -> list[str]:
    """Return a table whose names are all above the numbers if some do not fit next to them."""
    from irlint.text.safe import width
    from irlint.text.wrap import table

    lines = table(rows, room)
    if room is None or len(lines) == len(rows):
        return lines
    numbers = [f"  {line}" for line in table([row[:-1] for row in rows])]
    if max(map(width, numbers)) > room:
        return lines
    return [part for row, line in zip(rows, numbers, strict=True) for part in (row[-1], line)]


_ODD = 6  # the column of what is unusual, shown if anything is


def _odd(weight: WeightRow) -> str:
    """Return what is unusual about the values of a weight."""
    known = weight.statistics
    if known is None:
        return weight.why
    denormal = 0 if weight.type.dtype == "float16" else known.denormal  # half of all small numbers are, there
    counts = {"NaN": known.nan, "infinite": known.infinite, "denormal": denormal}
    said = [f"{number:,} {name}" for name, number in counts.items() if number]
    if known.low == known.high == 0:
        said.append("all zero")
    return ", ".join(said)


def _short(value: float | None) -> str:
    if value is None:
        return "-"
    is_short = isinstance(value, int) and abs(value) < 10**9
    return str(value) if is_short else f"{value:.4g}"
