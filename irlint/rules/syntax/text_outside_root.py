"""S023 text-outside-root."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class TextOutsideRoot(Rule):
    """
    What it does
        Checks for text before or after the root element.

    Why is this bad
        XML forbids it, and strict parsers refuse the file. It is usually left behind by a broken copy or a tool.

    Example
        ```xml
        </net>
        done
        ```

    Use instead
        ```xml
        </net>
        ```
    """

    row = R.text_outside_root
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (Example(OPENVINO + "done\n", "openvino", "done"),)
