"""Report an operator that the dialect does not have, and what it may be instead."""

from __future__ import annotations

from irlint.checks.problems import unknown_operator
from irlint.findings import Fix, Problem
from irlint.formats.nnvm import dialect as dialects
from irlint.formats.nnvm.codes import R
from irlint.operators import nearest, table
from irlint.rules.base import Model
from irlint.text.base import Document, Place

_SAME = {
    "conv2d": "Convolution", "conv2d_transpose": "Deconvolution", "dense": "FullyConnected", "batch_norm": "BatchNorm",
    "max_pool2d": "Pooling", "avg_pool2d": "Pooling", "global_max_pool2d": "Pooling", "global_avg_pool2d": "Pooling",
    "leaky_relu": "LeakyReLU", "prelu": "LeakyReLU", "lrn": "LRN", "concatenate": "Concat", "upsampling": "UpSampling",
    "strided_slice": "slice", "matmul": "dot", "dropout": "Dropout", "l2_normalize": "L2Normalization",
    "elemwise_sum": "add_n", "pad": "Pad", "block_grad": "BlockGrad",
}  # fmt: skip
_BACK: dict[str, str] = {mxnet: nnvm for nnvm, mxnet in reversed(_SAME.items())}


def unknown(model: Model, at: Place, op: str, node: str | None) -> Problem:
    classic = model.dialect == dialects.CLASSIC
    title, other = ("NNVM", table("mxnet")) if classic else ("MXNet", table("nnvm"))
    assert model.operators is not None
    message = f"unknown operator `{op}`" if op else "empty operator"
    if op == "tvm_op":
        return Problem(R.unknown_operator, at, f"{message}; only TVM graph executor files have it", node)
    if nearest(op, [near for near in ("null", model.operators.nearest(op)) if near]) == "null":
        sure = op.casefold() == "null"

        def fix(document: Document) -> Fix:
            return Fix("Rename to `null`", document.write(at, "null"), "safe" if sure else "unsafe")

        hint = "did you mean `null`?" if sure else "did you mean `null`, a variable?"
        return Problem(R.unknown_operator, at, f"{message}; {hint}", node, fix)
    if op in other:
        same = (_BACK if classic else _SAME).get(op)
        message += f"; it is an operator of {'MXNet' if classic else 'NNVM'}"
        return Problem(R.unknown_operator, at, message + (f", in {title} `{same}`" if same else ""), node)
    return unknown_operator(at, op, model.operators, title, node)
