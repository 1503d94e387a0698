"""How much evidence for Glacier lines or events contain: other programs number their lines and write lists, too."""

from __future__ import annotations

from itertools import islice
from typing import Any

from irlint.formats.base import CERTAIN, FOREIGN, LIKELY
from irlint.text.listing.line import ListingRow

_SAMPLE = 200  # as many rows or events decide
_CHAINED = 3  # rows that read the row before them: with as many, operators may have any name
_WORDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "inputs": (list,),
    "duration": (int, float),
    "session": (int, str),
    "size": (int,),
}
_IDS = frozenset({"nodeid", "id", "nid"})


def weigh_rows(rows: list[ListingRow]) -> int:
    """Return the score of a listing's rows: known operators, and inputs that point back.

    A table of shapes has dtypes and numbers instead; a table of lists of words has no numbers of its own rows.
    """
    from irlint.dryrun.dtypes import BITS
    from irlint.formats.glacier.vocabulary import is_known

    sample = [row for row in rows[:_SAMPLE] if row.op]
    if any(row.op in BITS for row in sample):
        return FOREIGN
    known = set(filter(is_known, {row.op for row in sample}))
    distances = _distances(sample)
    back = sum(distance > 0 for distance in distances)
    points_back = back * 10 >= len(distances) * 9 and back > 0
    if sum(row.op in known for row in sample) * 2 >= len(sample) > 0:
        return CERTAIN if points_back or any("." in op for op in known) else LIKELY
    chained = distances.count(1)
    return LIKELY if points_back and chained >= max(_CHAINED, len(sample) / 2) else FOREIGN


def _distances(rows: list[ListingRow]) -> list[int]:
    """Return how far above each row its inputs are."""
    return [row.id - item for row in rows if row.id is not None for item in row.references]


def weigh_events(value: Any) -> int:
    """Return the score of a file's events; nodes of other programs have an id, a name and perhaps a duration."""
    records = value.get("events") if isinstance(value, dict) else value
    sample = islice(records, _SAMPLE) if isinstance(records, list) else ()
    return max((_event(record) for record in sample if isinstance(record, dict)), default=FOREIGN)


def _event(record: dict[str, Any]) -> int:
    """Return the score of one event: `nodeID` beside inputs, or an id of another name beside all that an event has."""
    words = {word for word, kinds in _WORDS.items() if isinstance(record.get(word), kinds)}
    keys = {key for key, value in record.items() if isinstance(value, int | str)}
    if len(record) > 2 * len(words) + 2:  # an index of words, where these are among many
        return FOREIGN
    if "nodeID" in keys and "inputs" in words:
        return CERTAIN if len(words) > 2 else LIKELY
    if not {key.lower().replace("_", "") for key in keys} & _IDS:
        return FOREIGN
    if len(words) == len(_WORDS):
        return CERTAIN
    return LIKELY if len(words) == len(_WORDS) - 1 and ("inputs" in words or "nodeID" in keys) else FOREIGN
