"""Pages of rules about lists beside the nodes, and about nodes that went missing."""

from __future__ import annotations

from irlint.formats.nnvm.rules import R
from irlint.rules.base import Rule


class ArgNodes(Rule):
    """
    What it does
        Checks for an `arg_nodes` that is not the list of all variables in increasing order.

    Why is this bad
        MXNet refuses a file that lists an operator there. It ignores missing, duplicate or unordered entries, since
        it computes the list itself. In a TVM graph, the position in the list is the index of the input, and only
        listed inputs can be set.

    Fix safety
        Safe: the list follows from the nodes. Unsafe if something else in the file is wrong, since the nodes may then
        be wrong and the list right, and in a TVM graph if listed inputs would move, since callers may rely on their
        order.
    """

    row = R.arg_nodes
    formats = ("nnvm",)
    fixable = "mixed"


class ShiftedNodes(Rule):
    """
    What it does
        Checks for a missing or surplus node in `nodes`, which shifts all indexes past it: `arg_nodes`, `heads` and
        all `inputs` refer to the wrong nodes, and one node more or less at this position makes them consistent.

    Why is this bad
        Nodes are identified only by their position. MXNet refuses the file if an operator is listed as a variable or
        an index is undefined; otherwise operators use the wrong values. Problems that follow from the shift are not
        reported separately.

    Fix safety
        Unsafe: what else the missing variable declared is unknown, and of two equal nodes either may be the right
        one.
    """

    row = R.shifted_nodes
    formats = ("nnvm",)
    fixable = "unsafe"


class SubgraphInterface(Rule):
    """
    What it does
        Checks for control-flow operators (`_foreach`, `_while_loop`, `_cond`) that contradict their subgraphs: too
        few subgraphs, undefined input positions, inconsistent numbers of outputs, or a variable of a body as its
        output.

    Why is this bad
        Shape inference refuses the graph, or trusts a position and crashes. If `num_out_data` leaves fewer states
        than `in_state_locs` lists, MXNet 1.9.1 runs the graph but does not pass the last states from one iteration to
        the next; this is a warning.
    """

    row = R.subgraph_interface
    formats = ("nnvm",)
