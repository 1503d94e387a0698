"""Events of a run: written for a flat view, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Any

from irlint.dryrun.dtypes import size
from irlint.inspection import Flat
from irlint.records import NamedTuple


class Measure(NamedTuple):
    """Measures of one call: duration, bytes of its results, and optionally the first result."""

    seconds: float | None
    size: int | None = None
    value: Any = None  # an array, or nested lists of numbers


_UNMEASURED = Measure(None)


def records(flat: Flat, session: str, measures: Mapping[int, Measure]) -> Iterator[dict[str, Any]]:
    """Events of the calls by id, then of the Vars and Constants that the flat view shows. `measures` go by the node's
    index in the graph; a call without one has an event without a duration.
    """
    for number, (node, shown) in enumerate(zip(flat.calls, flat.nodes, strict=True)):
        measure = measures.get(node.index, _UNMEASURED)
        yield _known(
            nodeID=number,
            name=shown.op_name,
            inputs=list(shown.inputs),
            duration=measure.seconds,
            size=measure.size,
            session=session,
            node=node.name or None,
            value=_plain(measure.value),
        )
    told: set[str] = set()
    for leaf in flat.leaves:
        if leaf.op_name in told:
            continue
        told.add(leaf.op_name)
        yield _known(
            nodeID=leaf.op_name,
            name=leaf.op_name,
            session=session,
            dtype=leaf.dtype,
            shape=None if leaf.shape is None else [dim if isinstance(dim, int | str) else None for dim in leaf.shape],
            size=size(leaf.dtype, leaf.shape),
        )


def _known(**record: Any) -> dict[str, Any]:
    """Return a record without what is not known."""
    return {key: value for key, value in record.items() if value is not None}


def lines(events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Return events as JSON Lines."""
    for event in events:
        yield json.dumps(event, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """Return numbers for JSON, with null for NaN and infinities."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if not isinstance(value, float) or isfinite(value) else None
