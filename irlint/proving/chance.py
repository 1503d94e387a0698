"""Results that are drawn: each run, and each runtime, has others."""

from __future__ import annotations

from irlint.dryrun.infer import order_of
from irlint.proving.outputs import OutputPair
from irlint.proving.running import Side


def by_chance(a: Side, b: Side, outputs: list[OutputPair]) -> bool:
    """Return whether outputs depend on numbers that are drawn; false if there are none."""
    if not outputs:
        return False
    ours, theirs = _drawn(a), _drawn(b)
    return all(pair.a in ours or pair.b in theirs for pair in outputs)


def _drawn(side: Side) -> set[str]:
    """Return the names of outputs that depend on numbers that are drawn."""
    found: set[int] = set()
    sources = set(side.mapping.random(side.graph))
    for index in order_of(side.graph):
        if index in sources or any(source[0] in found for source in side.graph.nodes[index].inputs):
            found.add(index)
    makers = side.mapping.outputs(side.graph)
    return {names[0] for (names, _), source in zip(side.named_outputs(), makers, strict=True) if source[0] in found}
