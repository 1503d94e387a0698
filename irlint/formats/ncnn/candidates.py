"""What may have been meant where a blob, a layer's type or its counts are wrong. The search for repairs tries them."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from irlint.findings import Candidate, Finding
from irlint.formats.ncnn.codes import R
from irlint.rules.base import Model
from irlint.text.base import Edit, Place
from irlint.text.layers import LayerDocument

_NEAR = 12  # names that resemble the wrong one
_UNREAD = 24  # blobs, the nearest above, that no layer reads


def candidates(model: Model, finding: Finding) -> Iterator[Candidate]:
    document = model.document
    if not isinstance(document, LayerDocument) or model.dialect != "param":
        return
    path = document.place_at(finding.span.start).path
    row = document.row(path)
    if row is None or not isinstance(path[0], int):
        return
    if path[1:2] == ("inputs",):
        name = row.inputs[int(path[2])]
        yield from _blobs(document, path[0], int(path[2]), name)
    if finding.code == R.duplicate_definition.code and path[1:2] == ("outputs",):
        wanted = [name for name in _undefined(document) if name not in row.outputs]
        for likelihood, name in enumerate(wanted[:_NEAR]):
            edit = Edit(document.span(Place(path)), name)
            yield Candidate(f"Rename to {name!r}", (edit,), likelihood)


def _blobs(document: LayerDocument, index: int, k: int, name: str) -> Iterator[Candidate]:
    """Yield other blobs for an input: those that nobody reads, the nearest first, and those that are called alike."""
    rows, span = document.rows, document.span(Place((index, "inputs", k)))
    above = [output for row in rows[:index] for output in row.outputs]
    read = {blob for row in rows for blob in row.inputs}
    unread = [blob for blob in reversed(above) if blob not in read][:_UNREAD]
    alike = get_close_matches(name, [blob for blob in above if blob != name], _NEAR)
    for blob in dict.fromkeys((*unread, *alike)):
        likelihood = (blob not in alike) + 2 * (blob not in unread)
        yield Candidate(f"Replace with {blob!r}", (Edit(span, blob),), likelihood)


def _undefined(document: LayerDocument) -> list[str]:
    defined = {name for row in document.rows for name in row.outputs}
    return list(dict.fromkeys(name for row in document.rows for name in row.inputs if name not in defined))
