"""What a node would give if something about it were different."""

from __future__ import annotations

from collections.abc import Callable

from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.infer import Outputs, apply
from irlint.dryrun.mapping import Call
from irlint.dryrun.tensor import Tensor


def tried(make: Callable[[], Call | None], inputs: list[Tensor]) -> Outputs | None:
    """The outputs of the call that is made; None if the node is refused, or nothing is known of it."""
    try:
        call = make()
        if call is None or call.operator.nested:
            return None
        if call.complete is not None:
            for k, shape in call.complete(inputs).items():
                if k < len(inputs) and inputs[k].shape is None:
                    inputs[k] = Tensor(inputs[k].dtype, shape)
        return apply(call, inputs)
    except (ShapeError, Undecided, *UNFORESEEN):
        return None
