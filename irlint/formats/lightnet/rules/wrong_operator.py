"""O102 wrong-operator."""

from __future__ import annotations

from irlint.formats.lightnet.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class WrongOperator(Rule):
    """
    What it does
        Checks for operators whose inputs, outputs and parameters have the names of those of another operator.

    Why is this bad
        LightNet refuses the first argument that the operator does not have. Most likely, the optype is wrong rather
        than all of the arguments.

    Example
        ```json
        {"name": "cut", "optype": "concat",
         "tensors_in": [{"arg_name": "src", "name": "image"}], "tensors_out": [{"arg_name": "dst", "name": "part"}],
         "params": [{"arg_name": "axis", "value": 1}, {"arg_name": "start", "value": 0}, {"arg_name": "len", "value": 2}]}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice"}
        ```

    Fix safety
        Unsafe: which of the two was meant is a guess. There is a fix only if exactly one other operator matches.
    """

    row = R.wrong_operator
    formats = ("lightnet",)
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"slice"', '"concat"')), "lightnet", '"concat"', LIGHTNET),)
