"""A002 missing-attribute."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class MissingAttribute(Rule):
    """
    What it does
        Finds operators that lack an attribute (parameter) which has no default.

    Why is this bad
        The loader refuses the operator. Files written for an older version, which had fewer attributes, fail this way.

    Example
        ```json
        {"name": "cut", "optype": "slice", "params": [{"arg_name": "axis", "value": 1}, {"arg_name": "start", "value": 0}]}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice", "params": [
          {"arg_name": "axis", "value": 1}, {"arg_name": "start", "value": 0}, {"arg_name": "len", "value": 2}]}
        ```

    Fix safety
        Unsafe: the attribute is added with the value that it usually has, where there is one.
    """

    code = "A002"
    name = "missing-attribute"
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(
                (', {"arg_name": "len", "value": 2}', ""),
                ('"params": [{"arg_name": "axis"', '"params" : [{"arg_name": "axis"'),
            ),
            "lightnet",
            '"params"',
        ),
        Example(
            lightnet((',\n        {"arg_name": "from_file", "value": false}', "")),
            "lightnet",
            fixed=LIGHTNET,
        ),
    )
