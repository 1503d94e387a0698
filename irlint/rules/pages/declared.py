"""Pages of rules about types that are declared, and results that no runtime has use for."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class DtypeMismatch(Rule):
    """
    What it does
        Checks for operators whose inputs have element types that do not match, or that the operator does not support.

    Why is this bad
        The runtime refuses the operator, or interprets the bytes of one type as another.

    Fix safety
        Unsafe: in an ONNX model, a `Cast` to the type that the operator takes is inserted before the input. The model may be meant to
        declare or compute another type instead.

        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.

        In an NNVM graph, an input that is not named for its role is connected to the unused variable that is.
    """

    row = R.dtype_mismatch
    fixable = "unsafe"


class DeclaredDtypeDiffers(Rule):
    """
    What it does
        Checks for declared element types that differ from those that irlint infers.

    Why is this bad
        Anyone who relies on the declared type is misled. Some runtimes compute with it.

    Fix safety
        Unsafe: the fix declares the inferred type; the mistake may be in the operators instead. For an output of an ONNX model that
        was converted to another precision and kept the types of its inputs, the fix inserts a Cast. For a constant of an OpenVINO
        model whose ports all declare another type of the same width, the fix sets the element type.
    """

    row = R.declared_dtype_differs
    fixable = "unsafe"


class DeclaredShapeDiffers(Rule):
    """
    What it does
        Checks for declared shapes that differ from those that irlint infers.

    Why is this bad
        Anyone who relies on the declared shape is misled. Some runtimes compute with it.

    Fix safety
        Unsafe: the fix declares the inferred shape; the mistake may be in the operators instead.
    """

    row = R.declared_shape_differs
    fixable = "unsafe"


class EmptyOutput(Rule):
    """
    What it does
        Checks for operators whose output would have a dimension of zero or less: a window larger than its padded input,
        a scale so small that nothing is left.

    Why is this bad
        The runtime refuses the operator, or aborts without reporting which value is wrong.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.
    """

    row = R.empty_output
    fixable = "unsafe"


class TooLarge(Rule):
    """
    What it does
        Checks for tensors with more elements than the runtime can count, or more bytes than it can allocate.

    Why is this bad
        The number of elements overflows: the runtime aborts, allocates too little, or requests a negative amount.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.
    """

    row = R.too_large
    fixable = "unsafe"
