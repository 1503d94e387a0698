"""Abstract tensors: dtype, shape, and the values of small ones, computed on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from irlint.dryrun.dims import is_known, numel
from irlint.graph import Shape, Type

VALUE_LIMIT = 4096  # elements; those of larger tensors are not tracked

# An entry of a value: a number, a symbol, (low, high) with None for "no bound", or None: nothing known of it.
Entry = Any
Entries = tuple[Entry, ...]


class Tensor:
    """dtype and shape (None: unknown), and optionally the elements in C order.

    `stored`: the file holds the elements themselves, they are not computed. Some runtimes treat the two differently.
    """

    __slots__ = ("_lazy", "_value", "dtype", "shape", "stored", "type")

    def __init__(
        self,
        dtype: str | None = None,
        shape: Shape | None = None,
        value: Entries | None = None,
        lazy: tuple[Callable[[], Entries | None], Sequence[Tensor]] | None = None,
        stored: bool = False,
    ) -> None:
        self.dtype = dtype
        self.shape = shape
        self.stored = stored
        self.type = Type(dtype, shape)
        self._value = value
        self._lazy = lazy

    @property
    def rank(self) -> int | None:
        return None if self.shape is None else len(self.shape)

    @property
    def followed(self) -> bool:
        """Return whether elements may be known."""
        return self._value is not None or self._lazy is not None

    @property
    def value(self) -> Entries | None:
        if self._lazy is not None:
            _force(self)
        return self._value

    @property
    def entry(self) -> Entry:
        """Return the one element of a scalar; None if unknown."""
        value = self.value
        return value[0] if value else None

    def with_value(self, lazy: Callable[[], Entries | None], needs: Sequence[Tensor]) -> Tensor:
        """Return the same type with elements to be computed on demand from those of `needs`."""
        return Tensor(self.dtype, self.shape, None, (lazy, needs))

    def __repr__(self) -> str:
        from irlint.dryrun.dims import show

        return f"<{self.dtype} {show(self.shape)}{'' if self._value is None else f' = {self._value}'}>"


def _force(tensor: Tensor) -> None:
    """Compute a tensor's elements, iteratively: long chains would overflow the stack."""
    stack = [tensor]
    while stack:
        top = stack[-1]
        if top._lazy is None:
            stack.pop()
            continue
        compute, needs = top._lazy
        waiting = [t for t in needs if t._lazy is not None]
        if waiting:
            stack += waiting
            continue
        value = compute()
        if value is not None and len(value) != numel(top.shape):
            value = None
        top._value, top._lazy = value, None
        stack.pop()


UNKNOWN = Tensor()


def taken(outputs: Sequence[Sequence[Any]], sources: Iterable[tuple[int, int]]) -> list[Any]:
    """Return what some sources give, by the outputs of all nodes; unknown tensors for missing ones."""
    return [outputs[node][k] if node >= 0 and k < len(outputs[node]) else UNKNOWN for node, k in sources]


def constant(value: Sequence[Entry], shape: Shape | None = None, dtype: str | None = "int64") -> Tensor:
    """Return a tensor with known elements; a vector unless a shape is given."""
    return Tensor(dtype, (len(value),) if shape is None else shape, tuple(value))


def scalar(value: Entry, dtype: str | None = "int64") -> Tensor:
    return Tensor(dtype, (), (value,))


def is_empty(shape: Shape | None) -> bool:
    """Return whether a tensor of that shape is known to have no elements."""
    return shape is not None and 0 in shape and is_known(shape)


def small(shape: Shape | None) -> bool:
    """Return whether the elements of a tensor of that shape are tracked."""
    count = numel(shape)
    if count == 0 and shape:
        count = numel(tuple([dim or 1 for dim in shape]))  # loops over the other axes are as long
    return count is not None and count <= VALUE_LIMIT
