"""R203 hidden-output."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import changed, symbol

_DROPOUT = symbol(
    ('"Activation", "name": "relu0",\n      "attrs": {"act_type": "relu"}', '"Dropout", "name": "drop0"'),
    ("3, 4, 5]", "3, 4, 6]"),
)


class HiddenOutput(Rule):
    """
    What it does
        Checks for uses of an internal output of an operator, such as the mean that BatchNorm computes or the
        workspace of Pooling.

    Why is this bad
        MXNet does not check this and passes whatever the memory contains. Its own front ends cannot create such a
        file.

    Example
        ```json
        {"op": "Activation", "name": "relu0", "attrs": {"act_type": "relu"}, "inputs": [[5, 1, 0]]}
        ```
        where node 5 is a BatchNorm.

    Use instead
        ```json
        {"op": "Activation", "name": "relu0", "attrs": {"act_type": "relu"}, "inputs": [[5, 0, 0]]}
        ```
        or, to use the mean, set `"output_mean_var": "True"` on the BatchNorm.
    """

    row = R.hidden_output
    formats = ("nnvm",)
    valid = (Example(_DROPOUT, "nnvm:mxnet"),)
    invalid = (Example(changed(_DROPOUT, ("[[4, 0, 0]]", "[[4, 1, 0]]")), "nnvm:mxnet", "1"),)
