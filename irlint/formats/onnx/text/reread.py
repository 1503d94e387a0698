"""A text after an edit: records that the edit left as they were are not read again."""

from __future__ import annotations

from collections.abc import Mapping

from irlint.formats.onnx.text.parse import KnownRecord, KnownRecords, TextParser
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.carry_over import CarryOver, Origins
from irlint.records import NamedTuple
from irlint.text.base import Path, Span, Step, Trouble
from irlint.text.prototext.messages import Tree

# The list of the text that a record is in
_LISTS: dict[Step, str] = {
    "node": "node", "input": "input", "output": "output", "value_info": "value_info", "initializer": "value_info",
}  # fmt: skip


class Reread(NamedTuple):
    """What the text after an edit says; `origins` are of what the messages that changed were made."""

    tree: Tree
    records: dict[Path, Span]
    troubles: list[Trouble]
    origins: Origins


def reread(text: str, known: KnownRecords, hidden: Tree | None) -> Reread:
    """Read a text of which records are known; `hidden` is the tree that has what the text does not show."""
    parser, carried = TextParser(text, known=known), CarryOver()
    tree = parser.model()
    if hidden is not None:
        tree = carried.message(MODEL, hidden, tree)
    return Reread(tree, parser.records, parser.troubles, carried.origins)


def known_records(text: str, tree: Tree, records: Mapping[Path, Span]) -> KnownRecords:
    """Return the records of a text's graph by the lists that they are in, and their first lines."""
    graph = tree.get("graph", {})
    known: dict[Step, dict[str, KnownRecord]] = {}
    usual = {span.start for path, span in records.items() if path[-2:-1] == ("initializer",)}
    for path, (start, end) in records.items():
        if len(path) != 3 or path[0] != "graph" or (path[1] == "input" and start in usual):
            continue
        _, kind, k = path
        assert isinstance(k, int)
        if kind in _LISTS and k < len(graph.get(kind, ())):  # a graph that was given up is not in the tree
            whole = text[start:end]
            row = KnownRecord(whole, str(kind), graph[kind][k])
            known.setdefault(_LISTS[kind], {}).setdefault(whole.partition("\n")[0], row)
    return known
