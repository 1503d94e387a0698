"""Arithmetic of dimensions: whatever lengths they stand for, the result holds what those lengths give."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irlint.dryrun import dims
from irlint.graph import Dim

LENGTHS = st.integers(0, 12)


@st.composite
def dim_and_length(draw: st.DrawFn) -> tuple[Dim, int]:
    """A dimension and one length that it stands for."""
    length = draw(LENGTHS)
    kind = draw(st.sampled_from(["known", "range", "open", "unknown", "symbol"]))
    if kind == "known":
        return length, length
    if kind == "unknown":
        return None, length
    if kind == "symbol":
        return "n", length
    low = draw(st.integers(0, length))
    return dims.interval(low, None if kind == "open" else length + draw(st.integers(0, 3))), length


def holds(dim: Dim, length: int) -> bool:
    return dims.can_be(dim, length)


@given(dim_and_length(), dim_and_length())
def test_sums_and_products_hold(one: tuple[Dim, int], other: tuple[Dim, int]) -> None:
    (a, x), (b, y) = one, other
    assert holds(dims.add(a, b), x + y)
    assert holds(dims.multiply(a, b), x * y)
    assert holds(dims.union(a, b), x)
    assert holds(dims.union(a, b), y)
    if x >= y:
        assert holds(dims.subtract(a, b), x - y)


@given(dim_and_length(), st.integers(1, 5))
def test_quotients_hold(one: tuple[Dim, int], by: int) -> None:
    dim, length = one
    assert holds(dims.floor_divide(dim, by), length // by)
    assert holds(dims.ceil_divide(dim, by), -(-length // by))
    if length % by == 0:
        assert dims.divisible(dim, by)
        assert holds(dims.exact_divide(dim, by), length // by)


@given(dim_and_length(), dim_and_length())
def test_merged_and_broadcast_dimensions_hold(one: tuple[Dim, int], other: tuple[Dim, int]) -> None:
    (a, x), (b, y) = one, other
    if x == y:
        assert dims.compatible(a, b)
        assert holds(dims.merge(a, b), x)
    if x == y or 1 in (x, y):
        assert dims.broadcastable(a, b)
        assert holds(dims.broadcast(a, b), y if x == 1 else x)


@given(dim_and_length())
def test_a_dimension_reads_as_people_write_it(one: tuple[Dim, int]) -> None:
    dim, _ = one
    text = dims.show((dim, 3))
    assert text.startswith("[")
    assert text.endswith(", 3]")
