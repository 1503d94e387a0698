"""Pages of rules about XML."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class BareAmpersand(Rule):
    """
    What it does
        Checks for a `&` that does not start a reference, and for references to entities: readers expand no entity that
        a model file declares.

    Why is this bad
        Strict parsers refuse the file; tolerant ones keep the characters unchanged.

    Fix safety
        Safe: `&amp;` means the same as a bare `&` to every reader that accepts the latter.
    """

    row = R.bare_ampersand
    fixable = "safe"


class LooseMarkup(Rule):
    """
    What it does
        Checks for markup that XML forbids but tolerant readers accept: a `<` in an attribute's value, `--` inside a
        comment, `]]>` in text, an XML declaration that is not at the very start.

    Why is this bad
        Strict parsers refuse the file: other tools cannot read a model that OpenVINO reads.

    Fix safety
        Safe: `&lt;` means the same as a bare `<` to every reader that accepts the latter.
    """

    row = R.loose_markup
    fixable = "safe"


class DuplicateXmlAttribute(Rule):
    """
    What it does
        Checks for XML tags with a duplicate attribute.

    Why is this bad
        XML forbids it, and strict parsers refuse the file. OpenVINO's parser silently uses the first one, so that a
        later correction has no effect.

    Fix safety
        Safe: removes the second attribute, which every reader that accepts the file ignores.
    """

    row = R.duplicate_xml_attribute
    fixable = "safe"


class SecondRoot(Rule):
    """
    What it does
        Checks for a second root element.

    Why is this bad
        XML allows only one. Readers use the first and silently drop the other, for example where two files were
        concatenated.
    """

    row = R.second_root


class TextOutsideRoot(Rule):
    """
    What it does
        Checks for text before or after the root element.

    Why is this bad
        XML forbids it, and strict parsers refuse the file. It is usually left behind by a broken copy or a tool.
    """

    row = R.text_outside_root
