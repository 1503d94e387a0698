"""T002 missing-key."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, SYMBOL, lightnet, symbol


class MissingKey(Rule):
    """
    What it does
        Checks for objects without a key that the format's loader requires. If the object has a key that is probably a
        misspelling of it, or has another key twice, the finding points there.

    Why is this bad
        Loaders require these keys even where their value would be empty.

    Example
        ```json
        {"name": "show", "tensors_in": [], "tensors_out": [], "params": []}
        ```

    Use instead
        ```json
        {"name": "show", "optype": "print", "tensors_in": [], "tensors_out": [], "params": []}
        ```

    Fix safety
        Renames the key that was probably meant. Unsafe: it is a guess. Keys that follow from the rest of an NNVM graph
        are inserted: `arg_nodes`, `node_row_ptr`, and the `inputs` or `op` of a variable (safe); `heads`, as the nodes
        that no other uses, and a node's `name` (unsafe). The `inputs` or `op` of an operator are inserted if exactly
        one of several candidates fits.
    """

    row = R.missing_key
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"name": "show", "optype": "print",', '"name": "show",')), "lightnet", "{"),
        Example(lightnet(('"name": "show", "optype"', '"name": "show", "opttype"')), "lightnet", '"opttype"', LIGHTNET),
        Example(symbol(('"name": "data", "inputs": []', '"name": "data"')), "nnvm", "{", SYMBOL),
    )
