"""The counts in the header, against the layers and values that the file has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from irlint.checks.names import Terms, copies
from irlint.codes import R, Severity
from irlint.findings import Fix, Problem, Safety
from irlint.text.base import Document, Edit, Place
from irlint.text.layers.document import LayerDocument, LayerRow
from irlint.text.words import count

MOST = 1_000_000


def count_problems(document: LayerDocument, made: int, terms: Terms, idle: Collection[str] = ()) -> Iterator[Problem]:
    """Report wrong counts of a file whose layers have `made` values. `idle`: types of layers that compute nothing."""
    rows = document.rows
    layers, values = document.count("layers"), document.count("blobs")
    yield from _out_of_range("layers", terms.layer, layers, len(rows))
    yield from _out_of_range("blobs", terms.value, values, made)
    if layers is None or values is None or max(layers, values) > MOST or (layers < 1 and not rows):
        return
    if layers != len(rows):
        yield _wrong_layers(document, layers, (values, made), terms, idle)
    if 0 < layers < len(rows):
        made = sum(len(row.outputs) for row in rows[:layers])
    if values != made and not _has_broken(rows) and (values < made or layers >= len(rows)):
        # There is room for as many values as the file says. What is too few was written beyond the end of memory.
        severity = Severity.ERROR if values < made else Severity.INFO
        message = f"expected {count(made, terms.value)}, which the {terms.layer}s have, got {values}"
        fix = _setting({"blobs": (made, terms.value)}, "safe")
        yield Problem(R.wrong_blob_count, Place(("blobs",)), message, fix=fix, severity=severity)


def _out_of_range(which: str, word: str, number: int | None, found: int) -> Iterator[Problem]:
    if number is not None and (number > MOST or number < 1 > found):
        message = f"number of {word}s is {number}; the runtime allows 1 to {MOST}"
        yield Problem(R.value_out_of_range, Place((which,)), message)


def _wrong_layers(
    document: LayerDocument, layers: int, values: tuple[int, int], terms: Terms, idle: Collection[str]
) -> Problem:
    """Return the problem of a wrong number of layers. `values`: how many the header says and how many there are."""
    rows, (said, made) = document.rows, values
    message = f"expected {count(len(rows), terms.layer)}, which the file has, got {layers}"
    safety: Safety = "safe"  # no release loads a file that has fewer layers than it says
    severity = None
    if 0 < layers < len(rows):
        message += "; the rest is not read"
        safety, copied = "unsafe", copies(rows)
        is_lost = any(row.op not in idle and k not in copied for k, row in enumerate(rows[layers:], layers))
        severity = None if is_lost else Severity.WARNING
    elif layers > len(rows) and said > made:
        message += "; the file may be truncated"
        safety = "unsafe"
    wanted = {"layers": (len(rows), terms.layer)}
    if said < made and not _has_broken(rows):  # the values of layers that were added are rarely counted either
        wanted["blobs"] = made, terms.value
    fix = _setting(wanted, safety) if rows else None
    return Problem(R.wrong_layer_count, Place(("layers",)), message, fix=fix, severity=severity)


def _has_broken(rows: Sequence[LayerRow]) -> bool:
    return any(row.broken for row in rows)


def _setting(wanted: Mapping[str, tuple[int, str]], safety: Safety) -> Callable[[Document], Fix | None]:
    """Return a fix that sets counts: to the number, of the things that the word names."""

    def fix(document: Document) -> Fix | None:
        edits = tuple(Edit(document.span(Place((which,))), str(number)) for which, (number, _) in wanted.items())
        what = " and ".join(f"{word}s to {number}" for number, word in wanted.values())
        return Fix(f"Set the number of {what}", edits, safety)

    return fix
