"""A102 pool-padding."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.windows import SAME
from irlint.graph import label
from irlint.rules.base import Model, Rule


class PoolPadding(Rule):
    """
    What it does
        Checks for pooling operators whose padding is computed by `autopad` (`SAME_UPPER` or `SAME_LOWER`).

    Why is this bad
        LightNet computes this padding from the batch size and the number of channels instead of the height and width.
        The result is right only by chance.
    """

    row = R.pool_padding
    formats = ("lightnet",)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        for node in state_of(model).of_operators("maxpool2d", "avgpool2d"):
            mode = node.attrs.get("autopad")
            if mode in SAME:
                what = "LightNet computes the padding of a pooling operator from [N, C] instead of [H, W]"
                place, message = model.graph.place(node, "attr:autopad"), f"`autopad` {mode} of {label(node)}; {what}"
                yield Problem(R.pool_padding, place, message, node.name)
