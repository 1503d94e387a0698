"""A document after an edit of its text: records that the edit left as they were are not read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irlint.formats.onnx.adopt import Adoption
from irlint.formats.onnx.messages import MODEL
from irlint.formats.onnx.parse import Known, KnownRecords, Parser

if TYPE_CHECKING:
    from irlint.formats.onnx.document import OnnxDocument

_KINDS = ("node", "initializer", "value_info", "input", "output")


def edited(document: OnnxDocument, text: str) -> OnnxDocument:
    parser, adoption = Parser(text, known=_known(document)), Adoption()
    tree = adoption.message(MODEL, document.tree, parser.model())
    found = type(document)(document.name, tree, text=text)
    found.base = document if document.is_binary else document.base
    found.origins = adoption.origins
    found.records, found.troubles, found.encoding = parser.records, parser.troubles, document.encoding
    return found


def _known(document: OnnxDocument) -> KnownRecords:
    """Return the records of a document by what they are and their first lines."""
    if document.known is None:
        text, records = document.text, document.records
        document.known = {}
        usual = {span.start for path, span in records.items() if path[-2:-1] == ("initializer",)}
        for path, span in records.items():
            kind = path[-2] if len(path) == 3 and path[0] == "graph" else None
            if kind in _KINDS and (kind != "input" or span.start not in usual):
                whole = text[span.start : span.end]
                line = whole.partition("\n")[0]
                document.known.setdefault((kind, line), Known(whole, document.value_at(path)))
    return document.known
