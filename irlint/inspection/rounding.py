"""How far the results of two models may be apart because of the types that they compute with."""

from __future__ import annotations

from irlint.records import NamedTuple

_ADDED_UP, _LARGEST = 10, 0.6


class Rounding(NamedTuple):
    """The relative distance that rounding explains, for one operator whose operands are the same, and the size of numbers below which it
    is no longer relative."""

    limit: float
    least: float = 1e-30

    @property
    def added_up(self) -> Rounding:
        """What rounding may be of a whole run, of which each operator has it."""
        return self._replace(limit=min(_ADDED_UP * self.limit, _LARGEST))

    @property
    def is_coarse(self) -> bool:
        """Whether numbers have so few digits that some become zero."""
        return self.limit > 0.1


# By the type of weights or results. Float16 has few digits below 6e-5.
ROUNDING = {
    "float32": Rounding(1e-4),
    "float16": Rounding(1e-2, 1e-4),
    "bfloat16": Rounding(5e-2),
    "equal int8 weights": Rounding(0.015),  # numbers that are nearly the same become neighbours
    "int8": Rounding(0.2),
    "int4": Rounding(0.6),
}
EQUAL = ROUNDING["equal int8 weights"]
ALIKE = 0.05  # the relative distance of weights that two tools have quantized to one type, each by itself
EXACT = ROUNDING["float32"]


def coarser(*of: Rounding) -> Rounding:
    """Return the rounding that all of these explain together."""
    found = EXACT
    for one in of:
        if one is not found:  # most are exact
            found = Rounding(max(one.limit, found.limit), max(one.least, found.least))
    return found


def type_of(rounding: Rounding) -> str:
    """Return the type that a rounding is that of."""
    return next(name for name, known in ROUNDING.items() if known.limit == rounding.limit)
