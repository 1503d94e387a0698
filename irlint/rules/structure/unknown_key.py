"""T003 unknown-key."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, PROTOTEXT, SYMBOL, openvino, prototext, symbol


class UnknownKey(Rule):
    """
    What it does
        Checks for keys that the format's loader neither knows nor ignores.

    Why is this bad
        MXNet and TVM refuse the whole file because of one such key. It is usually misspelled.

    Example
        ```json
        {"op": "Activation", "name": "relu0", "imputs": [[3, 0, 0]]}
        ```

    Use instead
        ```json
        {"op": "Activation", "name": "relu0", "inputs": [[3, 0, 0]]}
        ```

    Fix safety
        Safe in OpenVINO IR where an attribute or element that the reader requires is missing and has a similar name,
        and for a root element that is not named `<net>`: the file could not be read, or means the same.

        Unsafe elsewhere: the key that is renamed to the similar name may have been meant for something else.
    """

    row = R.unknown_key
    fixable = "mixed"
    valid = (Example(SYMBOL, "nnvm"),)
    invalid = (
        Example(symbol(('"attrs": {"act_type"', '"attr_s": {"act_type"')), "nnvm", '"attr_s"', SYMBOL),
        Example(openvino(('<edge from-layer="0"', '<edge from-laier="0"')), "openvino", "from-laier", OPENVINO),
        Example(prototext(("attribute {", "atribute {")), "onnx:prototext", "atribute", PROTOTEXT),
    )
