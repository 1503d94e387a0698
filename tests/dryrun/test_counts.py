"""An attribute that says how many outputs there are never makes a list of billions."""

from __future__ import annotations

from typing import Any

import pytest

from irlint.dryrun.errors import ShapeError
from irlint.dryrun.ops.moving.splitting import Split, SplitEqual
from irlint.dryrun.tensor import Tensor

OPEN = Tensor("float32", None)


@pytest.mark.parametrize("count", [0, 1 << 31])
@pytest.mark.parametrize(
    ("operator", "inputs", "attr"),
    [(Split(), (OPEN, Tensor("int64", ())), "num_splits"), (SplitEqual(), (OPEN,), "num_outputs")],
)
def test_counts_have_limits(operator: Any, inputs: tuple[Tensor, ...], attr: str, count: int) -> None:
    with pytest.raises(ShapeError, match="expected at"):
        operator.shape(*inputs, **{attr: count})
