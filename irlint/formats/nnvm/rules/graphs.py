"""Pages of rules about the graph of a symbol."""

from __future__ import annotations

from irlint.formats.nnvm.rules import R
from irlint.rules.base import Rule


class ControlDependencies(Rule):
    """
    What it does
        Checks for nodes with control dependencies (`control_deps`) in an MXNet symbol.

    Why is this bad
        MXNet loads such a graph and infers its shapes, but refuses to bind it.
    """

    row = R.control_dependencies
    formats = ("nnvm",)


class DuplicateHead(Rule):
    """
    What it does
        Checks for outputs that are listed twice in `heads`.

    Why is this bad
        The graph loads and outputs the same value twice. This is rarely intended; one of the entries usually belongs
        to another node.
    """

    row = R.duplicate_head
    formats = ("nnvm",)


class HiddenOutput(Rule):
    """
    What it does
        Checks for uses of an internal output of an operator, such as the mean that BatchNorm computes or the
        workspace of Pooling.

    Why is this bad
        MXNet does not check this and passes whatever the memory contains. Its own front ends cannot create such a
        file.
    """

    row = R.hidden_output
    formats = ("nnvm",)


class SwappedInputs(Rule):
    """
    What it does
        Checks for variables that are named for one input of an operator but used as another one, such as `fc0_bias`
        as the weight of `fc0`.

    Why is this bad
        Parameters are loaded by name: the operator computes with the wrong ones, or their shapes do not match. It is
        an error if a vector such as `bn0_gamma` is used as data that needs more dimensions: MXNet 1.9.1 cannot bind
        such a graph.
    """

    row = R.swapped_inputs
    formats = ("nnvm",)


class VariableWithInputs(Rule):
    """
    What it does
        Checks for variables (`"op": "null"`) that have inputs.

    Why is this bad
        A variable computes nothing, and the loader drops its inputs silently. If a node is unused as a result, an
        operator has lost its name, and the finding is an error; otherwise it is a warning.

        In a TVM graph, a variable with the attributes of a function call is an error if `arg_nodes` does not list it:
        it was a function call, and its value is neither computed nor set. If it is listed, the executor ignores the
        attributes, and the finding is pedantic.
    """

    row = R.variable_with_inputs
    formats = ("nnvm",)
