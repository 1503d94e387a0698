"""O006 operator-not-in-version."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino

_LIBRARY = openvino(
    ('type="SoftMax" version="opset8"', 'type="NumericToString" version="openvino_tokenizers"'),
    ('<data axis="1"/>', "<data/>"),
)


class OperatorNotInVersion(Rule):
    """
    What it does
        Checks for operators that exist, but not in the version (opset) that the file declares for them.

    Why is this bad
        The reader refuses the file.

    Example
        ```xml
        <layer id="3" name="classes" type="SoftPlus" version="opset1">
        ```

    Use instead
        ```xml
        <layer id="3" name="classes" type="SoftPlus" version="opset4">
        ```

    Fix safety
        Safe where another opset has the operator and nothing in the layer contradicts it: its name, its attributes, the
        types and shapes of its ports. The fix writes the nearest such opset; the file could not be read before.

        Unsafe where the layer does not look like that operator, so that its type may be the mistake.

        Unsafe where only an extension library has it: the fix writes the library's domain, and the file then needs the
        library.
    """

    row = R.operator_not_in_version
    fixable = "mixed"
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(
            openvino(('type="SoftMax" version="opset8"', 'type="SoftMax" version="opset17"')),
            "openvino",
            "opset17",
            openvino(('type="SoftMax" version="opset8"', 'type="SoftMax" version="opset16"')),
        ),
        Example(_LIBRARY.replace("openvino_tokenizers", "opset8"), "openvino", "opset8", _LIBRARY),
    )
