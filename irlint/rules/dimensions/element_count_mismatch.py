"""D008 element-count-mismatch."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, POOL, changed, lightnet

_FLAT = changed(
    POOL,
    ('"tensors_out": [{"arg_name": "dst", "name": "b"}]', '"tensors_out": [{"arg_name": "dst", "name": "image"}]'),
    (
        '  {"name": "show"',
        '''\
  {"name": "flat", "optype": "reshape", "tensors_in": [{"arg_name": "src", "name": "image"}],
   "tensors_out": [{"arg_name": "dst", "name": "b"}], "params": [{"arg_name": "dims", "value": [36]}]},
  {"name": "show"''',
    ),
)


class ElementCountMismatch(Rule):
    """
    What it does
        Checks for shapes with the wrong number of elements: a reshape of 6 elements to [5], a constant of 9 values for
        8 elements.

    Why is this bad
        The reshape is impossible. Extra values are refused or written past the end of the tensor; if values are
        missing, the rest stays zero.

    Example
        ```json
        {"arg_name": "dims", "value": [2, 3]}, {"arg_name": "data", "value": [1, 2, 3, 4, 5, 6, 7]}
        ```

    Use instead
        ```json
        {"arg_name": "dims", "value": [2, 3]}, {"arg_name": "data", "value": [1, 2, 3, 4, 5, 6]}
        ```

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess. Other formats have no fix.
    """

    row = R.element_count_mismatch
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"), Example(lightnet(("[1, 2, 3, 4, 5, 6]", "[0]")), "lightnet"))
    invalid = (
        Example(lightnet(("[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 5, 6, 7]")), "lightnet", "7"),
        Example(lightnet(("[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4]")), "lightnet", "[1, 2, 3, 4]"),
        Example(changed(_FLAT, ("[0, 0, 0, 0]", "[0, 0, 1, 0]")), "lightnet", "1", _FLAT),
    )
