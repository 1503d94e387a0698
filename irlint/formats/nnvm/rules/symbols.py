"""Pages of rules about the attributes that a file and its nodes have."""

from __future__ import annotations

from irlint.formats.nnvm.rules import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, TVM_GRAPH, symbol, tvm


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
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(
            symbol(('"attrs": {"act_type": "relu"}', '"attrs": {"act_type": "relu"}, "attr": {"act_type": "tanh"}')),
            "nnvm:mxnet",
            '"attrs"',
        ),
    )


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
    valid = (Example(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (
        Example(tvm(('"name": "x", ', '"name": "x", "attrs": {}, ')), "nnvm:tvm", '"attrs"', TVM_GRAPH),
        Example(
            tvm(('"name": "x", ', '"name": "x", "attrs": {"shape": "(1, 4)"}, ')), "nnvm:tvm", '"attrs"', TVM_GRAPH
        ),
    )


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
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(symbol(("10901", "1000000")), "nnvm:mxnet", "1000000"),
        Example(symbol(("10901", "20000")), "nnvm:mxnet", "20000"),
        Example(symbol(("10901", "-1")), "nnvm:mxnet", "-1"),
    )
