"""Files of the report by objects, in the order of their URLs: read line by line, merged and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import TextIO

from irlint.files.read import plainly
from irlint.report.objects import Record, is_readable, parsed
from irlint.text.safe import brief, visible
from irlint.tools import UserError

_LONGEST = 256 << 20  # characters of a line


class BrokenReport(UserError):
    """Why a file cannot be read as a report, with its name and line."""


def records(path: str, name: str | None = None) -> Iterator[Record]:
    """Yield the records of a file, whose URLs must be in order. `name`: what the user calls it."""
    shown = visible(name or path)
    try:
        with open(path, encoding="utf-8", errors="strict", newline="\n") as file:
            yield from _records(file, shown)
    except UnicodeDecodeError as error:
        raise BrokenReport(f"{shown}: not UTF-8") from error
    except OSError as error:
        raise BrokenReport(f"{shown}: {plainly(error)}") from error


def _records(file: TextIO, name: str) -> Iterator[Record]:
    before: str | None = None
    number = 0
    while text := file.readline(_LONGEST):
        number += 1
        try:
            if len(text) == _LONGEST:
                raise ValueError(f"longer than {_LONGEST:,} characters")
            if text.isspace():
                continue
            record = parsed(text)
            url = record["url"]
            if before is not None and url <= before:
                raise ValueError(
                    f"not sorted: '{_short(url)}' after '{_short(before)}'; expected each URL once, in code point order, as"
                    " irlint writes them"
                )
        except ValueError as error:
            raise BrokenReport(f"{name}:{number}: {error}") from error
        before = url
        yield record


def _short(url: str) -> str:
    return visible(brief(url, 200))


def merged(sources: Sequence[Iterable[Record]]) -> Iterator[Record]:
    """Yield the records of all sources in order; of an object in several, that of the last of them."""
    numbered = (_numbered(source, -number) for number, source in enumerate(sources))
    for _, found in groupby(merge(*numbered, key=itemgetter(0, 1)), itemgetter(0)):
        yield next(found)[2]


def _numbered(source: Iterable[Record], number: int) -> Iterator[tuple[str, int, Record]]:
    return ((record["url"], number, record) for record in source)


def paired(now: Iterable[Record], then: Iterable[Record]) -> Iterator[tuple[Record | None, Record | None]]:
    """Yield the records of two runs by object; None in the place of one that a run does not have."""
    both = merge(_numbered(now, 0), _numbered(then, 1), key=itemgetter(0, 1))
    for _, found in groupby(both, itemgetter(0)):
        pair: list[Record | None] = [None, None]
        for _, number, record in found:
            pair[number] = record
        yield pair[0], pair[1]


Key = tuple[str, str, str, "str | None", str]


def key_of(finding: Record) -> Key:
    """Return what a finding is but for its place in the file, which moves with every edit before it."""
    return finding["code"], finding["name"], finding["message"], finding["node"], finding["severity"]


def changes(now: Record, then: Record | None) -> tuple[list[int], Counter[Key]]:
    """Return which of an object's findings are new, by number, and how often those are gone that it had."""
    left = Counter(map(key_of, then["findings"])) if then is not None else Counter()
    fresh = []
    for number, finding in enumerate(now["findings"]):
        key = key_of(finding)
        if left[key] > 0:
            left[key] -= 1
        else:
            fresh.append(number)
    return fresh, +left


def are_comparable(now: Record, then: Record | None) -> bool:
    """Return whether both runs could read an object: what one could not has neither new nor fixed findings."""
    return is_readable(now) and (then is None or is_readable(then))
