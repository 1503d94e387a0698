"""Pages of rules about lists and counts that disagree."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class WrongLength(Rule):
    """
    What it does
        Checks for lists with more or fewer elements than the format requires.

    Why is this bad
        The format has one element for each part of what the list describes. Loaders refuse the file, or stop in the middle of the list.

        In an ONNX model, the data of an initializer does not fill its shape, or is longer.
    """

    row = R.wrong_length


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
