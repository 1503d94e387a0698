"""Tables of embeddings: a configuration has their sizes, too."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from irlint.codes import R
from irlint.companions.ports import Ports, find
from irlint.companions.report import Report
from irlint.dryrun.dims import show
from irlint.findings import Severity
from irlint.graph import Graph, Node, Shape
from irlint.text.base import Path

_TOKENS = "input_ids"
# What is the number of rows of a table, the input by which they are taken, or the end of the table's name, and how many more there may be
_ROWS = (
    ("vocab_size", _TOKENS, 0),
    ("type_vocab_size", "token_type_ids", 0),
    ("max_position_embeddings", ".position_embeddings.weight", 2),  # Nystromformer has them for padding
)


def check_tables(tree: Mapping[str, Any], model: Ports, file: str, report: Report) -> None:
    """Report sizes of a configuration that are not those of the tables of a model for tokens, their types and their places."""
    for key, name, more in _ROWS:
        shape = next(tables_of(model, name), None)
        if shape is not None and isinstance(shape[0], int) and tree.get(key) != shape[0] - more:
            claim_rows((key,), tree.get(key), shape, name, file, report)
    check_width(("dim" if "dim" in tree else "hidden_size",), tree, model, _TOKENS, file, report)  # `dim`: DistilBERT


def claim_rows(at: Path, said: Any, shape: Shape, name: str, of: str, report: Report) -> None:
    if isinstance(said, int):
        words = f"the table of {of} for '{name}' is {show(shape)}: the number of rows"
        report.claim(R.other_value, at, words, said, shape[0], severity=Severity.WARNING)


def check_width(at: Path, tree: Mapping[str, Any], model: Ports, name: str, file: str, report: Report) -> None:
    """Report a size of embeddings that no table for the tokens has, nor is any other size of the configuration that of the table."""
    shapes, said = list(tables_of(model, name)), tree.get(str(at[-1]))
    widths = {shape[1] for shape in shapes}
    if shapes and isinstance(said, int) and not widths & {value for value in tree.values() if isinstance(value, int)}:
        words = f"the table of {file} for '{name}' is {show(shapes[0])}: the size of an embedding"
        report.claim(R.other_value, at, words, said, shapes[0][1], severity=Severity.WARNING)


def tables_of(model: Ports, name: str) -> Iterator[Shape]:
    """Yield the shapes of the tables whose rows a model takes by an input, or of those with such a name."""
    graph, ids = model.model.graph if model.model is not None else None, find(model.inputs, name)
    if graph is None:
        return
    inputs = {index for index in graph.inputs if ids is not None and graph.nodes[index].name in ids.names}
    for node in graph.nodes:
        is_named = not inputs and node.name.endswith(name)
        table = node if is_named else _taken(graph, node, inputs)
        shape = None if table is None else _shape(table)
        if shape is not None and len(shape) == len("VH"):
            yield shape


def _taken(graph: Graph, node: Node, inputs: Collection[int]) -> Node | None:
    """Return the table of which a node takes the rows that one of these inputs names."""
    sources = [source.node for source in node.inputs[:2]]
    is_taking = node.op == "Gather" and len(sources) == len(("table", "index")) and sources[1] in inputs
    return graph.nodes[sources[0]] if is_taking and sources[0] >= 0 else None


def _shape(node: Node) -> Shape | None:
    return node.outputs[0].type.shape if node.outputs else None
