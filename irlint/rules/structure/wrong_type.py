"""T001 wrong-type."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, SYMBOL, lightnet, symbol


class WrongType(Rule):
    """
    What it does
        Finds parts of the file that are of another type than the format demands: a list where there should be
        an object, a number where there should be a text.

    Why is this bad
        Loaders stop there; a few read on and take an empty value instead.

    Example
        ```json
        {"name": "show", "tensors_out": null}
        ```

    Use instead
        ```json
        {"name": "show", "tensors_out": []}
        ```

    Fix safety
        Where the value can be written in the right type without changing it, as a number that stands in quotes,
        it is. In an NNVM graph, a node's name or number becomes its entry, and what is empty becomes a list or an object.
        Safe: the file could not be read before. Unsafe where the value may have been more, such as an output number.
    """

    row = R.wrong_type
    fixable = "mixed"
    valid = (
        Example(LIGHTNET, "lightnet"),
        Example(SYMBOL, "nnvm"),
    )
    invalid = (
        Example(
            lightnet(('"name": "part"}], "tensors_out": []', '"name": "part"}], "tensors_out": null')),
            "lightnet",
            "null",
        ),
        Example(symbol(("[[3, 0, 0]]", '[["3", 0, 0]]')), "nnvm", '"3"', SYMBOL),
        Example(symbol(("[[3, 0, 0]]", "[3]")), "nnvm", "3", SYMBOL),
        Example(symbol(("[[4, 0, 0]]", "[4, 0, 0]")), "nnvm", "4", SYMBOL),
    )
