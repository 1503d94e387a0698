"""The passes of a graph that was read, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.lightnet.blame import blamed
from irlint.formats.lightnet.constants import constant_problems
from irlint.formats.lightnet.declared import corrected, outvoted_problems
from irlint.formats.lightnet.extras import extra_problems
from irlint.formats.lightnet.reading import reading
from irlint.formats.lightnet.targets import target_problems
from irlint.formats.lightnet.unused import unused_problems
from irlint.formats.lightnet.walk import Walk, walk_all
from irlint.rules.base import Model


def check(model: Model) -> Iterator[Problem]:
    """What is wrong with the operators of a graph that was read.

    Leaves the tensors' types in model.extra: `tensors` as repairs would make them, `written` as the file has them.
    """
    graph, found = model.graph, reading(model)

    def revise(unsure: bool, before: Walk) -> Walk | None:
        from irlint.formats.lightnet.passes_again import walk_again

        if (unsure or found.unsure) and any(source[0] >= n.index for n in graph.nodes for source in n.inputs):
            return None  # what is defined later has no type yet
        return walk_again(model, graph, found, before)

    if model.silent:
        walk = walk_all(model, graph, found)
    else:
        walk = model.memory.revised("walk", found.unsure, lambda: walk_all(model, graph, found), revise)
    for problems in walk.problems.values():
        yield from problems
    prepared = [operator for operator in walk.ready if operator is not None]
    model.extra["prepared"] = prepared
    inference = walk.inference
    if (better := corrected(graph, found, prepared, inference)) is not None:
        yield from outvoted_problems(model, better, inference)
        inference = better
    model.extra["written"] = walk.inference.types
    inference, problems = blamed(graph, prepared, inference)
    yield from problems
    model.extra["tensors"] = inference.types
    yield from constant_problems(graph, prepared, inference.types)
    yield from unused_problems(model)
    yield from target_problems(model)
    yield from extra_problems(model)
