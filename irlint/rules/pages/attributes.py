"""Pages of rules about the attributes of operators."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class UnknownAttribute(Rule):
    """
    What it does
        Checks for attributes (parameters) that their operator does not have.

    Why is this bad
        A strict loader refuses the operator; a lenient one ignores the attribute, so that a misspelled one silently
        leaves the default in effect.

    Fix safety
        Safe where no reader loses anything: in an MXNet symbol, a key such as `ctx_group` is renamed to
        `__ctx_group__`, as MXNet has written it since 1.0; in OpenVINO IR, an attribute that readers ignore is removed,
        or is renamed to a similar one without which the model is refused. In an MXNet symbol, which is refused with an
        unknown attribute, a name is corrected to the only one that differs by a single typo, if the value is valid for
        that attribute.

        Unsafe elsewhere: the similar name, or the only attribute that can have the value, is a guess, and an extra
        attribute is removed with its value.
    """

    row = R.unknown_attribute
    fixable = "mixed"


class MissingAttribute(Rule):
    """
    What it does
        Checks for operators without an attribute (parameter) that has no default.

    Why is this bad
        The loader refuses the operator. Files written for an older version, which had fewer attributes, fail this way.

    Fix safety
        Safe in OpenVINO IR where the reader refuses the model without the attribute, or assumes the value that the fix
        writes.

        Unsafe elsewhere: the fix writes the value that the attribute usually has, or that the shapes in the file imply.
    """

    row = R.missing_attribute
    fixable = "mixed"


class DuplicateAttribute(Rule):
    """
    What it does
        Checks for duplicate attributes (parameters) of one operator.

    Why is this bad
        Which of the two is used depends on the loader; strict ones refuse the operator because the number of attributes
        is wrong.

    Fix safety
        Unsafe: the second one is renamed to a missing attribute, or removed.
    """

    row = R.duplicate_attribute
    fixable = "unsafe"


class IgnoredAttribute(Rule):
    """
    What it does
        Checks for attributes that have no effect because another attribute overrides them.

    Why is this bad
        Anyone who reads or edits the file assumes that the value is used.

        In MXNet symbols, attributes of an operator that has none are pedantic findings.

    Fix safety
        Unsafe: in an MXNet symbol, the fix renames an attribute such as `lr_mult` to `__lr_mult__`, so that it takes
        effect and training changes. Other ignored attributes have no fix.
    """

    row = R.ignored_attribute
    fixable = "unsafe"
