"""A004 bool-string."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet, symbol


class BoolString(Rule):
    """
    What it does
        Checks for `"true"`, `"false"`, `0` and `1` in place of a boolean.

    Why is this bad
        Strictly typed loaders refuse them. Others may read the string `"false"` as true, because it is not empty.

    Example
        ```json
        {"arg_name": "from_file", "value": "false"}
        ```

    Use instead
        ```json
        {"arg_name": "from_file", "value": false}
        ```

    In NNVM graphs `true`, `false`, `0` and `1` are pedantic findings, because MXNet reads them as intended.

    Fix safety
        Safe where the value can only mean one thing: the file could not be read before, or is read as the same value.

        Unsafe for a word that OpenVINO ignores (`yes`, `ture`), because the model changes once the word has an effect: the
        title of the fix says what OpenVINO uses now. Safe if that is what the word means. Also unsafe for an empty value,
        which is removed with its attribute.
    """

    row = R.bool_string
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"value": false', '"value": "false"')), "lightnet", '"false"', LIGHTNET),
        Example(lightnet(('"from_file", "value": false', '"from_file", "value": 0')), "lightnet", "0", LIGHTNET),
        Example(
            symbol(('"no_bias": "False", ', '"no_bias": "", ')),
            "nnvm:mxnet",
            '""',
            symbol(('"no_bias": "False", ', "")),
        ),
    )
