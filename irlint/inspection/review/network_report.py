"""What two forms of a network have in common, as text and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from irlint.graph import Node
from irlint.inspection.review.difference import Difference, Network
from irlint.inspection.rounding import EXACT, type_of
from irlint.text import words
from irlint.text.safe import brief, visible

# What layers are called, by canonical operators
_WORDS = {
    "nn.conv2d": ("convolution", "convolutions"), "nn.conv2d_transpose": ("transposed convolution", "transposed convolutions"),
    "nn.matmul": ("matrix product", "matrix products"), "normalization": ("normalization", "normalizations"),
    "take": ("embedding", "embeddings"),
}  # fmt: skip
_FEW = 8  # kinds of operators that a line names


def is_same(found: Difference, network: Network) -> bool:
    """Return whether both forms have the same layers, with the same weights and connections, and no form computes what the other does
    not."""
    others = found.changed or found.outputs or (found.added and found.removed)
    return not others and all(row[:2] == row[2:] for row in network.layers.values())


def verdict(found: Difference, network: Network) -> str:
    layers = ", ".join(_layers(network)) or f"{words.count(found.same, 'node')} in both"
    parts = filter(None, (layers, _weights(found, network), *_only(found)))
    return f"{'same' if is_same(found, network) else 'not the same'} network: {'; '.join(parts)}"


def _layers(network: Network) -> Iterator[str]:
    for op, (old, new, both, others) in sorted(network.layers.items(), key=lambda one: -one[1][0]):
        word = _WORDS.get(op, (f"{op} layer", f"{op} layers"))
        if old:
            yield f"{both:,} of {words.count(old, *word)}"
        if new - others > old - both:
            yield f"{words.count(new - others, *word)} only in the new one"


def _weights(found: Difference, network: Network) -> str:
    rounding = network.rounding
    both = sum(row[2] for row in network.layers.values())
    if rounding is None or not both:
        return ""
    wrong = sum(any(change.what == "weights" for change in entry.changes) for entry in found.changed)
    if wrong:
        return f"the weights of {wrong:,} differ"
    equal = "weights equal" if rounding == EXACT else f"weights equal but for rounding ({type_of(rounding)})"
    if network.unknown >= both:
        return "weights not compared"
    return f"{equal}, {network.unknown:,} not compared" if network.unknown else equal


def _only(found: Difference) -> Iterator[str]:
    for entries, which in ((found.removed, "old"), (found.added, "new")):
        if entries:
            yield f"{words.count(len(entries), 'node')} only in the {which} one"


def rewritten_lines(network: Network) -> list[str]:
    """Return a line for each way in which the same is computed by other operators."""
    ways: dict[tuple[str, str], list[Node]] = {}
    for old, new in network.rewritten:
        ways.setdefault((_ops(old), _ops(new)), []).append(old[0])
    return [
        f"= {old} -> {new} ({words.count(len(nodes), 'place')}), such as {visible(brief(nodes[0].name or nodes[0].op, 200))}"
        for (old, new), nodes in ways.items()
    ]


def _ops(nodes: list[Node]) -> str:
    often = Counter(node.op for node in nodes)
    names = [op if number == 1 else f"{number} {op}" for op, number in often.items()]
    return visible(", ".join(names[:_FEW]) + (" ..." if len(names) > _FEW else ""))


def record(difference: Difference, network: Network) -> dict[str, Any]:
    return {
        "same": is_same(difference, network),
        "layers": [
            {"operator": op, "old": old, "new": new, "old_found": found, "new_found": others}
            for op, (old, new, found, others) in network.layers.items()
        ],
        "rounding": None if network.rounding is None else type_of(network.rounding),
        "weights_not_compared": network.unknown,
        "rewritten": [
            {"old": [node.name for node in group.old], "new": [node.name for node in group.new]}
            for group in network.rewritten
        ],
    }
