"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import SYMBOL, TVM_GRAPH, symbol, tvm


class CallCounts(Cases):
    valid = (Case(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (
        Case(
            tvm(
                (
                    '"fused_relu", "num_inputs": "1", "num_outputs": "1"',
                    '"fused_relu", "num_inputs": "1", "num_outputs": "2"',
                )
            ),
            "nnvm:tvm",
            '"2"',
        ),
        Case(tvm(('"fused_relu", "num_inputs": "1"', '"fused_relu", "num_inputs": "3"')), "nnvm:tvm", '"3"'),
    )


class MetadataLast(Cases):
    valid = (Case(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (Case(tvm(('  "arg_nodes"', '  "metadata": {}, "arg_nodes"')), "nnvm:tvm", '"metadata"'),)


class NodeRowPtr(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Case(symbol(("[0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4, 6]")), "nnvm:mxnet", "6", SYMBOL),
        Case(symbol(("[0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4]")), "nnvm:mxnet", '"node_row_ptr"', SYMBOL),
        Case(tvm(('"node_row_ptr": [0, 1, 2, 3, 4]', '"node_row_ptr": [0, 1, 2, 3]')), "nnvm:tvm", '"node_row_ptr"'),
        Case(
            symbol(
                ("[0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4, 6]"),
                ('"op": "null", "name": "data"', '"op": "null", "op": "null", "name": "data"'),
            ),
            "nnvm:mxnet",
            "6",
            SYMBOL,
        ),
    )


_READ_LATE = tvm(
    ("[[2, 0, 0]]", "[[2, 0, 0], [0, 0, 0]]"),
    ('"fused_relu", "num_inputs": "1"', '"fused_relu", "num_inputs": "2"'),
    ("[0, 1, 2, 3]]", "[0, 1, 0, 3]]"),
)


class SharedStorage(Cases):
    valid = (Case(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (
        Case(_READ_LATE, "nnvm:tvm", "0"),
        Case(tvm(("[0, 1, 2, 3]]", '[0, 1, 2, 2]],\n    "device_index": ["list_int", [1, 1, 1, 2]]')), "nnvm:tvm", "2"),
    )


_GAP = tvm(("[0, 1, 2, 3]]", "[0, 1, 2, 5]]"))


class StorageGap(Cases):
    valid = (Case(TVM_GRAPH, "nnvm:tvm"), Case(_GAP, "nnvm:tvm", targets={"tvm": "0.9"}))
    invalid = (
        Case(_GAP, "nnvm:tvm", "5"),
        Case(_GAP, "nnvm:tvm", "5", targets={"tvm": "0.12"}),
    )


class ValueListLength(Cases):
    valid = (Case(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (
        Case(
            tvm(('["float32", "float32", "float32", "float32"]', '["float32", "float32", "float32"]')),
            "nnvm:tvm",
            '["float32", "float32", "float32"]',
        ),
    )
