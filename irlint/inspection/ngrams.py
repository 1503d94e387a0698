"""Structural n-grams: sequences of n operator names, along the order of the calls or along the edges of the graph.

They are made of traces: the operator names of a model's calls by id, their inputs, and perhaps how long each took.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from irlint.formats.glacier.sessions import Session, sessions_of
from irlint.inspection import Flat
from irlint.inspection.canonical import CanonicalNames
from irlint.records import NamedTuple, dataclass
from irlint.rules.base import Model

Along = Literal["order", "edges"]
By = Literal["count", "time"]
Gram = tuple[str, ...]
_WORK = 50_000_000  # operators in all sequences that are looked at


@dataclass(frozen=True)
class Trace:
    """One model, or one session of events. `inputs` holds ids of calls only."""

    label: str
    names: list[str]
    inputs: list[list[int]]
    seconds: list[float] | None = None
    untimed: str = ""  # the first call without a duration, where others have one


def traces(model: Model, label: str, canonical: bool = False) -> list[Trace]:
    """The traces of a file: one, or one per session; with the file's names of operators, or with canonical ones."""
    sessions = sessions_of(model)
    if sessions is None:
        return [_of_graph(Flat(model.graph, ("Call",), CanonicalNames(model) if canonical else None), label)]
    many = len(sessions) > 1
    return [_of_session(session, f"{label}#{session.name}" if many else label) for session in sessions]


def _of_graph(flat: Flat, label: str) -> Trace:
    nodes = flat.nodes
    inputs = [[item for item in node.inputs if isinstance(item, int)] for node in nodes]
    return Trace(label, [node.op_name for node in nodes], inputs)


def _of_session(session: Session, label: str) -> Trace:
    calls = sorted(session.calls.items())
    place = {id_: number for number, (id_, _) in enumerate(calls)}
    inputs = [[place[item] for item in event.inputs if item in place] for _, event in calls]
    names = [event.name for _, event in calls]
    untimed = next((f"node {id_} ({event.name})" for id_, event in calls if event.duration is None), "")
    if untimed:
        return Trace(label, names, inputs, untimed=untimed)
    return Trace(label, names, inputs, [event.duration or 0.0 for _, event in calls])


class NgramTally(NamedTuple):
    """How often an n-gram occurs and how long its calls took together."""

    count: int = 0  # type: ignore[assignment]
    seconds: float = 0.0

    def plus(self, count: int, seconds: float) -> NgramTally:
        return NgramTally(self.count + count, self.seconds + seconds)

    def then(self, seconds: float) -> NgramTally:
        """One more call at the end of each."""
        return NgramTally(self.count, self.seconds + (self.count * seconds if seconds else 0.0))

    def value(self, by: By) -> float:
        return self.count if by == "count" else self.seconds


Tallies = dict[Gram, NgramTally]


def ngrams(trace: Trace, n: int, along: Along = "order") -> Tallies:
    """Every n-gram of a model.

    Along the order: a window of n calls slides over the calls by id. Along the edges: every path of n calls, each the
    input of the next.
    """
    if n < 1:
        raise ValueError(f"expected at least 1 for n, got {n}")
    if n > len(trace.names):
        return {}
    return _windows(trace, n) if along == "order" else _paths(trace, n)


def _windows(trace: Trace, n: int) -> Tallies:
    names = trace.names
    seconds = trace.seconds or [0.0] * len(names)
    tallies: Tallies = {}
    _bounded(n * (len(names) - n + 1))
    for start in range(len(names) - n + 1):
        gram = tuple(names[start : start + n])
        tallies[gram] = tallies.get(gram, NgramTally()).plus(1, sum(seconds[start : start + n]))
    return tallies


def _paths(trace: Trace, n: int) -> Tallies:
    """Count paths without walking each of them: every call passes the counts of paths that end in it to its users."""
    names = trace.names
    seconds = trace.seconds or [0.0] * len(names)
    ending: list[Tallies] = [{(name,): NgramTally(1, seconds[id_])} for id_, name in enumerate(names)]
    work = 0
    for length in range(2, n + 1):
        longer: list[Tallies] = []
        for id_, before in enumerate(_entering(trace, ending)):
            work += len(before) * length
            _bounded(work)
            took = seconds[id_]
            longer.append(_joined(((*gram, names[id_]), t.then(took)) for gram, t in before))
        ending = longer
    return _joined(item for tallies in ending for item in tallies.items())


def _entering(trace: Trace, ending: list[Tallies]) -> Iterable[list[tuple[Gram, NgramTally]]]:
    for inputs in trace.inputs:
        yield [item for below in dict.fromkeys(inputs) for item in ending[below].items()]


def _joined(items: Iterable[tuple[Gram, NgramTally]]) -> Tallies:
    tallies: Tallies = {}
    for gram, tally in items:
        tallies[gram] = tallies.get(gram, NgramTally()).plus(*tally)
    return tallies


def _bounded(work: int) -> None:
    if work > _WORK:
        raise ValueError("too many sequences of so many operators; choose a smaller n")


class NgramRow(NamedTuple):
    """One n-gram with its tally in each model."""

    gram: Gram
    tallies: tuple[NgramTally, ...]


class NgramTable(NamedTuple):
    """N-grams of several models side by side, the most frequent (or the longest running) over all models first."""

    n: int
    along: Along
    by: By
    labels: tuple[str, ...]
    rows: tuple[NgramRow, ...]

    @property
    def totals(self) -> tuple[float, ...]:
        """Return the sum of the column of each model."""
        return tuple(sum(row.tallies[k].value(self.by) for row in self.rows) for k in range(len(self.labels)))


def table(traces: list[Trace], n: int, along: Along = "order", by: By = "count") -> NgramTable:
    """Return the n-grams of these models; ranking by time requires a duration for every call."""
    for trace in traces:
        if by == "time" and trace.seconds is None:
            what = f"{trace.untimed} has no duration" if trace.untimed else "durations require events; a model has none"
            raise ValueError(f"{trace.label}: {what}")
    columns = [ngrams(trace, n, along) for trace in traces]
    grams = {gram: tuple(column.get(gram, NgramTally()) for column in columns) for column in columns for gram in column}
    rows = [NgramRow(gram, tallies) for gram, tallies in grams.items()]
    rows.sort(key=lambda row: (-sum(tally.value(by) for tally in row.tallies), row.gram))
    return NgramTable(n, along, by, tuple(trace.label for trace in traces), tuple(rows))
