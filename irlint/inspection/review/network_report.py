"""What two forms of a network have in common, as text and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from irlint.graph import Node
from irlint.inspection.review.difference import Network
from irlint.inspection.rounding import EXACT, type_of
from irlint.text import words
from irlint.text.safe import brief, visible

# What layers are called, by canonical operators
_WORDS = {
    "nn.conv2d": ("convolution", "convolutions"), "nn.conv2d_transpose": ("transposed convolution", "transposed convolutions"),
    "nn.matmul": ("matrix product", "matrix products"), "normalization": ("normalization", "normalizations"),
    "take": ("embedding", "embeddings"),
}  # fmt: skip
_MANY = 50  # layers that are shown
_FEW = 8  # kinds of operators that a line names


def verdict(network: Network) -> str:
    word = "same layers" if network.has_same_layers else "not the same layers"
    if network.others and not network.wrong and network.has_all_layers and network.layers:
        word = "another network of the same layers"
    layers = ", ".join(_layers(network)) or f"{words.count(network.nodes, 'node')} in both"
    alone = (
        f"{words.count(number, 'node')} only in the {which} one"
        for number, which in zip(network.alone, ("old", "new"), strict=True)
        if number
    )
    ends = "inputs or outputs differ" if network.ends else ""
    return f"{word}: {'; '.join(filter(None, (layers, _weights(network), *alone, ends)))}"


def _layers(network: Network) -> Iterator[str]:
    for op, (old, new, both, others) in sorted(network.layers.items(), key=lambda one: (-one[1][0], one[0])):
        word = _WORDS.get(op, (f"{op} layer", f"{op} layers"))
        if old:
            yield f"{both:,} of {words.count(old, *word)}"
        if new - others > old - both:
            yield f"{words.count(new - others, *word)} only in the new one"


def _weights(network: Network) -> str:
    rounding = network.rounding
    both = sum(row[2] for row in network.layers.values())
    if network.wrong:
        return f"the weights of {network.wrong:,} differ"
    if rounding is None or not both:
        return ""
    if network.unknown >= both:
        return "weights not compared"
    equal = "weights equal" if rounding == EXACT else f"weights equal as {type_of(rounding)}"
    return f"{equal}; {network.unknown:,} not compared" if network.unknown else equal


def apart_lines(network: Network) -> list[str]:
    """Return the layers whose weights differ by more than their types explain."""
    nodes = [pair.new[1] for pair in network.apart if pair.new is not None]
    lines = [f"~ {visible(brief(node.name, 200))} ({visible(node.op)}): other weights" for node in nodes[:_MANY]]
    return [*lines, *words.more_than(_MANY, nodes, "  ")]


def rewritten_lines(network: Network) -> list[str]:
    """Return a line for each pair of parts that stand in one place and consist of other operators."""
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


def record(network: Network) -> dict[str, Any]:
    return {
        "same_layers": network.has_same_layers,
        "layers": [
            {"operator": op, "old": old, "new": new, "old_found": found, "new_found": others}
            for op, (old, new, found, others) in network.layers.items()
        ],
        "rounding": None if network.rounding is None else type_of(network.rounding),
        "weights_differ": network.wrong,
        "inputs_outputs_differ": network.ends,
        "weights_not_compared": network.unknown,
        "only_old": network.alone[0],
        "only_new": network.alone[1],
        "rewritten": [
            {"old": [node.name for node in group.old], "new": [node.name for node in group.new]}
            for group in network.rewritten
        ],
    }
