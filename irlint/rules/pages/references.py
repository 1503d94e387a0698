"""Pages of rules about references."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class DuplicateDefinition(Rule):
    """
    What it does
        Checks for duplicate names and numbers that identify operators, tensors or layers.

    Why is this bad
        The loader refuses the second one, crashes on it, or silently lets it replace the first.

    Fix safety
        Unsafe: the second one gets a new name; which of the two its users mean is a guess.
    """

    row = R.duplicate_definition
    fixable = "unsafe"


class IndexOutOfRange(Rule):
    """
    What it does
        Checks for numbers that refer to a node, layer or output by a position that does not exist.

    Why is this bad
        The loader checks the number and refuses the file; one that does not check reads memory out of bounds.

    Fix safety
        Safe where a list follows from the rest of the file (`arg_nodes`) and nothing else in the file is wrong: the
        list is regenerated, and no reader accepted the file before. Also safe where an input of an NNVM node is meant
        for a variable that no other node uses and that is named for this input (`fc0_weight` for the weight of `fc0`).

        Unsafe where the input is connected to the only node whose output is unused.
    """

    row = R.index_out_of_range
    fixable = "mixed"


class OutputOutOfRange(Rule):
    """
    What it does
        Checks for uses of an output that the producer does not have.

    Why is this bad
        Few loaders check this: MXNet loads such a file and then fails to infer shapes, without mentioning the index, or
        crashes; TVM reads the value of a different node.

    Fix safety
        Unsafe: output 0 is used instead, where the producer has no other.
    """

    row = R.output_out_of_range
    fixable = "unsafe"


class UndefinedReference(Rule):
    """
    What it does
        Checks for names and numbers that refer to a tensor, node or layer that the file does not define.

    Why is this bad
        The loader cannot connect the operator: it refuses the file, or crashes.

    Fix safety
        Unsafe: the most similar name is used instead, which is a guess.
    """

    row = R.undefined_reference
    fixable = "unsafe"
