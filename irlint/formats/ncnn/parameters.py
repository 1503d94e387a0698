"""Layers against the operator table: types, numbers of inputs and outputs, parameters and what they demand of each other."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from irlint import work
from irlint.checks.gate import condition
from irlint.checks.signature import evaluate
from irlint.findings import Problem
from irlint.formats.ncnn.arguments import is_too_large, oldest, signature, values_of
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.layers.document import MOST_ELEMENTS, LayerDocument, LayerRow
from irlint.text.layers.values import parameters

if TYPE_CHECKING:
    from irlint.checks.fault import Fault

WRITTEN = attrgetter("op", "params", "counts")


def parameter_problems(model: Model, document: LayerDocument) -> Iterator[Problem]:
    """Report what is wrong with layers by themselves."""
    known, target = table("ncnn"), oldest(model)
    custom: Mapping[str, Any] | None = model.options.get("extensions", {}).get("ncnn")  # empty: any type
    if odd := odd_layers(model, document):
        from irlint.checks.fault import Subject
        from irlint.formats.ncnn.grammar import GRAMMAR
    for k in odd:
        node, row = model.graph.nodes[k], document.rows[k]
        is_custom = custom is not None and (node.op in custom or (not custom and node.op not in known))
        if id(node) not in model.silent and not is_custom:
            found = faults_of(row, target)
            if len(found) == MOST_ELEMENTS:
                work.spend(sys.maxsize, "checks of layers with many problems")
            for fault in found:
                problem = GRAMMAR.problem(Subject.of(model.graph, node), fault)
                problem.taken = fault.taken or ""
                yield problem


def faults_of(row: LayerRow, target: int) -> Sequence[Fault]:
    from irlint.formats.ncnn.grammar import unknown_type  # only files with odd layers need it

    return faults(*WRITTEN(row), target) if row.op in table("ncnn") else [unknown_type(row.op)]


def odd_layers(model: Model, document: LayerDocument) -> list[int]:
    """Return the layers with which something is wrong. Those that are written alike are judged once."""
    known, target = table("ncnn"), oldest(model)
    kinds = set(map(WRITTEN, document.rows))
    wrong = {kind for kind in kinds if kind[0] not in known or faults(*kind, target)}
    return [k for k, row in enumerate(document.rows) if WRITTEN(row) in wrong] if wrong else []


@lru_cache(maxsize=1 << 16)
def faults(op: str, params: str, counts: tuple[int, int], target: int) -> tuple[Fault, ...]:
    """Return what is wrong with a layer, the first of very many. Layers that are written alike have the same faults."""
    if _is_sound(op, params, counts, target):
        return ()
    from irlint.formats.ncnn.grammar import NcnnLayer

    return tuple(islice(NcnnLayer(op, params, *counts, target).faults(), MOST_ELEMENTS))


def _is_sound(op: str, params: str, counts: tuple[int, int], target: int) -> bool:
    """Return whether a layer has plain numbers only, all of which it can have."""
    (types, test), attrs = _gate(op, target), parameters(params)
    if params.count("=") > len(attrs):
        return False
    for key, value in attrs.items():
        if types.get(key) is not type(value) or is_too_large(value):
            return False
    return bool(evaluate(test, {**values_of(op, params), "inputs": counts[0], "outputs": counts[1]}))


@cache
def _gate(op: str, target: int) -> tuple[dict[str, type], str]:
    """Return which parameters a release reads as numbers, and what has to hold of them."""
    operator, types = signature(op).operator, {"int": int, "float": float}
    read: dict[str, type] = {
        key: types[one.kind]
        for key, one in operator.attributes.items()
        if one.kind in types and one.facts.get("since", 0) <= target <= one.facts.get("until", target)
    }
    is_there = operator.facts.get("since", 0) <= target and operator.facts.get("built", True)
    return read, condition(operator) if is_there else "False"
