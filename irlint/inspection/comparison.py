"""Comparison of two runs of a model, result by result: distances, and where they diverge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from irlint.formats.glacier.sessions import Event, Session
from irlint.records import NamedTuple, dataclass


class Tolerance(NamedTuple):
    """Two arrays agree if all |a - b| <= absolute + relative * max|b|; arrays of integers if all |a - b| <= absolute + relative * |b|.

    Where floats cancel out, small numbers have the rounding errors of large ones; integers, such as indices, have no such errors.
    """

    absolute: float = 1e-5
    relative: float = 1e-3


class Distance(NamedTuple):
    """The distance of two arrays: the maximum |a - b|, |a - b| over |b| as vectors, and their cosine."""

    max_abs: float
    relative: float
    cosine: float
    agrees: bool
    why: str = ""  # why they cannot be compared number by number


@dataclass(frozen=True)
class RunResult:
    """One result of a run: the operator that made it, its value if the run kept it, how long it took, and the node's name."""

    key: str
    operator: str
    value: Any = None
    seconds: float | None = None
    node: str = ""


class ResultPair(NamedTuple):
    """The same result in two runs; None where one has it not. `distance` is None if a value is missing. Nodes of one name may have
    operators of two formats."""

    a: RunResult | None
    b: RunResult | None
    distance: Distance | None
    is_by_name: bool = False

    @property
    def agrees(self) -> bool:
        if self.is_by_name and (self.a is None or self.b is None):
            return True  # another form of the model computes it in other steps
        if self.a is None or self.b is None or (self.a.operator != self.b.operator and not self.is_by_name):
            return False
        return self.distance is None or self.distance.agrees

    @property
    def seconds(self) -> tuple[float | None, float | None]:
        return self.a.seconds if self.a else None, self.b.seconds if self.b else None

    @property
    def any(self) -> RunResult:
        found = self.a or self.b
        assert found is not None
        return found


def of_session(session: Session) -> list[RunResult]:
    """Return the results in the events of a session, by id."""
    return [
        RunResult(str(id_), event.name, _array(id_, event), event.duration, event.node or "")
        for id_, event in sorted(session.calls.items())
    ]


def _array(id_: int, event: Event) -> Any:
    if event.value is None:
        return None
    try:
        return np.array(event.value, float)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(
            f"the value of node {id_} ({event.name}) is not an array: expected lists of numbers of equal lengths"
        ) from None


def compare(
    a: list[RunResult],
    b: list[RunResult],
    tolerance: Tolerance = Tolerance(),
    by_structure: Callable[[], Mapping[str, str]] = dict,
) -> list[ResultPair]:
    """Return results paired by key, in the order of the first run; those of the second only come last. Two forms of one model have
    other numbers for their results: those are paired by the names of their nodes, and others of one operator by the keys that
    `by_structure` returns."""
    others = {result.key: result for result in b}
    pairs = [(result, others.get(result.key)) for result in a]
    is_by_name = False
    if any(other is None or result.operator != other.operator for result, other in pairs):
        of_forms = _of_forms(a, b, by_structure)
        is_by_name = any(other is not None for _, other in of_forms)
        pairs = of_forms if is_by_name else pairs
    used = {id(other) for _, other in pairs}
    found = [_pair(result, other, tolerance, is_by_name) for result, other in pairs]
    return found + [ResultPair(None, result, None, is_by_name) for result in b if id(result) not in used]


def _of_forms(
    a: list[RunResult], b: list[RunResult], by_structure: Callable[[], Mapping[str, str]]
) -> list[tuple[RunResult, RunResult | None]]:
    """Return the results of the first of two forms with those of the second: by the names of nodes, then by structure."""
    named, by_key = _named(b), {result.key: result for result in b}
    has_names = any(result.node for result in a) and any(result.node for result in b)
    keys = by_structure() if has_names else {}  # without names, other operators are other results
    pairs = [(result, named.get(name)) for name, result in _named(a).items()]
    taken = {id(other) for _, other in pairs}
    found: list[tuple[RunResult, RunResult | None]] = []
    for result, other in pairs:
        meant = by_key.get(keys.get(result.key, "")) if other is None else None
        if meant is not None and id(meant) not in taken and meant.operator == result.operator:
            other = meant
        found.append((result, other))
    return found


def _named(results: list[RunResult]) -> dict[str, RunResult]:
    """Return results by the names of their nodes; those whose name is not theirs alone by a key that no node of the other run has."""
    often = Counter(result.node for result in results)
    return {result.node if result.node and often[result.node] == 1 else f"\0{id(result)}": result for result in results}


def first_divergence(pairs: list[ResultPair]) -> ResultPair | None:
    """Return the first pair that does not agree; later ones may be consequences of it."""
    return next((pair for pair in pairs if not pair.agrees), None)


def _pair(a: RunResult, b: RunResult | None, tolerance: Tolerance, is_by_name: bool) -> ResultPair:
    if b is None or a.value is None or b.value is None:
        return ResultPair(a, b, None, is_by_name)
    values = (a.value, b.value) if not is_by_name else _without_ones(a.value, b.value)
    apart = distance(*values, tolerance)
    return ResultPair(a, b, apart, is_by_name)


def _without_ones(a: Any, b: Any) -> tuple[Any, Any]:
    """Return two results, one number each as such: a format has a list of one where another has a number."""
    a, b = np.asarray(a), np.asarray(b)
    return (a.reshape(()), b.reshape(())) if a.size == b.size == 1 else (a, b)


def distance(a: Any, b: Any, tolerance: Tolerance = Tolerance()) -> Distance:
    """How far two arrays are apart. NaN agrees with NaN and an infinity with itself; arrays of different shape do
    not.
    """
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return Distance(np.inf, np.inf, 0.0, False, f"shapes {list(a.shape)} and {list(b.shape)} do not match")
    if not all(np.issubdtype(x.dtype, np.number) or x.dtype == bool for x in (a, b)):
        if a.dtype.kind in "OUS" and b.dtype.kind in "OUS":  # an archive has strings of one length, a run has any
            same = a.astype(str).tolist() == b.astype(str).tolist()
        else:
            same = a.dtype == b.dtype and a.tobytes() == b.tobytes()
        return Distance(0.0 if same else np.inf, 0.0, 1.0, same, "" if same else "not numbers, and not equal")
    wide = complex if np.iscomplexobj(a) or np.iscomplexobj(b) else float
    x, y = a.astype(wide).ravel(), b.astype(wide).ravel()
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    x, y = np.where(same, np.where(np.isfinite(x), x, 0), x), np.where(same, np.where(np.isfinite(y), y, 0), y)
    gap = np.abs(x - y)
    apart = np.where(np.isfinite(gap), gap, np.inf)
    scale = np.abs(np.where(np.isfinite(y), y, 0))
    if a.dtype.kind not in "iub" or b.dtype.kind not in "iub":
        scale = scale.max(initial=0.0)
    agrees = bool(np.all(apart <= tolerance.absolute + tolerance.relative * scale))
    return Distance(float(apart.max(initial=0.0)), _ratio(apart, y), _cosine(x, y), agrees)


def _ratio(gap: Any, b: Any) -> float:
    size = float(np.linalg.norm(gap)) if np.isfinite(gap).all() else np.inf
    base = float(np.linalg.norm(b)) if b.size and np.abs(b).max() < 1e150 else float(np.abs(b).max(initial=0.0))
    return 0.0 if size == 0 else size / base if base and np.isfinite(base) else np.inf


def _cosine(a: Any, b: Any) -> float:
    """1 for vectors that both are zero; NaN where either is not finite."""
    long = [max(float(np.abs(v).max(initial=0.0)), 0.0) for v in (a, b)]
    if long == [0.0, 0.0]:
        return 1.0
    if not all(map(np.isfinite, long)):
        return float("nan")
    if 0.0 in long:
        return 0.0
    a, b = a / long[0], b / long[1]  # no overflow when squared
    return float(np.clip(np.vdot(a, b).real / (np.linalg.norm(a) * np.linalg.norm(b)), -1, 1))


def of_archive(name: str) -> Iterator[RunResult]:
    """Return the arrays of an .npz, in its order."""
    with np.load(name, allow_pickle=False) as archive:
        for key in archive.files:
            yield RunResult(key, key, archive[key])
