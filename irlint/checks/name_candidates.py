"""Which name may have been meant where a layer reads or defines a wrong one. The search for repairs tries them."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from irlint.codes import R
from irlint.findings import Candidate, Finding
from irlint.rules.base import Model
from irlint.text.base import Edit, Path, Place
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
        yield from _definitions(document, path)


def _definitions(document: LayerDocument, path: Path) -> Iterator[Candidate]:
    """Yield names that no layer defines for the second definition of a name, and for the first, which may be the wrong one."""
    name = document.rows[int(path[0])].outputs[int(path[2])]
    first = next((k, "outputs", row.outputs.index(name)) for k, row in enumerate(document.rows) if name in row.outputs)
    for likelihood, wanted in enumerate(_undefined(document)[:_NEAR]):
        for at in (path, first):
            yield Candidate(f"Rename to {wanted!r}", (Edit(document.span(Place(at)), wanted),), likelihood)


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
