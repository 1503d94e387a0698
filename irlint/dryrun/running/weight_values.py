"""Weights with suspicious values. Finding them reads all weights."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R
from irlint.dryrun.dtypes import is_float
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.weights import Statistics, statistics, values
from irlint.findings import Problem
from irlint.graph import Graph, Node, label
from irlint.text.words import count

RULES = (R.nan_weights, R.zero_weights, R.denormal_weights)


def value_problems(graph: Graph, mapping: Mapping) -> Iterator[Problem]:
    """Report NaN and infinite values, zeros alone, and denormal values of the constants of a graph and those nested in it."""
    for each in graph.walk():
        for node in each.nodes:
            if node.inputs:
                continue
            array = values(mapping, node)
            if array is None:
                continue
            dtype = node.outputs[0].type.dtype if node.outputs else None
            dtype = dtype or array.dtype.name
            if is_float(dtype):
                yield from _of(each, node, statistics(array, dtype), array.size, dtype)


def _of(graph: Graph, node: Node, found: Statistics, size: int, dtype: str) -> Iterator[Problem]:
    place, name = graph.place(node, "name"), label(node)
    if found.nan or found.infinite:
        said = [f"{number:,} {word}" for number, word in ((found.nan, "NaN"), (found.infinite, "infinite")) if number]
        yield Problem(R.nan_weights, place, f"{name} holds {' and '.join(said)} of {count(size, 'value')}", node.name)
    if size > 1 and found.zeros == size:
        yield Problem(R.zero_weights, place, f"all {count(size, 'value')} of {name} are zero", node.name)
    if found.denormal and dtype != "float16":  # in 16 bits all small numbers are
        yield Problem(
            R.denormal_weights, place, f"{name} holds {found.denormal:,} denormal of {count(size, 'value')}", node.name
        )
