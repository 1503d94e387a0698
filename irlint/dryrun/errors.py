"""Errors that shape functions raise, as data: the rule, the message, the part of the node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from irlint.codes import R, RuleRow
from irlint.text.numbers import MANY, told

if TYPE_CHECKING:
    from irlint.dryrun.tensor import Tensor


class ShapeError(Exception):
    """An error in shapes or types. `part` is a part of a node as graph.place takes it; `inputs` are related operands.

    With `outputs` the runtime continues: the error is a warning, and these are the types that it continues with.
    `is_too_low`: a number is below a limit, and not wrong in another way. `result`: the output of each nested graph that is related.
    """

    def __init__(
        self,
        rule: RuleRow,
        message: str,
        part: str = "node",
        inputs: Sequence[int] = (),
        outputs: Sequence[Tensor] | None = None,
        *,
        is_too_low: bool = False,
        result: int | None = None,
    ) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.part = part
        self.inputs = tuple(inputs)
        self.outputs = None if outputs is None else tuple(outputs)
        self.is_too_low = is_too_low
        self.result = result


def too_low(attr: str, limit: str, got: object) -> ShapeError:
    """Return the error of an attribute below a limit, such as `at least 1`."""
    message = f"expected {limit} for `{attr}`, got {got}"
    return ShapeError(R.value_out_of_range, message, f"attr:{attr}", is_too_low=True)


def want_least(least: float, /, **attrs: float) -> None:
    """Raise for an attribute below a limit."""
    for name, number in attrs.items():
        if number < least:
            raise too_low(name, f"at least {least}", number)


def wrong_index_type(attr: str, dtype: str | None) -> ShapeError:
    """Return the error of an attribute that says another element type than those of indices."""
    message = f"expected `i32` or `i64` for `{attr}`, got {f'`{dtype}`' if dtype else 'nothing'}"
    return ShapeError(R.value_not_in_enum, message, f"attr:{attr}")


class Undecided(Exception):
    """A node that cannot be checked: an attribute is unreadable, or too little is known of the operator."""


def counted(number: int) -> int:
    """Return a number of the file that becomes the length of a list or a loop; raise Undecided if no model can mean it."""
    if number > MANY:
        raise Undecided(f"{told(number)} is more than any model asks for")
    return number


class NoKernel(Exception):
    """The dry run can infer the operator's shapes, but cannot compute it."""


# What shape functions raise for values that they do not expect (a missing attribute, a short tuple): such a node cannot
# be checked.
UNFORESEEN = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
