"""What n-grams are made of: the operator names of a model's calls by id, their inputs, and perhaps how long each
took.
"""

from __future__ import annotations

from irlint.formats.glacier.sessions import Session, sessions_of
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.flat_view import Flat
from irlint.records import dataclass
from irlint.rules.base import Model


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
