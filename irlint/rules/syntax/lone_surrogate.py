"""S007 lone-surrogate."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class LoneSurrogate(Rule):
    r"""
    What it does
        Checks for escapes such as `\ud83d` that are one half of a surrogate pair without the other half.

    Why is this bad
        They do not encode a character, cannot be written as UTF-8, and make readers stop or print replacement
        characters. They come from text that was cut in the middle of an emoji.

    Example
        ```json
        {"name": "\ud83d"}
        ```

    Use instead
        ```json
        {"name": "\ud83d\ude80"}
        ```

    References
        RFC 8259, section 8.2.
    """

    row = R.lone_surrogate
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"value": "part:"', r'"value": "\ud83d"')), "lightnet", r"\ud83d"),)
