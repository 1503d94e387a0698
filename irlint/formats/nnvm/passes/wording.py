"""Pieces of messages: keys and values of a file, names of nodes, and how many there are of each."""

from __future__ import annotations

from collections.abc import Sequence


def code(text: str, limit: int = 60) -> str:
    """Return a text of the file as code, cut after `limit` characters."""
    if not text:
        return "an empty string"
    return f"`{text if len(text) <= limit else text[: limit - 3] + '...'}`"


def codes(texts: Sequence[str], limit: int = 8) -> str:
    """Return keys or values as a list, without those past the first `limit`."""
    return ", ".join(f"`{text}`" for text in texts[:limit]) + ", ..." * (len(texts) > limit)


def among(texts: Sequence[str], limit: int) -> str:
    """Return the keys or values of which one is expected."""
    return "one of " * (len(texts) > 1) + codes(texts, limit)


def names(texts: Sequence[str], limit: int = 3) -> str:
    """Return the names of nodes or arrays as a list, without those past the first `limit`."""
    return ", ".join(map(repr, texts[:limit])) + ", ..." * (len(texts) > limit)


def label(op: str, name: str) -> str:
    """Return a node as messages name it."""
    return f"{'variable' if op == 'null' else op} {name!r}"


def nodes(count: int) -> str:
    """Return which nodes a graph has, to follow "the graph has"."""
    return f"nodes 0 to {count - 1}" if count > 1 else "only node 0" if count else "no nodes"


def outputs(count: int) -> str:
    """Return which outputs a node has, to follow "it has"."""
    return "only output 0" if count == 1 else f"outputs 0 to {count - 1}" if count else "no outputs"
