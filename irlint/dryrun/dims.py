"""Dimensions: known numbers, symbols, ranges and unknown ones, and their arithmetic."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from irlint.graph import Dim, Shape
from irlint.text import words
from irlint.text.numbers import told

Bound = int | None  # an upper bound; None: no bound


def bounds(dim: Dim) -> tuple[int, Bound]:
    """Return the smallest and the largest length that a dimension can have."""
    if isinstance(dim, int):
        return dim, dim
    if isinstance(dim, tuple):
        return dim
    return 0, None


def interval(low: int, high: Bound) -> Dim:
    """Return the simplest dimension for low..high."""
    if low == high:
        return low
    if low <= 0 and high is None:
        return None
    return (max(low, 0), high)


def is_settled(shape: Shape | None) -> bool:
    """Return whether a shape is known, as far as it can be before a run: symbols stand for lengths."""
    return shape is not None and all(isinstance(dim, (int, str)) for dim in shape)


def is_known(shape: Shape | None) -> bool:
    """Return whether every dimension is a number."""
    if shape is None:
        return False
    for dim in shape:  # noqa: SIM110  called for every value of a model, and a generator takes three times as long
        if type(dim) is not int:
            return False
    return True


def completes(shape: Shape, known: Shape | None) -> bool:
    """Return whether a shape says more than is known, and nothing else."""
    if known is None:
        return True
    return not is_known(known) and len(known) == len(shape) and all(map(compatible, known, shape))


def compatible(a: Dim, b: Dim) -> bool:
    """Return whether some length fits both."""
    if type(a) is int and type(b) is int:
        return a == b
    (low, high), (other_low, other_high) = bounds(a), bounds(b)
    return (high is None or other_low <= high) and (other_high is None or low <= other_high)


def merge(a: Dim, b: Dim) -> Dim:
    """Return the dimension that satisfies two compatible ones."""
    if a == b or b is None or (isinstance(b, str) and a is not None):
        return a
    if a is None or isinstance(a, str):
        return b
    (low, high), (other_low, other_high) = bounds(a), bounds(b)
    low = max(low, other_low)
    return interval(low, other_high if high is None else high if other_high is None else min(high, other_high))


def union(a: Dim, b: Dim) -> Dim:
    """Return the narrowest dimension that contains both."""
    if a == b:
        return a
    (low, high), (other_low, other_high) = bounds(a), bounds(b)
    return interval(min(low, other_low), None if high is None or other_high is None else max(high, other_high))


def can_be(dim: Dim, length: int) -> bool:
    if type(dim) is int:
        return dim == length
    low, high = bounds(dim)
    return low <= length and (high is None or length <= high)


def broadcastable(a: Dim, b: Dim) -> bool:
    """Return whether some lengths of a and b broadcast as in NumPy."""
    return a == 1 or b == 1 or compatible(a, b) or can_be(a, 1) or can_be(b, 1)


def stretchable(dim: Dim, goal: Dim) -> bool:
    """Return whether some length of a dimension is 1 or that of another one."""
    return can_be(dim, 1) or compatible(dim, goal)


def broadcast(a: Dim, b: Dim) -> Dim:
    """Return the length to which two broadcastable dimensions broadcast."""
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    first, second = can_be(a, 1), can_be(b, 1)
    if first and second:
        return union(a, b)
    if first:
        return b
    if second:
        return a
    return merge(a, b)


def overlaid(a: Shape, b: Shape) -> Shape | None:
    """The shape of two operands broadcast to each other; None if they cannot be."""
    rank = max(len(a), len(b))
    left, right = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    return tuple(map(broadcast, left, right)) if all(map(broadcastable, left, right)) else None


def replaced(shape: Shape, axis: int, *lengths: Dim) -> Shape:
    """Return a shape with other lengths in place of one."""
    return (*shape[:axis], *lengths, *shape[axis + 1 :])


def add(a: Dim, b: Dim) -> Dim:
    if type(a) is int and type(b) is int:
        return a + b
    if b == 0:
        return a
    if a == 0:
        return b
    (low, high), (other_low, other_high) = bounds(a), bounds(b)
    return interval(max(low + other_low, 0), None if high is None or other_high is None else high + other_high)


def subtract(a: Dim, b: Dim) -> Dim:
    """Return the difference; a negative one becomes zero unless both are numbers."""
    if type(a) is int and type(b) is int:
        return a - b
    if b == 0:
        return a
    (low, high), (other_low, other_high) = bounds(a), bounds(b)
    low = 0 if other_high is None else max(low - other_high, 0)
    return interval(low, None if high is None else max(high - other_low, 0))


def shift(dim: Dim, by: int) -> Dim:
    """Return a dimension made longer by a number, or shorter by a negative one."""
    return add(dim, by) if by >= 0 else subtract(dim, -by)


def multiply(a: Dim, b: Dim) -> Dim:
    if type(a) is int and type(b) is int:
        return a * b
    if a == 1:
        return b
    if b == 1:
        return a
    (low, high), (other_low, other_high) = bounds(a), bounds(b)
    if high == 0 or other_high == 0:
        return 0
    return interval(low * other_low, None if high is None or other_high is None else high * other_high)


def floor_divide(dim: Dim, by: int) -> Dim:
    if type(dim) is int:
        return dim // by
    if by == 1:
        return dim
    low, high = bounds(dim)
    return interval(low // by, None if high is None else high // by)


def ceil_divide(dim: Dim, by: int) -> Dim:
    if type(dim) is int:
        return -(-dim // by)
    if by == 1:
        return dim
    low, high = bounds(dim)
    return interval(-(-low // by), None if high is None else -(-high // by))


def divisible(dim: Dim, by: int) -> bool:
    """Return whether some length of `dim` is a multiple of `by`."""
    low, high = bounds(dim)
    return high is None or -(-low // by) <= high // by


def exact_divide(dim: Dim, by: int) -> Dim:
    """Return a divisible dimension divided by a number, without a remainder."""
    if by == 1:
        return dim
    low, high = bounds(dim)
    return interval(-(-low // by), None if high is None else high // by)


_MOST = (1 << 31) - 1  # what exporters write for a length without a limit
_ENDLESS = 1 << 512  # elements


def product(dims: Iterable[Dim]) -> Dim:
    total: Dim = 1
    for dim in dims:
        total = multiply(total, dim)
    return total


def numel(shape: Shape | None) -> int | None:
    """Return the number of elements of a fully known shape, or None. A number that no memory can hold is not followed further."""
    if shape is None:
        return None
    total = 1
    for dim in shape:
        if type(dim) is not int:
            return None
        if total < _ENDLESS or not dim:
            total *= dim
    return total


def less_axes(shape: Shape, gone: Collection[int], keep: bool) -> Shape:
    """Return a shape without some axes, or with 1 for them."""
    return tuple([1 if k in gone else dim for k, dim in enumerate(shape) if keep or k not in gone])


def less_some(shape: Shape, count: Dim, keep: bool) -> Shape | None:
    """Return what is known of a shape without so many axes."""
    if keep:
        return (None,) * len(shape)
    return (None,) * (len(shape) - count) if isinstance(count, int) and count <= len(shape) else None


def show_dim(dim: Dim) -> str:
    if dim is None:
        return "?"
    if isinstance(dim, tuple):
        low, high = dim
        if high == _MOST:
            return f"{low}.." if low else "?"
        return f"{low}..{'' if high is None else high}"
    return told(dim) if isinstance(dim, int) else str(dim)


def show(shape: Sequence[Dim] | None) -> str:
    """Return a shape as messages write it: [1, 3, ?, 10..20]; [...] if the rank is unknown."""
    return "[...]" if shape is None else "[" + ", ".join(map(show_dim, shape)) + "]"


def counted(dim: Dim, noun: str) -> str:
    """Return a dimension with its noun: 1 number, 2 numbers, ? numbers."""
    return words.count(dim, noun) if isinstance(dim, int) else f"{show_dim(dim)} {noun}s"


def operand(name: str) -> str:
    """Return the name of an operand as messages write it: `data`, but input 3."""
    return f"`{name}`" if name.isidentifier() else name
