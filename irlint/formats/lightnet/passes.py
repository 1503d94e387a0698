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
from irlint.formats.lightnet.walk import walk_all
from irlint.rules.base import Model


def check(model: Model) -> Iterator[Problem]:
    """What is wrong with the operators of a graph that was read.

    Leaves the tensors' types in model.extra: `tensors` as repairs would make them, `written` as the file has them.
    """
    graph, found = model.graph, reading(model)
    walk = walk_all(model, graph, found)
    yield from walk.problems
    prepared, inference = walk.ready, walk.inference
    model.extra["prepared"] = prepared
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
