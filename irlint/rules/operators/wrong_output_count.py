"""O003 wrong-output-count."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet

_SCATTER = """\
{"ops": [
  {"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "all"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [3, 2]}]},
  {"name": "part", "optype": "scatter", "tensors_in": [{"arg_name": "src", "name": "all"}],
   "tensors_out": [{"arg_name": "dst1", "name": "a"}, {"arg_name": "dst2", "name": "b"}, {"arg_name": "dst3", "name": "c"}],
   "params": []}
]}
"""


class WrongOutputCount(Rule):
    """
    What it does
        Checks for operators with the wrong number of outputs.

    Why is this bad
        The loader counts them and refuses the operator; other operators would use an output that is never written.

    Example
        ```json
        {"name": "cut", "optype": "slice", "tensors_out": []}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice", "tensors_out": [{"arg_name": "dst", "name": "part"}]}
        ```

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess. Other formats have no fix.
    """

    row = R.wrong_output_count
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(
                ('"tensors_out": [{"arg_name": "dst", "name": "part"}]', '"tensors_out" : []'),
                ('{"arg_name": "src", "name": "part"}', '{"arg_name": "src", "name": "image"}'),
            ),
            "lightnet",
            '"tensors_out"',
        ),
        Example(_SCATTER.replace("[3, 2]", "[2, 2]"), "lightnet", "2", _SCATTER),
    )
