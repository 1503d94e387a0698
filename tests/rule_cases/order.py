"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, NETWORK, SYMBOL, lightnet, network, symbol

_RELU = (
    '{{"name": "{}", "optype": "relu", "tensors_in": [{{"arg_name": "src", "name": "{}"}}],\n'
    ' "tensors_out": [{{"arg_name": "dst", "name": "{}"}}], "params": []}}'
)


_ZEROS = (
    '{"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],\n'
    ' "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2]}]}'
)


class Cycle(Cases):
    valid = (
        Case(
            '{"ops": [\n' + ",\n".join((_ZEROS, _RELU.format("r1", "a", "b"), _RELU.format("r2", "b", "c"))) + "\n]}\n",
            "lightnet",
        ),
    )
    invalid = (
        Case(
            '{"ops": [\n' + ",\n".join((_RELU.format("r1", "v", "u"), _RELU.format("r2", "u", "v"))) + "\n]}\n",
            "lightnet",
            '"v"',
        ),
        Case(symbol(("[[0, 0, 0], [1", "[[4, 0, 0], [1")), "nnvm:mxnet", "[4, 0, 0]", SYMBOL),
    )


class SelfReference(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(
                (
                    '"tensors_in": [{"arg_name": "src", "name": "image"}]',
                    '"tensors_in": [{"arg_name": "src", "name": "part"}]',
                )
            ),
            "lightnet",
            '"part"',
        ),
        Case(symbol(("[1, 0, 0], [2", "[3, 0, 0], [2")), "nnvm:mxnet", "[3, 0, 0]", SYMBOL),
        Case(symbol(('"inputs": [[3, 0, 0]]', '"inputs": [[4, 0, 0]]')), "nnvm:mxnet", "[4, 0, 0]", SYMBOL),
    )


_SPLIT, _RELU = NETWORK.splitlines(keepends=True)[4:6]


_SHOW_FIRST = (
    LIGHTNET[: LIGHTNET.index('    {\n      "name": "load"')]
    + "    {\n"
    + LIGHTNET[LIGHTNET.index('      "name": "show"') : LIGHTNET.index("\n  ]\n")]
    + ",\n"
    + LIGHTNET[LIGHTNET.index('    {\n      "name": "load"') : LIGHTNET.index(',\n    {\n      "name": "show"')]
    + "\n  ]\n}\n"
)


class UsedBeforeDefined(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(_SHOW_FIRST, "lightnet", '"part"', LIGHTNET),
        Case(network((_SPLIT + _RELU, _RELU + _SPLIT)), "ncnn", "conv_0", NETWORK),
    )
