"""Types of every port of an OpenVINO model, bodies included, as JSON holds them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def model(given: Any) -> list[Any]:
    """Return rows of a node's path, its operator, and its outputs' types: [element type, dimensions]."""
    rows: list[Any] = []
    _collect(given, [], rows)
    return rows


def nodes(given: Any) -> Iterator[Any]:
    """Yield the nodes of a model and of its bodies."""
    for node in given.get_ordered_ops():
        yield node
        for body in _bodies(node):
            yield from nodes(body)


def _collect(given: Any, path: list[str], rows: list[Any]) -> None:
    for node in given.get_ordered_ops():
        place = [*path, node.get_friendly_name()]
        kind = node.get_type_name()
        rows.append([place, kind, [_type(port) for port in node.outputs()]])
        for k, body in enumerate(_bodies(node)):
            _collect(body, [*place, str(k)], rows)


def _bodies(node: Any) -> list[Any]:
    """Return the models inside a node: of an If its two branches."""
    kind = node.get_type_name()
    if kind == "If":
        return [node.get_function(0), node.get_function(1)]
    return [node.get_function()] if kind in ("Loop", "TensorIterator") else []


def _type(port: Any) -> list[Any]:
    shape = port.get_partial_shape()
    dims = None if shape.rank.is_dynamic else [_dim(dim) for dim in shape]
    return [port.get_element_type().get_type_name(), dims]


def _dim(dim: Any) -> Any:
    """Return a length, or its bounds; -1 is no upper bound."""
    return dim.get_length() if dim.is_static else [dim.get_min_length(), dim.get_max_length()]
