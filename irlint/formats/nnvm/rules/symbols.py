"""Pages of rules about the attributes that a file and its nodes have."""

from __future__ import annotations

from irlint.formats.nnvm.rules import R
from irlint.rules.base import Rule


class AttributeDictionaries(Rule):
    """
    What it does
        Checks for nodes with attributes under more than one of `attrs`, `attr` and `param`, some of which are lost.

    Why is this bad
        Of `attrs` and `attr`, MXNet reads only the last one in the node. It then merges `param`, which never
        overrides an attribute. MXNet ignores the rest silently.
    """

    row = R.attribute_dictionaries
    formats = ("nnvm",)


class InputAttributes(Rule):
    """
    What it does
        Checks for inputs of a TVM graph (`"op": "null"`) that have `attrs`.

    Why is this bad
        Wherever the executor finds attributes, it expects a function name and counts in them. It refuses the file
        even if the object is empty.

    Fix safety
        Safe if the attributes are empty, since the file could not be read before. Unsafe if the fix removes values.
    """

    row = R.input_attributes
    formats = ("nnvm",)
    fixable = "mixed"


class MxnetVersion(Rule):
    """
    What it does
        Checks for a missing, invalid or future `mxnet_version`.

    Why is this bad
        The loader converts a file according to its version. It treats a file without a version as one of MXNet 0.8,
        and reads a newer file without conversion. From 1000000 on, it reads no attributes, and the graph cannot run.

        With `--target mxnet=1.5`, a file of a newer release is reported.
    """

    row = R.mxnet_version
    formats = ("nnvm",)
