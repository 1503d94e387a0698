"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import ONNX, onnx

_EXTERNAL = onnx(
    ("int64[2] flat = {-1,256}", 'int64[2] flat = ["location": "model.data", "offset": "0", "length": "16"]')
)


_DATA = {"model.data": (-1).to_bytes(8, "little", signed=True) + (256).to_bytes(8, "little")}


class ExternalShape(Cases):
    valid = (Case(ONNX, "onnx"),)
    invalid = (Case(_EXTERNAL, "onnx", "flat", ONNX, side_files=_DATA),)


_DYNAMIC = onnx(("float[1,1,8,8] image", "float[batch,1,8,8] image"), ("float[1,10] scores", "float[batch,10] scores"))


_PASSED = """\
<ir_version: 8, opset_import: ["" : 17]>
net (float[%s] x) => (float[%s] y) {
   y = %s (x)
}
"""


class FixedBatch(Cases):
    valid = (
        Case(ONNX, "onnx"),
        Case(_DYNAMIC, "onnx"),
        Case(_PASSED % ("n,4", "?,4", "Relu"), "onnx"),  # an open size says nothing else
    )
    invalid = (
        Case(_DYNAMIC.replace("{-1,256}", "{1,256}"), "onnx", "flat"),
        Case(_PASSED % ("n,4", "1,4", "Relu"), "onnx", "float[1,4]", _PASSED % ("n,4", "n,4", "Relu")),
        Case(_PASSED % ("1,n", "1,8", "Relu"), "onnx", "float[1,8]", _PASSED % ("1,n", "1,n", "Relu")),
    )


_LINES = """\
<ir_version: 8, opset_import: ["" : 17]>
net (float[batch,3] x) => (float[batch,3] y%s)
<float[3] one = {1,1,1}, float[3] zero = {0,0,0}, float ratio = {0.5}, bool training = {1}> {
   %s
}
"""
_NORM = "y, mean, var = BatchNormalization <training_mode = 1> (x, one, zero, zero, one)"
_DROPOUT = "y = Dropout (x, ratio, training)"
_LOSS = """y = Dropout (x, ratio, training)
   loss = SoftmaxCrossEntropyLoss (y, labels)"""


class TrainingMode(Cases):
    valid = (
        Case(_LINES % ("", "y = BatchNormalization (x, one, zero, zero, one)"), "onnx"),
        Case(_LINES % (", float[3] mean, float[3] var", _NORM), "onnx"),  # a step of training
        Case((_LINES % (", float loss", _LOSS)).replace("] x)", "] x, int64[batch] labels)"), "onnx"),
        Case(_LINES.replace("{0.5}", "{0}") % ("", _DROPOUT), "onnx"),  # drops nothing
        Case((_LINES % ("", _DROPOUT)).replace("{1}", "{0}"), "onnx"),
    )
    invalid = (
        Case(_LINES % ("", _NORM), "onnx", "1", _LINES % ("", "y = BatchNormalization (x, one, zero, zero, one)")),
        Case(_LINES % ("", _DROPOUT), "onnx", "training", _LINES % ("", "y = Dropout (x, ratio)")),
        Case(  # one export is one finding
            _LINES % ("", _NORM.replace("y,", "n,") + "\n   y = Dropout (n, ratio, training)"),
            "onnx",
            "1",
            _LINES % ("", "n = BatchNormalization (x, one, zero, zero, one)\n   y = Dropout (n, ratio)"),
        ),
    )
