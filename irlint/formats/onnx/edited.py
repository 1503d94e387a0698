"""A document after an edit of its text: records that the edit left as they were are not read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irlint.formats.onnx.adopt import Adoption
from irlint.formats.onnx.messages import MODEL
from irlint.formats.onnx.parse import Known, KnownRecords, Parser
from irlint.text.base import Step

if TYPE_CHECKING:
    from irlint.formats.onnx.document import OnnxDocument

# The list of the text that a record is in
_LISTS: dict[Step, str] = {
    "node": "node", "input": "input", "output": "output", "value_info": "value_info", "initializer": "value_info",
}  # fmt: skip


def edited(document: OnnxDocument, text: str) -> OnnxDocument:
    parser, adoption = Parser(text, known=_known(document)), Adoption()
    tree = adoption.message(MODEL, document.tree, parser.model())
    found = type(document)(document.name, tree, text=text)
    found.base = document if document.is_binary else document.base
    found.origins = adoption.origins
    found.records, found.troubles, found.encoding = parser.records, parser.troubles, document.encoding
    return found


def _known(document: OnnxDocument) -> KnownRecords:
    """Return the records of a document's graph by the lists that they are in, and their first lines."""
    if document.known is None:
        text, graph = document.text, document.tree.get("graph", {})
        known: dict[Step, dict[str, Known]] = {}
        usual = {span.start for path, span in document.records.items() if path[-2:-1] == ("initializer",)}
        for path, (start, end) in document.records.items():
            if len(path) != 3 or path[0] != "graph" or (path[1] == "input" and start in usual):
                continue
            _, kind, k = path
            assert isinstance(k, int)
            if kind in _LISTS and k < len(graph.get(kind, ())):  # a graph that was given up is not in the tree
                whole = text[start:end]
                row = Known(whole, str(kind), graph[kind][k])
                known.setdefault(_LISTS[kind], {}).setdefault(whole.partition("\n")[0], row)
        document.known = known
    return document.known
