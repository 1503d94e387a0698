"""Tables about a model, for an editor to show: the figures of `irlint run --shapes-only`, `flatten`, `ngrams` and `summary`."""

from __future__ import annotations

from typing import Literal

from irlint.formats.base import by_name
from irlint.graph import Node
from irlint.inspection import Flat, flatten
from irlint.inspection.ngrams import Along, Gram, table, traces
from irlint.inspection.summarized import cache, facts, states_of, summarized
from irlint.inspection.summary import ModelPort
from irlint.inspection.types import known_types, mapping_of, shape_text, typed_nodes
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.words import share

Cell = str | int | None


class Column(NamedTuple):
    name: str
    kind: Literal["text", "number"] = "text"


class PageRow(NamedTuple):
    """Cells, and the node that the row is about."""

    cells: tuple[Cell, ...]
    node: Node | None = None


class Table(NamedTuple):
    title: str
    columns: tuple[Column, ...]
    rows: list[PageRow]


class Page(NamedTuple):
    """What is shown of a model at once; `failure` says why there is nothing, or not all."""

    title: str
    tables: list[Table] = []
    facts: list[tuple[str, str]] = []
    failure: str = ""


def types_page(model: Model, upto: str | None = None) -> Page:
    """Return the types of all values, in file order, up to the node `upto`."""
    mapping = mapping_of(model)
    if mapping is None:
        return Page("Dry run", failure=f"irlint infers no shapes of {model.format} ({model.dialect})")
    rows = []
    for node, text in typed_nodes(model.graph, known_types(model, mapping)):
        rows.append(PageRow((node.op, node.name, text), node))
        if upto is not None and node.name == upto:
            break
    title = "Dry run" if upto is None else f"Dry run to {upto}"
    return Page(title, [Table("", (Column("operator"), Column("node"), Column("outputs")), rows)])


def flat_page(model: Model) -> Page:
    """Return the calls by id, with their inputs."""
    flat = flatten(model.graph)
    rows = [
        PageRow((node.nId, node.op_name, ", ".join(map(repr, node.inputs))), call)
        for node, call in zip(flat.nodes, flat.calls, strict=True)
    ]
    return Page("Flat view", [Table("", (Column("id", "number"), Column("operator"), Column("inputs")), rows)])


def ngrams_page(model: Model, n: int = 3, along: Along = "order") -> Page:
    """Return the sequences of n operators, the most frequent first; a row's node is where the first of them begins."""
    found = table(traces(model, ""), n, along)
    first = _first_windows(model, n)
    columns = (
        *(Column(name, "number") for name in _named("count", found.labels)),
        Column("share", "number"),
        Column("operators"),
    )
    total = sum(found.totals)
    rows = []
    for row in found.rows:
        counts = [tally.count for tally in row.tallies]
        cells: tuple[Cell, ...] = (*counts, share(sum(counts), total), " > ".join(row.gram))
        rows.append(PageRow(cells, first.get(row.gram)))
    title = "operators" if n == 1 else f"{n}-grams of operators"
    facts_ = [("in total", f"{round(total):,}"), ("different", f"{len(rows):,}")]
    return Page(f"{title} {'in order' if along == 'order' else 'along edges'}", [Table("", columns, rows)], facts_)


def _named(word: str, labels: tuple[str, ...]) -> list[str]:
    return [word] if len(labels) == 1 else [f"{word} {label}".strip() for label in labels]


def _first_windows(model: Model, n: int) -> dict[Gram, Node]:
    flat = Flat(model.graph)
    names, found = [node.op_name for node in flat.nodes], dict[Gram, Node]()
    for start, call in enumerate(flat.calls[: max(len(names) - n + 1, 0)]):
        found.setdefault(tuple(names[start : start + n]), call)
    return found


_PORTS = (Column("name"), Column("type"), Column("shape"))


def _port_cells(port: ModelPort) -> tuple[str, str | None, str]:
    return port.name, port.type.dtype, shape_text(port.type)


def summary_page(model: Model) -> Page:
    """Return operators, parameters, costs, inputs, outputs and states."""
    format_, mapping = by_name(model.format), mapping_of(model)
    summary = summarized(model, mapping, states_of(model, mapping))
    by_op = {node.op: node for graph in reversed(model.graph.walk()) for node in reversed(graph.nodes)}
    by_port = {node.name: node for node in reversed(model.graph.nodes)}
    tables = [
        Table(title, _PORTS, [PageRow(_port_cells(port), by_port.get(port.name)) for port in found])
        for title, found in (("Inputs", summary.inputs), ("Outputs", summary.outputs))
    ]
    if summary.states:
        rows = [PageRow((*_port_cells(ModelPort(*state[:2])), state.per_token)) for state in summary.states]
        tables.append(Table(f"States{cache(summary)}", (*_PORTS, Column("bytes per token", "number")), rows))
    operators = [PageRow((count, op), by_op.get(op)) for op, count in summary.operators.items()]
    tables.append(Table("Operators", (Column("count", "number"), Column("operator")), operators))
    head = [("format", f"{model.format}:{model.dialect}")]
    if format_:
        metadata = format_.metadata(model)
        said = [PageRow((section, name, value)) for section, pairs in metadata.items() for name, value in pairs.items()]
        if said:
            tables.append(Table("Metadata", (Column("section"), Column("name"), Column("value")), said))
        head += [(name, str(text)) for name, text in format_.facts(model)]
    return Page("Summary", tables, [*head, *facts(summary)])
