"""Tables of operators: which operator of the dry run each type of a format is, and what its parameters, by label, mean to that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from irlint.dryrun.mapping import Call, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Node, Shape
from irlint.records import NamedTuple

Values = dict[str, Any]
Spec = str | tuple[str, ...] | Callable[[Values], Any]  # a label, several, or what computes the value from all of them


def constant(value: Any) -> Spec:
    return lambda _: value


class Entry(NamedTuple):
    """`weights`: arrays of the weights file, with their shapes (labels, numbers, -1 for the rest, or a function); they are operands
    after `inputs` others.
    `blame`: labels of the parameters that an error in an attribute is about. `rest`: what a -1 is, by the values and the shape of the
    first input, if the file does not say how large its weights are.
    """

    operator: str | Callable[[Values], str]
    attrs: Mapping[str, Spec] = {}
    weights: Mapping[str, Any] = {}
    inputs: int = 1
    blame: Mapping[str, tuple[str, ...]] = {}
    rest: Callable[[Values, Shape], Dim] | None = None

    def call(self, node: Node, values: Values, keys: Mapping[str, str], sizes: Mapping[str, int | None]) -> Call:
        """Return the call of a node. `keys`: what the file calls each label; `sizes`: of the arrays that the loader reads, None if the
        file does not say how large they are.
        """
        attrs = {keyword: value_of(spec, values) for keyword, spec in self.attrs.items()}
        word = self.operator if isinstance(self.operator, str) else self.operator(values)
        operands = self._operands(node, values, keys, sizes) if self.weights else None
        return Call(operator(word), attrs, operands, Blamed(self, keys, node))

    def _operands(self, node: Node, values: Values, keys: Mapping[str, str], sizes: Mapping[str, int | None]) -> Any:
        """Return the inputs, and behind those that every such node has, the weights; inputs may take their places."""
        count = len(node.inputs)
        operands: list[Any] = [k if k < count else None for k in range(self.inputs)]
        key = next((keys[label] for label in ("weight_data_size", *keys) if keys.get(label) in node.attrs), "")
        rest = iter(range(self.inputs, count))
        for name, dims in self.weights.items():
            if name not in sizes:
                operands.append(next(rest, None))
                continue
            own = keys.get(f"{name}_size")
            tensor = Tensor("float32", _filled(dims, sizes[name], values))
            operands.append(FromAttr(own if own in node.attrs else key, tensor, name))
        operands += rest
        while operands and operands[-1] is None:
            operands.pop()
        return operands


class Blamed(NamedTuple):
    """The parameter that an error in an attribute of the operator is about: one that is written, if any is."""

    entry: Entry
    keys: Mapping[str, str]
    node: Node

    def get(self, keyword: str, default: str, /) -> str:
        spec = self.entry.attrs.get(keyword)
        labels = self.entry.blame.get(
            keyword, (spec,) if isinstance(spec, str) else spec if isinstance(spec, tuple) else ()
        )
        found = [self.keys[label] for label in labels if label in self.keys]
        return next((key for key in found if key in self.node.attrs), found[0] if found else default)


def value_of(spec: Spec, values: Values) -> Any:
    """Return what a table says of a keyword, from the values of all labels."""
    if isinstance(spec, str):
        return values[spec]
    return tuple([values[label] for label in spec]) if isinstance(spec, tuple) else spec(values)


def _filled(dims: Any, size: int | None, values: Values) -> Shape | None:
    """Return the shape of weights; -1 is what is left of their size, or unknown if the size is."""
    dims = dims(values) if callable(dims) else dims
    found = [dim(values) if callable(dim) else values[dim] if isinstance(dim, str) else dim for dim in dims]
    if size is None:
        return tuple(None if dim == -1 else dim for dim in found)
    rest = prod(dim for dim in found if dim != -1)
    found = [(size // rest if rest and size % rest == 0 else 0) if dim == -1 else dim for dim in found]
    return tuple(found) if prod(found) == size else None
