"""T001 wrong-type."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, SYMBOL, lightnet, prototext, symbol


class WrongType(Rule):
    """
    What it does
        Checks for parts of the file with a type other than the format requires: a list instead of an object, a number
        instead of a string.

    Why is this bad
        Loaders stop there; a few continue with an empty value instead.

    Example
        ```json
        {"name": "show", "tensors_out": null}
        ```

    Use instead
        ```json
        {"name": "show", "tensors_out": []}
        ```

    Fix safety
        Converts the value where that does not change it, such as a number in quotes. In an NNVM graph, a node's name or
        number becomes its entry, and an empty value becomes a list or an object. Safe: the file could not be read
        before. Unsafe where the value may have contained more, such as an output number.
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
        Example(prototext(("ir_version: 8", 'ir_version: "8"')), "onnx:prototext", '"8"'),
    )
