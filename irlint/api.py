"""The Python API: lint, load and flatten."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from irlint import engine
from irlint.findings import Finding
from irlint.graph import Graph

if TYPE_CHECKING:
    from irlint.flat import Flat


def _read(source: str | bytes | Path) -> tuple[bytes, str, Path | None]:
    if isinstance(source, Path):
        return source.read_bytes(), str(source), source
    if isinstance(source, bytes):
        return source, "<bytes>", None
    if "\n" not in source and not source.lstrip().startswith(("{", "[", "<")):
        return Path(source).read_bytes(), source, Path(source)
    return source.encode("utf-8", "surrogateescape"), "<text>", None


def lint(
    source: str | bytes | Path, *, as_format: str | None = None, settings: engine.Settings | None = None
) -> list[Finding]:
    """Findings of a file (a path) or of a model's text, sorted by place."""
    data, name, path = _read(source)
    return engine.lint_bytes(data, name, settings or engine.Settings(), as_format, path).findings


def load(source: str | bytes | Path, *, as_format: str | None = None) -> Graph:
    """The graph of a model, as far as it can be read; raises ValueError if it is no model at all."""
    data, name, path = _read(source)
    result = engine.lint_bytes(data, name, engine.Settings(), as_format, path)
    if result.model is None:
        raise ValueError(f"{name}: {result.findings[0].message if result.findings else result.why}")
    return result.model.graph


def flatten(graph: Graph, node_types: Iterable[str] = ("Call", "Var", "Constant")) -> Flat:
    """The flat view of a graph: its calls in depth-first post-order, with these kinds of node in their input lists."""
    from irlint.flat import flatten as make

    return make(graph, node_types)
