"""A document after an edit of its text: records that the edit left as they were are not read again."""

from __future__ import annotations

from collections.abc import Mapping

from irlint.formats.onnx.adopt import Adoption
from irlint.formats.onnx.messages import MODEL
from irlint.formats.onnx.parse import Known, KnownRecords, Parser
from irlint.formats.onnx.wire import Tree
from irlint.text.base import Path, Span, Step

# The list of the text that a record is in
_LISTS: dict[Step, str] = {
    "node": "node", "input": "input", "output": "output", "value_info": "value_info", "initializer": "value_info",
}  # fmt: skip


def known_records(text: str, graph: Tree, records: Mapping[Path, Span]) -> KnownRecords:
    """Return the records of a document's graph by the lists that they are in, and their first lines."""
    found: dict[Step, dict[str, Known]] = {}
    usual = {span.start for path, span in records.items() if path[-2:-1] == ("initializer",)}
    for path, (start, end) in records.items():
        if len(path) != 3 or path[0] != "graph" or (path[1] == "input" and start in usual):
            continue
        _, kind, k = path
        assert isinstance(kind, str) and isinstance(k, int)
        if kind in _LISTS and k < len(graph.get(kind, ())):  # a graph that was given up is not in the tree
            whole = text[start:end]
            row = Known(whole, kind, graph[kind][k])
            found.setdefault(_LISTS[kind], {}).setdefault(whole.partition("\n")[0], row)
    return found


def read_again(text: str, tree: Tree, known: KnownRecords) -> tuple[Parser, Tree, Adoption]:
    """Return what reads a changed text, its tree, and what of the old tree is in that."""
    parser, adoption = Parser(text, known=known), Adoption()
    return parser, adoption.message(MODEL, tree, parser.model()), adoption
