"""Which name may have been meant where a layer reads or defines a wrong one. The search for repairs tries them."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from irlint.codes import R
from irlint.findings import Candidate, Finding
from irlint.rules.base import Model
from irlint.text.base import Edit, Place
from irlint.text.layers import LayerDocument

_NEAR = 12  # names that resemble the wrong one
_UNREAD = 24  # values, the nearest above, that no layer reads


def name_candidates(model: Model, finding: Finding) -> Iterator[Candidate]:
    document = model.document
    if not isinstance(document, LayerDocument):
        return
    path = document.place_at(finding.span.start).path
    row = document.row(path)
    if row is None or not isinstance(path[0], int):
        return
    if path[1:2] == ("inputs",):
        name = row.inputs[int(path[2])]
        yield from _sources(document, path[0], int(path[2]), name)
    if finding.code == R.duplicate_definition.code and path[1:2] == ("outputs",):
        wanted = [name for name in _undefined(document) if name not in row.outputs]
        for likelihood, name in enumerate(wanted[:_NEAR]):
            edit = Edit(document.span(Place(path)), name)
            yield Candidate(f"Rename to {name!r}", (edit,), likelihood)


def _sources(document: LayerDocument, index: int, k: int, name: str) -> Iterator[Candidate]:
    """Yield other names for an input: those that nobody reads, the nearest first, and those that are alike."""
    rows, span = document.rows, document.span(Place((index, "inputs", k)))
    above = [output for row in rows[:index] for output in row.outputs]
    read = {value for row in rows for value in row.inputs}
    unread = [value for value in reversed(above) if value not in read][:_UNREAD]
    alike = get_close_matches(name, [value for value in above if value != name], _NEAR)
    for value in dict.fromkeys((*unread, *alike)):
        likelihood = (value not in alike) + 2 * (value not in unread)
        yield Candidate(f"Replace with {value!r}", (Edit(span, value),), likelihood)


def _undefined(document: LayerDocument) -> list[str]:
    defined = {name for row in document.rows for name in row.outputs}
    return list(dict.fromkeys(name for row in document.rows for name in row.inputs if name not in defined))
