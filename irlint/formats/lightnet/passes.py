"""The passes of a graph that was read, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.lightnet.constants import constant_problems
from irlint.formats.lightnet.declared import corrected, outvoted_problems
from irlint.formats.lightnet.extras import extra_problems
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.shapes.blame import blamed
from irlint.formats.lightnet.targets import target_problems
from irlint.formats.lightnet.unused import unused_problems
from irlint.formats.lightnet.walk import walk_all
from irlint.rules.base import Model


def check(model: Model) -> Iterator[Problem]:
    """What is wrong with the operators of a graph that was read.

    Leaves the tensors' types in the model's state: `tensors` as repairs would make them, `written` as the file has them.
    """
    graph, found = model.graph, state_of(model)
    walk = walk_all(model, graph, found)
    yield from walk.problems
    prepared, inference = walk.ready, walk.inference
    found.prepared, found.written = prepared, inference.types
    if (better := corrected(graph, found, prepared, inference)) is not None:
        yield from outvoted_problems(model, better, inference)
        inference = better
    inference, problems = blamed(graph, prepared, inference)
    yield from problems
    found.tensors = inference.types
    yield from constant_problems(graph, prepared, inference.types)
    yield from unused_problems(model)
    yield from target_problems(model)
    yield from extra_problems(model)
