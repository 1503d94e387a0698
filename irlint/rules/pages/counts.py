"""Pages of rules about lists and counts that disagree."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import GRAPH, NETWORK, SYMBOL, network, symbol


class WrongLength(Rule):
    """
    What it does
        Checks for lists with more or fewer elements than the format requires.

    Why is this bad
        Loaders that read a fixed number of elements stop at the wrong bracket.
    """

    row = R.wrong_length
    valid = (Example(SYMBOL, "nnvm"),)
    invalid = (Example(symbol(('"heads": [[4, 0, 0]]', '"heads": [[4, 0, 0, 0]]')), "nnvm", "[4, 0, 0, 0]"),)


class WrongNameCount(Rule):
    """
    What it does
        Checks whether a layer names as many inputs and outputs as its two numbers say.

    Why is this bad
        The runtime counts words. If a name is missing, it takes a parameter or the next layer for a name; if there is one more, a name for
        a parameter: loading fails, in ncnn up to 20260526 often at another layer or with a crash.

    Fix safety
        Unsafe: the fix adapts the number to the names, but a name may have been lost.
    """

    row = R.wrong_name_count
    fixable = "unsafe"
    valid = (Example(NETWORK, "ncnn"), Example(GRAPH, "pnnx"))
    invalid = (
        Example(network(("1 2 conv conv_0", "1 1 conv conv_0")), "ncnn", "1", NETWORK),
        Example(network(("2 1 relu conv_1 out", "2 1 relu out")), "ncnn", "2"),
        Example(GRAPH.replace("mul 1 1 0 1", "mul 1 2 0 1"), "pnnx", "2"),
    )


class WrongLayerCount(Rule):
    """
    What it does
        Checks whether the first number of the second line is the number of layers, which pnnx calls operators.

    Why is this bad
        The runtime reads exactly as many layers. If there are fewer, loading fails (ncnn: "parse layer_type failed"); if there are more,
        the rest of the network is not read, and its outputs do not exist.

    Fix safety
        Safe if only this number is too large, as nothing loads the file. Unsafe if the file has more layers, as the network changes, or
        if it lacks values, too, as it may be truncated. The fix also raises the number of values if that is too small.
    """

    row = R.wrong_layer_count
    fixable = "mixed"
    valid = (Example(NETWORK, "ncnn"), Example(GRAPH, "pnnx"))
    invalid = (
        Example(network(("5 6", "6 6")), "ncnn", "6", NETWORK),
        Example(network(("5 6", "4 6")), "ncnn", "4"),
        Example(GRAPH.replace("3 2", "4 2"), "pnnx", "4", GRAPH),
    )


class WrongBlobCount(Rule):
    """
    What it does
        Checks whether the second number of the second line is the number of blobs, which pnnx calls operands: the outputs of all layers.

    Why is this bad
        ncnn reserves room for that many blobs. If the layers output more, it refuses the file ("too many blobs"); releases up to
        20260526 write past the end of their memory. A number that is too large only wastes memory: that is an info, which
        `--fix` corrects only if the rule is selected. pnnx does not use the
        number: there it is a warning.

    Fix safety
        Safe: the number of blobs follows from the layers.
    """

    row = R.wrong_blob_count
    fixable = "safe"
    valid = (Example(NETWORK, "ncnn"), Example(GRAPH, "pnnx"))
    invalid = (
        Example(network(("5 6", "5 5")), "ncnn", "5", NETWORK),
        Example(network(("5 6", "5 9")), "ncnn", "9", NETWORK),
        Example(GRAPH.replace("3 2", "3 1"), "pnnx", "1", GRAPH),
    )
