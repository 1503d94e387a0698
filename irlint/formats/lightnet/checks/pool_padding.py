"""A102 pool-padding."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.graph import state_of
from irlint.graph import label
from irlint.rules.base import Example, Model, Rule

_POOL = """\
{"ops": [
  {"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [1, 1, 8, 8]}]},
  {"name": "pool", "optype": "maxpool2d", "tensors_in": [{"arg_name": "src", "name": "a"}],
   "tensors_out": [{"arg_name": "dst", "name": "b"}],
   "params": [{"arg_name": "size", "value": [3, 3]}, {"arg_name": "stride", "value": [1, 1]},
              {"arg_name": "padding", "value": [1, 1, 1, 1]}, {"arg_name": "autopad", "value": "NOTSET"}]},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "b"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "b"}]}
]}
"""


class PoolPadding(Rule):
    """
    What it does
        Checks for pooling operators whose padding is computed by `autopad` (`SAME_UPPER` or `SAME_LOWER`).

    Why is this bad
        LightNet computes this padding from the batch size and the number of channels instead of the height and width.
        The result is right only by chance.

    Example
        ```json
        {"arg_name": "autopad", "value": "SAME_UPPER"}
        ```

    Use instead
        ```json
        {"arg_name": "padding", "value": [1, 1, 1, 1]}, {"arg_name": "autopad", "value": "NOTSET"}
        ```
    """

    row = R.pool_padding
    formats = ("lightnet",)
    valid = (Example(_POOL, "lightnet"),)
    invalid = (Example(_POOL.replace("NOTSET", "SAME_UPPER"), "lightnet", '"SAME_UPPER"'),)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        by_op = state_of(model).by_op
        for optype in by_op:
            if not optype.startswith(("maxpool2d", "avgpool2d")):
                continue
            for node in by_op[optype]:
                mode = node.attrs.get("autopad")
                if mode in ("SAME_UPPER", "SAME_LOWER"):
                    message = (
                        f"`autopad` {mode} of {label(node)}; "
                        "LightNet computes the padding of a pooling operator from [N, C] instead of [H, W]"
                    )
                    yield Problem(R.pool_padding, model.graph.place(node, "attr:autopad"), message, node.name)
