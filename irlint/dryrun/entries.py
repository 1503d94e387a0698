"""Rows of tables of operators: which operator of the dry run each type of a format is, and what its attributes mean to that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import prod
from typing import Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call, Complete, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape
from irlint.records import NamedTuple

Values = Any  # the attributes of a node, written or by default: `values[label]`; a format's own may tell more


class Of(NamedTuple):
    """What a function makes of one attribute; errors are about that attribute."""

    label: str
    made: Callable[[Any], Any]


# What a keyword is by the attributes: one by its label, what is made of one, several, or what is computed from all of them
Spec = str | Of | tuple[str, ...] | Callable[[Values], Any]
# Of operands, as `Call.inputs` has them; a label is the attribute that is the operand: `values.operand(label)`
Origins = Sequence[int | str | FromAttr | None]
Demands = Sequence[tuple[str, Sequence[str]]]


def constant(value: Any) -> Spec:
    return lambda _: value


class Written(NamedTuple):
    """What a file whose loader reads weights says of a node besides values: what it calls each label, how large each array is (None:
    unknown), how many inputs there are, and which attributes are written."""

    keys: Mapping[str, str]
    sizes: Mapping[str, int | None]
    inputs: int
    attrs: Collection[str]


class Entry(NamedTuple):
    """A row. `attrs` is what each keyword of the operator is by the attributes, `fixed` what no attribute says; with `every`, the other
    attributes are keywords by their own names. `operands` are the origins of operands, if they are not the node's inputs in order; for
    `complete`, `apart`, `demands` and `ports` see `Call`. Of a node with an attribute of `unless` that is not 0, nothing is known.

    `weights`: arrays of the weights file, with their shapes (labels, numbers, -1 for the rest, or a function); they are operands
    after `inputs` others. `rest`: what a -1 is, by the values and the shape of the first input, if the file does not say how large its
    weights are. `blame`: labels of the attributes that an error in a keyword is about, if not those of `attrs`.
    """

    operator: str | Callable[[Values], str]
    attrs: Mapping[str, Spec] = {}
    weights: Mapping[str, Any] = {}
    inputs: int = 1
    blame: Mapping[str, tuple[str, ...]] = {}
    rest: Callable[[Values, Shape], Dim] | None = None
    fixed: Mapping[str, Any] = {}
    operands: Origins | Callable[[Values], Origins] | None = None
    complete: Callable[[Values], Complete] | None = None
    apart: bool = False
    demands: Demands | Callable[[Values], Demands] = ()
    unless: Sequence[str] = ()
    every: bool = False
    ports: Sequence[str] = ()

    def having(self, attrs: Mapping[str, Spec] | None = None, /, **fixed: Any) -> Entry:
        """Return the same row with more keywords, by attributes or fixed."""
        return self._replace(attrs={**self.attrs, **(attrs or {})}, fixed={**self.fixed, **fixed})

    def call(self, values: Values, written: Written | None = None) -> Call:
        """Return the call of a node with such values."""
        if self.unless and any(values[label] for label in self.unless):
            raise Undecided
        attrs: dict[str, Any] = values.all() if self.every else {}
        for keyword, spec in self.attrs.items():
            attrs[keyword] = value_of(spec, values)
        word = self.operator if isinstance(self.operator, str) else self.operator(values)
        places = self.operands(values) if callable(self.operands) else self.operands
        origins = None if places is None else [values.operand(o) if isinstance(o, str) else o for o in places]
        if written is not None and self.weights:
            origins = self._weighed(values, written)
        complete = None if self.complete is None else self.complete(values)
        call = Call(operator(word), {**attrs, **self.fixed}, origins, Blamed(self, written), None, complete, self.apart)
        call.demands = self.demands(values) if callable(self.demands) else self.demands
        call.ports = self.ports
        return call

    def _weighed(self, values: Values, written: Written) -> list[int | FromAttr | None]:
        """Return the inputs, and behind those that every such node has, the weights; inputs may take their places."""
        keys, count = written.keys, written.inputs
        operands: list[int | FromAttr | None] = [k if k < count else None for k in range(self.inputs)]
        key = next((keys[label] for label in ("weight_data_size", *keys) if keys.get(label, "") in written.attrs), "")
        rest = iter(range(self.inputs, count))
        for name, dims in self.weights.items():
            if name not in written.sizes:
                operands.append(next(rest, None))
                continue
            own = keys.get(f"{name}_size", "")
            tensor = Tensor("float32", _filled(dims, written.sizes[name], values))
            operands.append(FromAttr(own if own in written.attrs else key, tensor, name))
        operands += rest
        while operands and operands[-1] is None:
            operands.pop()
        return operands


# What a table has for an operator: an entry, entries by the version since when each holds, newest first, or what no entry can say
Row = Entry | Mapping[int, Entry] | Callable[[Any], Call]


def call_of(row: Row, values: Values) -> Call:
    """Return the call that a row makes of a node; `values.opset` is its version, where rows depend on it."""
    if isinstance(row, Mapping):
        row = next(one for since, one in row.items() if since <= max(values.opset, 1))
    return row.call(values) if isinstance(row, Entry) else row(values)


class Blamed(NamedTuple):
    """The attribute that an error in a keyword of the operator is about: one that is written, if any is."""

    entry: Entry
    written: Written | None

    def get(self, keyword: str, default: str, /) -> str:
        labels = self.entry.blame.get(keyword, labels_of(self.entry.attrs.get(keyword)))
        if self.written is None:
            return labels[0] if labels else default
        found = [self.written.keys[label] for label in labels if label in self.written.keys]
        return next((key for key in found if key in self.written.attrs), found[0] if found else default)


def own(*labels: str) -> dict[str, Spec]:
    """Return attributes by their own names."""
    return {label: label for label in labels}


def plain(word: str, *labels: str, **fixed: Any) -> Entry:
    """Return an operator with these attributes by their own names, and settings that no attribute says."""
    return Entry(word, own(*labels), fixed=fixed)


def whole(word: str, **fixed: Any) -> Entry:
    """Return an operator with all attributes by their own names."""
    return Entry(word, fixed=fixed, every=True)


def value_of(spec: Spec, values: Values) -> Any:
    """Return what a table says of a keyword, from the values of all labels."""
    if isinstance(spec, str):
        return values[spec]
    if isinstance(spec, Of):
        return spec.made(values[spec.label])
    return tuple([values[label] for label in spec]) if isinstance(spec, tuple) else spec(values)


def labels_of(spec: Spec | None) -> tuple[str, ...]:
    """Return the attributes that a table names for a keyword."""
    if isinstance(spec, Of):
        return (spec.label,)
    if isinstance(spec, str):
        return (spec,)
    return () if spec is None or callable(spec) else spec


def _filled(dims: Any, size: int | None, values: Values) -> Shape | None:
    """Return the shape of weights; -1 is what is left of their size, or unknown if the size is."""
    dims = dims(values) if callable(dims) else dims
    found = [dim(values) if callable(dim) else values[dim] if isinstance(dim, str) else dim for dim in dims]
    if size is None:
        return tuple(None if dim == -1 else dim for dim in found)
    rest = prod(dim for dim in found if dim != -1)
    found = [(size // rest if rest and size % rest == 0 else 0) if dim == -1 else dim for dim in found]
    return tuple(found) if prod(found) == size else None
