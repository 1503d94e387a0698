"""Pages of rules about the attributes of operators."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, OPENVINO, lightnet, openvino, symbol

_LEN = '{"arg_name": "len", "value": 2}'


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
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet((_LEN, '{"arg_name": "length", "value": 2}')), "lightnet", '"length"', LIGHTNET),
        Example(lightnet((_LEN, _LEN + ', {"arg_name": "step", "value": 1}')), "lightnet", '"step"', LIGHTNET),
        Example(openvino(('axis="1"', 'axis="1" cacheable="true"')), "openvino", "cacheable", OPENVINO),
    )


_POOL = openvino(
    ('type="SoftMax" version="opset8"', 'type="AvgPool" version="opset1"'),
    ('axis="1"', 'kernel="1,1" strides="1,1" pads_begin="0,0" pads_end="0,0" exclude-pad="true"'),
)


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
        Example(_POOL.replace(' exclude-pad="true"', ""), "openvino", fixed=_POOL),
    )


_AXIS = '{"arg_name": "axis", "value": 1}'


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
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet((_AXIS, _AXIS + ', {"arg_name" : "axis", "value": 0}')), "lightnet", '"axis"', LIGHTNET),
    )


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
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"value": [0, 0]', '"value": [0, 1]')), "lightnet", "[1, 2, 3, 4, 5, 6]"),
        Example(
            symbol(('"name": "data", ', '"name": "data", "attrs": {"lr_mult": "2.0"}, ')),
            "nnvm:mxnet",
            '"lr_mult"',
            symbol(('"name": "data", ', '"name": "data", "attrs": {"__lr_mult__": "2.0"}, ')),
        ),
    )
