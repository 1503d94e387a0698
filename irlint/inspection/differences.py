"""The comparison of two runs as data and as a table for the terminal."""

from __future__ import annotations

import math
from typing import Any

from irlint.inspection.comparison import ResultPair, Tolerance, first_divergence
from irlint.text.safe import visible
from irlint.text.words import count, times
from irlint.text.wrap import fitted, table

_SHOWN = 20
_HEAD = ("id", "operator", "max abs", "relative", "cosine", "A", "B", "")


def record(pairs: list[ResultPair], tolerance: Tolerance) -> dict[str, Any]:
    """The comparison as plain data; null for what is not known or not finite."""
    first = first_divergence(pairs)
    return {
        "atol": tolerance.absolute,
        "rtol": tolerance.relative,
        "first_divergence": None if first is None else first.any.key,
        "operators": [
            {
                "id": pair.any.key,
                "operator": pair.any.operator,
                "agrees": None if pair.agrees and pair.distance is None else pair.agrees,
                **{name: _finite(getattr(pair.distance, name, None)) for name in ("max_abs", "relative", "cosine")},
                "seconds": list(pair.seconds),
                "why": why(pair) or None,
            }
            for pair in pairs
        ],
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def why(pair: ResultPair) -> str:
    """Return the note on a pair."""
    if pair.a is None or pair.b is None:
        return f"only in {'A' if pair.b is None else 'B'}"
    a, b = pair.a.operator, pair.b.operator
    if a != b and not pair.is_by_name:
        return f"{a} in A, {b} in B"
    other = f"{b} in B" if a.lower() != b.lower() else ""  # it may be the last of several that do the same
    return (pair.distance.why if pair.distance else "") or other


def lines(pairs: list[ResultPair], tolerance: Tolerance, every: bool = False, columns: int | None = None) -> list[str]:
    """Return the result, a table of all pairs or of the worst, and the times."""
    shown = pairs if every else _worst(pairs)
    found = [*fitted(_verdict(pairs, tolerance), columns), "", *_table(shown, columns)]
    if len(shown) < len(pairs):
        found.append(f"and {len(pairs) - len(shown):,} more (use --all to show them)")
    a, b = (sum(pair.seconds[k] or 0.0 for pair in pairs) for k in (0, 1))
    if a or b:
        ratio = f", {a / b:.2f} times B" if b else ""
        found.append(f"total time: A {times([a])[0]}, B {times([b])[0]}{ratio}")
    return found


def _verdict(pairs: list[ResultPair], tolerance: Tolerance) -> list[str]:
    wrong, valued = sum(not pair.agrees for pair in pairs), sum(pair.distance is not None for pair in pairs)
    seen = f"{count(len(pairs), 'result')}, {valued:,} with values in both"
    if any(pair.is_by_name for pair in pairs):
        lone = sum(pair.a is None or pair.b is None for pair in pairs)
        seen = f"{seen}, paired by the names of nodes and by structure, {lone:,} in one run only"
    if (first := first_divergence(pairs)) is None:
        return [seen, _nothing(valued, len(pairs)) if valued else "no values to compare"]
    limit = f"{tolerance.absolute:g} + {tolerance.relative:g} max|b|"
    return [seen, f"{wrong:,} diverge{'s' * (wrong == 1)} (|a - b| > {limit}), the first is {_name(first)}"]


def _nothing(valued: int, count: int) -> str:
    return "nothing diverges" if valued == count else "none of these diverges; the others were not compared"


def _name(pair: ResultPair) -> str:
    key, operator = pair.any.key, pair.any.operator
    return visible(key if key == operator else f"{key} {operator}")


def _table(pairs: list[ResultPair], columns: int | None) -> list[str]:
    rows = [_HEAD, *map(_row, pairs)]
    last = len(_HEAD) - 1
    shown = [k for k in range(last) if k == 0 or any(row[k] for row in rows[1:])]
    right = [at for at, k in enumerate(shown) if k != 1]
    return table([[row[k] for k in (*shown, last)] for row in rows], columns, right)


def _row(pair: ResultPair) -> tuple[str, ...]:
    apart, result = pair.distance, pair.any
    numbers = [f"{apart.max_abs:.3g}", f"{apart.relative:.3g}", f"{apart.cosine:.6f}"] if apart else ["", "", ""]
    seconds = ["" if took is None else times([took])[0] for took in pair.seconds]
    note = visible(why(pair))
    mark = note if pair.agrees else f"<- {note or 'diverges'}"
    operator = "" if result.operator == result.key else visible(result.operator)
    return (visible(result.key), operator, *numbers, *seconds, mark)


def _worst(pairs: list[ResultPair]) -> list[ResultPair]:
    """The first pairs that diverge, then those that are furthest apart, then those that take longest; in file order."""

    def order(k: int) -> tuple[bool, float, float]:
        pair = pairs[k]
        if not pair.agrees:
            return (False, k, 0.0)
        return (True, -pair.distance.relative if pair.distance else 0.0, -(pair.any.seconds or 0.0))

    return [pairs[k] for k in sorted(sorted(range(len(pairs)), key=order)[:_SHOWN])]
