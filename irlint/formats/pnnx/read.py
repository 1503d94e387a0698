"""From operators to a graph; what is wrong with its lines, names, words and weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from irlint.checks.layer_counts import count_problems
from irlint.checks.names import Terms, name_problems
from irlint.codes import R, Severity
from irlint.findings import Fix, Problem
from irlint.formats.layers_graph import Nodes, fill_graph
from irlint.formats.pnnx.operators import facts_of, operator_problems
from irlint.formats.pnnx.weights import tensor_problems, weight_problems
from irlint.graph import NOWHERE, UNKNOWN, Source, Type
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.layers.document import LayerDocument, LayerRow
from irlint.text.layers.values import parameters

KINDS = {"pnnx.Input": "var", "pnnx.Attribute": "const"}
TERMS = Terms("operator", "operand", lambda row: False)  # weights have names


def read(model: Model, document: LayerDocument) -> Iterator[Problem]:
    model_facts = list(map(facts_of, document.rows))

    def types(index: int, row: LayerRow) -> Sequence[Type]:
        known = model_facts[index].types
        return [known.get(name, UNKNOWN) for name in row.outputs]

    graph = model.graph
    wiring = fill_graph(model, document, Nodes(KINDS, types, _attributes))
    ends = [(node, k) for node in graph.nodes if node.op == "pnnx.Output" for k in range(len(node.inputs))]
    ends = [(node, k) for node, k in ends if node.inputs[k] != NOWHERE]
    graph.outputs = [Source(*node.inputs[k]) for node, k in ends]
    graph.locate_output = lambda k: Place((ends[k][0].index, "inputs", ends[k][1]))
    yield from count_problems(document, wiring.made, TERMS)
    yield from name_problems(model, document, wiring, TERMS)
    yield from _header_problems(document) or (*_spaces(document), *_line_problems(document))
    yield from operator_problems(model, document, model_facts)
    yield from tensor_problems(graph, model_facts)
    yield from weight_problems(model, model_facts)


@lru_cache(maxsize=1 << 14)
def _attributes(params: str) -> dict[str, Any]:
    return {key: value for key, value in parameters(params).items() if key[:1] != "#"}  # types belong to values


# What pnnx reads line by line: the header, one operator a line, words that are separated by one space


def _header_problems(document: LayerDocument) -> Sequence[Problem]:
    words = [document.header[which] for which in ("layers", "blobs") if which in document.header]
    wrong = [word for word in words if document.lines.position(word.start).line != 2]
    message = "expected both counts on the second line"
    return [Problem(R.syntax_error, Span(word.start, word.end), message) for word in wrong[:1]]


def _line_problems(document: LayerDocument) -> Iterator[Problem]:
    """Report operators that are not on a line of their own, from the third line on."""
    rows, starts, line = document.rows, document.lines.starts, 2
    if not rows or document.troubles or (rows[-1].line == len(rows) + 1 and rows[-1].lines == 1):
        return
    for k, row in enumerate(rows):
        for blank in range(line, row.line):
            span = Span(starts[blank], starts[blank + 1])
            message = "blank line before the last operator; pnnx reads it as an operator without a type"
            yield Problem(R.syntax_error, span, message, fix=partial(_fixed, "Remove the line", (Edit(span, ""),)))
        if row.lines > 1:
            yield Problem(R.syntax_error, Place((k,)), "an operator has to be on one line", row.name)
        line = row.line + row.lines


def _spaces(document: LayerDocument) -> Iterator[Problem]:
    """Report the first line that ends with white space, which is one more parameter, without a name."""
    text, edits = document.text, list[Edit]()
    if not any(sign in text for sign in (" \n", "\r", "\t\n")):
        return
    for row in document.rows:
        start, end = document.whole_lines(row)
        line = text[start:end].removesuffix("\n")
        if line != (kept := line.rstrip()):
            edits.append(Edit(Span(start + len(kept), start + len(line)), ""))
    if edits:
        message = "white space at the end of an operator's line, which pnnx reads as a parameter without a name"
        message += f" ({len(edits):,} lines)" if len(edits) > 1 else ""
        fix = partial(_fixed, "Remove white space at the end of lines", tuple(edits))
        is_line_end = text[slice(*edits[0].span)] == "\r"  # of Windows, in all lines
        severity = Severity.WARNING if is_line_end else None
        yield Problem(R.syntax_error, edits[0].span, message, fix=fix, severity=severity)


def _fixed(title: str, edits: tuple[Edit, ...], document: Document) -> Fix:
    return Fix(title, edits)
