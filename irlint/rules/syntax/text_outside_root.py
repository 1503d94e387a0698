"""S023 text-outside-root."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class TextOutsideRoot(Rule):
    """
    What it does
        Finds text before or after the root element.

    Why is this bad
        XML forbids it, and strict parsers refuse the file. Mostly it is what a broken copy or a tool left behind.

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

    code = "S023"
    name = "text-outside-root"
    severity = Severity.WARNING
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (Example(OPENVINO + "done\n", "openvino", "done"),)
