"""What the messages of a model hold: graphs in graphs, calls, and what appears twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from irlint.formats.onnx.wire.reader import Packed
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree


def graphs_of(call: Tree) -> Iterator[tuple[Path, Tree]]:
    """Yield the graphs of a call, each with the path from the call to it."""
    for j, attribute in enumerate(call.get("attribute", ())):
        if "g" in attribute:
            yield ("attribute", j, "g"), attribute["g"]
        for k, graph in enumerate(attribute.get("graphs", ())):
            yield ("attribute", j, "graphs", k), graph


def calls_in(calls: Sequence[Tree]) -> Iterator[Tree]:
    """Yield calls, and those in graphs of theirs."""
    for call in calls:
        yield call
        for _, graph in graphs_of(call) if "attribute" in call else ():
            yield from calls_in(graph.get("node", ()))


def roots_of(model: Tree) -> list[Tree]:
    """Return the graph of a model, and its functions."""
    return [model.get("graph", {}), *model.get("functions", ())]


def names_of(values: Iterable[Any]) -> list[str]:
    """Return the names of inputs, outputs or initializers, of which functions have only names."""
    return [one if isinstance(one, str) else one.get("name", "") for one in values]


def numbers_of(values: Any) -> Any:
    """Return the numbers of a field of a tensor, packed or not."""
    return values.numbers() if isinstance(values, Packed) else values


def repeated(items: Iterable[Any]) -> Iterator[tuple[int, int]]:
    """Yield the index of each item that equals one before it, and the index of the first of them."""
    first: dict[Any, int] = {}
    for k, item in enumerate(items):
        if (before := first.setdefault(item, k)) != k:
            yield k, before
