"""Results that are drawn: each run, and each runtime, has others."""

from __future__ import annotations

from irlint.dryrun.infer import order_of
from irlint.proving.outputs import OutputPair
from irlint.proving.running import Side


def by_chance(a: Side, b: Side, wrong: list[OutputPair]) -> bool:
    """Return whether all outputs that differ depend on numbers that are drawn; false if none differs."""
    if not wrong:
        return False
    ours, theirs = _drawn(a), _drawn(b)
    return all(pair.a in ours or pair.b in theirs for pair in wrong)


def _drawn(side: Side) -> set[str]:
    """Return the names of outputs that depend on numbers that are drawn."""
    found: set[int] = set()
    for index in order_of(side.graph):
        if _draws(side, index) or any(source[0] in found for source in side.graph.nodes[index].inputs):
            found.add(index)
    makers = side.mapping.outputs(side.graph)
    return {names[0] for (names, _), source in zip(side.named_outputs(), makers, strict=True) if source[0] in found}


def _draws(side: Side, index: int) -> bool:
    call = side.mapping.sound_call(side.graph, side.graph.nodes[index])
    return call is not None and call.operator.is_random
