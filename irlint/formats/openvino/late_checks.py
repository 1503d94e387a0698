"""Checks that need inferred types: of bodies and what feeds them, of states, of ranks, of what ports declare."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.dryrun.check import LazyInference
from irlint.findings import Problem
from irlint.formats.openvino.reading.reader import VARIABLES
from irlint.formats.openvino.state import state_of
from irlint.rules.base import Model
from irlint.text.xml.document import XmlDocument


def late_checks(model: Model, problems: list[Problem]) -> Iterator[Problem]:
    state, types = state_of(model), model.types
    sections, computed = state.sections, state.computed
    are_declared = isinstance(types, LazyInference)  # each port declares the real type
    is_quiet = are_declared and not problems and not computed
    if types is None or not sections or (is_quiet and all(part.types.isdisjoint(VARIABLES) for part in sections)):
        return
    from irlint.formats.openvino.blame import Blame
    from irlint.formats.openvino.bodies.entries import fed_problems, sliced_problems
    from irlint.formats.openvino.bodies.variable_types import unlike_problems
    from irlint.formats.openvino.declared import input_problems
    from irlint.formats.openvino.passes.computed import computed_problems, emptied_problems
    from irlint.formats.openvino.passes.unknown_rank import rank_problems

    blame, binary, first = Blame(types, sections), state.weights, sections[0]
    assert isinstance(model.document, XmlDocument)
    yield from sliced_problems(sections, blame)
    yield from fed_problems(sections, blame)
    yield from unlike_problems(sections, blame)
    if not first.types.isdisjoint(("OneHot", "ReadValue")):
        from irlint.formats.openvino.passes.plugin_types import type_problems

        yield from type_problems(first, blame)
    yield from computed_problems(first, computed, blame, binary)
    if not are_declared:
        yield from rank_problems(first, blame, binary, computed)
    yield from emptied_problems(first, blame)
    for section in () if are_declared else sections:
        yield from input_problems(model.document, section, blame)
