"""Pages of rules about QuantizeLinear and DequantizeLinear, which a target with 8-bit kernels asks for (`--target precision=int8`)."""

from __future__ import annotations

from irlint.formats.onnx.rules import R
from irlint.rules.base import Rule


class BiasScale(Rule):
    """
    What it does
        With `--target precision=int8`, checks that the bias of a quantized Conv, ConvTranspose or Gemm has the scale of its input times
        the scale of its weights, for each channel, and zero point 0.

    Why is this bad
        Kernels of 8 bits add the bias to sums of products, which have that scale, as an integer. With another scale the operator runs
        in float, as in onnxruntime (1.32), or adds another number than the graph says.

    References
        https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html
    """

    row = R.bias_scale
    formats = ("onnx",)


class QuantizedAxis(Rule):
    """
    What it does
        With `--target precision=int8`, checks that weights with several scales have one for each output channel: `axis` 0 for Conv, 1 for
        ConvTranspose, and the axis of the columns for MatMul and Gemm.

    Why is this bad
        Kernels of 8 bits scale sums, so that all weights of a sum must have one scale. With optimizations, onnxruntime (1.32) runs such a
        Conv in QLinearConv as if the scales were those of its output channels, and silently outputs other numbers than without
        optimizations. Other targets refuse it, or run it in float. The default of `axis` is 1, which is wrong for Conv.
    """

    row = R.quantized_axis
    formats = ("onnx",)


class AsymmetricWeights(Rule):
    """
    What it does
        With `--target precision=int8`, checks that the zero points of weights are 0, or 128 if they are unsigned.

    Why is this bad
        TensorRT refuses zero points other than 0, and many accelerators have kernels for symmetric weights only: the operator runs in
        float. onnxruntime's quantizer writes symmetric weights with `WeightSymmetric`, which is its default for int8.
    """

    row = R.asymmetric_weights
    formats = ("onnx",)


class UnpairedQuantization(Rule):
    """
    What it does
        With `--target precision=int8`, checks for a QuantizeLinear whose result an operator uses without a DequantizeLinear, for a
        DequantizeLinear with another scale than the QuantizeLinear whose result it takes, and for weights that are quantized for one
        operator and used in float by another.

    Why is this bad
        A target fuses an operator with the DequantizeLinear of each input and the QuantizeLinear of its output. Where one is missing, the
        operator runs in float, and shared weights are stored twice. Another scale multiplies the values by the ratio of both.
    """

    row = R.unpaired_quantization
    formats = ("onnx",)


class ZeroPointRange(Rule):
    """
    What it does
        With `--target precision=int8`, checks for zero points that their element type does not hold, such as 300 of int8.

    Why is this bad
        A file stores numbers of 8 bits in 32. onnx's checker accepts the file, and onnxruntime (1.32) uses the lowest 8 bits: 44.
    """

    row = R.zero_point_range
    formats = ("onnx",)
