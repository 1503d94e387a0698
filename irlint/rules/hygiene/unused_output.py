"""G002 unused-output."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet

_SHOW = LIGHTNET[LIGHTNET.index('    {\n      "name": "show"') : LIGHTNET.index("\n  ]\n}")]
_RELU = """\
    {
      "name": "act", "optype": "relu",
      "tensors_in": [{"arg_name": "src", "name": "image"}], "tensors_out": [{"arg_name": "dst", "name": "unread"}], "params": []
    },
"""


class UnusedOutput(Rule):
    """
    What it does
        Checks for operators whose outputs are unused, in formats that do not declare the outputs of a model.

    Why is this bad
        The operator costs time and memory for nothing, or an operator that should use it uses something else.

    Example
        A `relu` whose output no later operator uses, in a file that prints other tensors.

    Use instead
        Use the tensor, or remove the operator.

    Fix safety
        Unsafe: the operator is removed; a program may still request its output by name.

    In a file that prints nothing, programs read the unused tensors: there is one pedantic finding in that case.
    """

    row = R.unused_output
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet((_SHOW, _RELU + _SHOW)), "lightnet", '"unread"', LIGHTNET),)
