"""The counts in the header, against the layers and blobs that the file has."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irlint.codes import Severity
from irlint.findings import Fix, Problem, Safety
from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.document import ParamDocument
from irlint.text.base import Document, Edit, Place
from irlint.text.words import count


def count_problems(document: ParamDocument, made: int) -> Iterator[Problem]:
    rows = document.rows
    layers, blobs = document.count("layers"), document.count("blobs")
    if not rows or layers is None or blobs is None:
        return
    if layers != len(rows):
        is_read = 0 < layers < len(rows)
        lost = "; the rest is not read" if is_read else ""
        message = f"expected {count(len(rows), 'layer')}, which the file has, got {layers}{lost}"
        # Nothing reads a file that has fewer layers than it says. One that has more is read, but not all of it.
        safety: Safety = "unsafe" if is_read else "safe"
        yield Problem(R.wrong_layer_count, Place(("layers",)), message, fix=_setting("layers", len(rows), safety))
    if blobs != made and not any(row.broken for row in rows):
        # There is room for as many blobs as the file says: what is too few is written beyond the end of memory.
        severity = Severity.ERROR if blobs < made else Severity.INFO
        message = f"expected {count(made, 'blob')}, which the layers have, got {blobs}"
        fix = _setting("blobs", made, "safe")
        yield Problem(R.wrong_blob_count, Place(("blobs",)), message, fix=fix, severity=severity)


def _setting(which: str, value: int, safety: Safety) -> Callable[[Document], Fix | None]:
    def fix(document: Document) -> Fix | None:
        span = document.span(Place((which,)))
        return Fix(f"Set the number of {which} to {value}", (Edit(span, str(value)),), safety)

    return fix
