"""Pages of rules about weights and the files that they are in."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class MissingWeights(Rule):
    """
    What it does
        Checks for models whose weights file does not exist.

    Why is this bad
        The loader refuses a model with constants if the file that contains them is missing. There is one finding for
        all constants.

        An error where git tracks the missing file or there is no repository, otherwise a warning. The setting `weights`
        changes that: `required` makes it always an error, `optional` a pedantic finding.

        With `--tracked-weights`, as in the pre-commit hooks, a file that is there but that git does not track is reported, too.
    """

    row = R.missing_weights


class UnusedWeights(Rule):
    """
    What it does
        Checks for bytes of a weights file that no constant uses, at its end or between constants, for entries of an archive
        that no operator reads, and for initializers of an ONNX graph that no node uses.

    Why is this bad
        They waste space, or the weights belong to another version of the model: a warning if the constants of an OpenVINO model leave
        more than a third of the file unused, and an error if an integer in it is too great for an axis, a length or an index. Then
        nothing else is concluded from the file. In files without positions of weights, operators may use those of others. Of an
        initializer of less than 1,024 bytes, as PyTorch's counters of batches are, this is a pedantic finding.

    Fix safety
        Unsafe: an unused initializer of an ONNX graph is removed; a program may still request it by name. Files of weights have no fix.
    """

    row = R.unused_weights
    fixable = "unsafe"


class WeightsFormat(Rule):
    """
    What it does
        Checks for weights files that are something else: a Git LFS pointer, an HTML or XML page, or not a regular file.

    Why is this bad
        The loader reads the text as numbers, or reports that the file is too short.

        In a repository a Git LFS pointer is a warning, because a checkout without the large files is full of them; the setting
        `weights` makes it an error (`required`) or a pedantic finding (`optional`). Anything else is an error.
    """

    row = R.weights_format


class WeightsMismatch(Rule):
    """
    What it does
        Checks for constants whose size in bytes does not match their shape and type, for constants of strings whose bytes
        are not packed strings, for begins and ends of strings outside of their characters, for constants that partly overlap,
        for a constant that uses the bytes of another one while its own are left unused, and for weights that are stored in
        another way than the model says.

    Why is this bad
        If bytes are missing, the loader refuses the model; if there are too many, or constants overlap, a number in the
        file is wrong, and the tensor contains unintended values.

        An error where the loader refuses the model, otherwise a warning.

    Fix safety
        Unsafe: if a constant of an OpenVINO model overlaps another by as many bytes as nobody uses on its other side, the fix
        moves it back; so does that of a constant with the bytes of another one. If it has just the bytes of the shape that its
        port declares, the fix writes that shape.
    """

    row = R.weights_mismatch
    fixable = "unsafe"


class WeightsTooShort(Rule):
    """
    What it does
        Checks for constants that are wholly or partly past the end of the weights file.

    Why is this bad
        The loader refuses the model. Usually a copy or a download of the weights was truncated.
    """

    row = R.weights_too_short


class NanWeights(Rule):
    """
    What it does
        Checks for weights that hold NaN or infinite values.

    Why is this bad
        Nearly every output of the model becomes NaN, and no runtime reports it. The training diverged, or a conversion to 16
        bits overflowed.

        In ONNX and OpenVINO models, the weights of convolutions, matrix products, embeddings, normalizations and recurrent layers are
        read, as far as that does not take long, and such values there are a warning. All weights are read only if the rule is
        selected by its code or name, or with PEDANTIC. `irlint weights` lists the values of all weights.
    """

    row = R.nan_weights


class ZeroWeights(Rule):
    """
    What it does
        Checks for floating-point weights of more than one element that are all zero.

    Why is this bad
        A layer whose weights are all zero computes nothing: its weights were not loaded, or not saved. Biases are often
        zero on purpose.

        Reads all weights, so it is off unless it is selected by its code or name, or with PEDANTIC. `irlint weights` lists the
        values of all weights.
    """

    row = R.zero_weights


class DenormalWeights(Rule):
    """
    What it does
        Checks for weights of 32 or 64 bits, or of bfloat16, with denormal values: nonzero, but too small for the normal
        precision of their type.

    Why is this bad
        Arithmetic with denormal numbers is up to a hundred times slower on many processors, and other processors take them
        for zero, so that results differ.

        Reads all weights, so it is off unless it is selected by its code or name, or with PEDANTIC. `irlint weights` lists the
        values of all weights.
    """

    row = R.denormal_weights
