"""A flat view as text, in the style of its source file."""

from __future__ import annotations

from irlint.inspection.flat_view import Flat, FlatNode, written
from irlint.text.base import Document
from irlint.text.listing.document import ListingDocument


def listing(flat: Flat, document: Document | None = None) -> str:
    """The listing of a model; one that was read from a listing keeps its header, quotes, line ends, and its very text
    if that is equal.
    """
    nodes = flat.nodes
    if not isinstance(document, ListingDocument):
        return flat.text()
    if [(n.nId, n.op_name, list(n.inputs)) for n in nodes] == [(r.id, r.op, r.inputs) for r in document.rows]:
        return document.text
    lines = document.newline.join(_line(node, document.quote) for node in nodes)
    return document.header + lines + (document.newline if document.text.endswith(("\n", "\r")) else "")


def _line(node: FlatNode, quote: str) -> str:
    items = [str(item) if isinstance(item, int) else _quoted(item, quote) for item in node.inputs]
    return f"{node.nId} {written(node.op_name)} [{', '.join(items)}]"


def _quoted(name: str, quote: str) -> str:
    """The name as Python writes it, in the quotes asked for where those do not stand in it."""
    if quote == '"' and '"' not in name:
        return '"' + repr("'" + name)[2:]
    return repr(name)
