"""The counts in the header, against the layers and blobs that the file has."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irlint.codes import Severity
from irlint.findings import Fix, Problem, Safety
from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.wiring import copies
from irlint.text.base import Document, Edit, Place
from irlint.text.layers import LayerDocument
from irlint.text.words import count

MOST = 1_000_000


def count_problems(document: LayerDocument, made: int) -> Iterator[Problem]:
    """Report wrong counts of a file whose layers have `made` blobs."""
    rows = document.rows
    layers, blobs = document.count("layers"), document.count("blobs")
    for which, number, found in (("layers", layers, len(rows)), ("blobs", blobs, made)):
        if number is not None and (number > MOST or number < 1 > found):
            message = f"number of {which} is {number}; the runtime allows 1 to {MOST}"
            yield Problem(R.value_out_of_range, Place((which,)), message)
    if layers is None or blobs is None or max(layers, blobs) > MOST or (layers < 1 and not rows):
        return
    if layers != len(rows):
        message = f"expected {count(len(rows), 'layer')}, which the file has, got {layers}"
        safety: Safety = "safe"  # no release loads a file that has fewer layers than it says
        severity = None
        if 0 < layers < len(rows):
            message += "; the rest is not read"
            safety = "unsafe"
            copied = copies(rows)
            if all(
                row.op == "Noop" or k in copied for k, row in enumerate(rows) if k >= layers
            ):  # nothing is computed by them
                severity = Severity.WARNING
            made = sum(len(row.outputs) for row in rows[:layers])
        elif layers > len(rows) and blobs > made:
            message += "; the file may be truncated"
            safety = "unsafe"
        yield Problem(
            R.wrong_layer_count,
            Place(("layers",)),
            message,
            fix=_setting("layers", len(rows), safety) if rows else None,
            severity=severity,
        )
    if blobs != made and not any(row.broken for row in rows) and (blobs < made or layers >= len(rows)):
        # There is room for as many blobs as the file says. What is too few was written beyond the end of memory.
        severity = Severity.ERROR if blobs < made else Severity.INFO
        message = f"expected {count(made, 'blob')}, which the layers have, got {blobs}"
        fix = _setting("blobs", made, "safe")
        yield Problem(R.wrong_blob_count, Place(("blobs",)), message, fix=fix, severity=severity)


def _setting(which: str, value: int, safety: Safety) -> Callable[[Document], Fix | None]:
    def fix(document: Document) -> Fix | None:
        span = document.span(Place((which,)))
        return Fix(f"Set the number of {which} to {value}", (Edit(span, str(value)),), safety)

    return fix
