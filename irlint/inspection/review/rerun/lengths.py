"""Lengths of open dimensions that an old version takes and a new one does not, whatever both declare: a tool wrote those that it saw into
the new one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.codes import R
from irlint.dryrun.dims import is_known, show
from irlint.dryrun.infer import Inference, NodeShapeError, infer
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor
from irlint.findings import Problem
from irlint.graph import Node, label
from irlint.inspection.review.rerun.drawn import RunNumbers
from irlint.inspection.types import TypeLookup, mapping_of, type_lookup
from irlint.records import NamedTuple
from irlint.rules.base import Model

# Lengths that are multiples of something fit networks that halve them, and small ones those that are long enough already
_TRIED = ((0, 1), (1, 1), (0, 16), (1, 16), (0, 32))
_NAMED = 3  # inputs


class TypedVersion(NamedTuple):
    """A version of a model, and how types of it are looked up and inferred."""

    model: Model
    mapping: Mapping | None
    type_of: TypeLookup


def inferred(versions: Sequence[TypedVersion], drawn: RunNumbers) -> Iterator[tuple[TypedVersion, Inference]]:
    """Yield the types of all values of versions, for one length of each dimension of their inputs."""
    lengths: dict[str, Tensor] = {}
    for version in versions:
        graph = version.model.graph
        inputs = [graph.nodes[k] for k in graph.inputs]
        for node in inputs:
            type_ = version.type_of(graph, node, 0)
            if type_.shape is not None and node.name not in lengths:
                lengths[node.name] = Tensor(type_.dtype, drawn.shape(type_.shape))
        if version.mapping is not None:
            given = {node.index: lengths[node.name] for node in inputs if node.name in lengths}
            yield version, infer(graph, version.mapping, given)


def refused_lengths(old: Model, new: Model) -> Iterator[Problem]:
    """Report that the new version takes none of some lengths that the old one takes, unless it takes none at all."""
    versions = [TypedVersion(model, mapping_of(model), type_lookup(model)) for model in (old, new)]
    inputs = [] if isinstance(new.types, Inference) and _fatal(new.types) else _open_inputs(versions[0])
    failed: list[tuple[Inference, NodeShapeError]] = []
    for run, times in _TRIED if inputs else ():
        found = [types for _, types in inferred(versions, RunNumbers(run, times=times))]
        if len(found) < len(versions):  # no shape is known of a format
            return
        before, after = found
        if not _fatal(before):
            if not (mistakes := _fatal(after)):
                return
            failed.append((before, mistakes[0]))
    if failed:
        yield _problem(inputs, *failed[0])


def _open_inputs(version: TypedVersion) -> list[Node]:
    graph = version.model.graph
    types = ((graph.nodes[k], version.type_of(graph, graph.nodes[k], 0)) for k in graph.inputs)
    return [node for node, type_ in types if type_.shape is not None and not is_known(type_.shape)]


def _fatal(found: Inference) -> list[NodeShapeError]:
    return [one for one in found.all_mistakes() if one.error.outputs is None]


def _problem(inputs: Sequence[Node], before: Inference, mistake: NodeShapeError) -> Problem:
    given = ", ".join(
        f"{node.name!r} {show(before.given[node.index].shape)}"
        for node in inputs[:_NAMED]
        if node.index in before.given
    )
    message = f"the new version no longer takes every length: with {given}, {label(mistake.node)} fails: {mistake.error.message}"
    return Problem(R.narrowed_shape, mistake.graph.place(mistake.node, mistake.part), message, mistake.node.name)
