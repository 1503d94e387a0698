"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, SYMBOL, lightnet, prototext, symbol


class SyntaxError(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet(('"len", "value": 2}]', '"len", "value": 2},]')), "lightnet", ",", LIGHTNET),
        Case(lightnet(('"value": [2, 3]', '"value": [2 3]')), "lightnet", "3", LIGHTNET.replace("[2, 3]", "[2, 3]")),
        Case(lightnet(('"value": false', '"value": False')), "lightnet", "False", LIGHTNET),
        Case(lightnet(('"value": [2, 3]', '"value": [2, 3}')), "lightnet", "}", LIGHTNET),
        Case(prototext(('"relu"\n', '"relu\n')), "onnx:prototext", '"'),
    )


class TruncatedFile(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(LIGHTNET.rstrip()[:-1].rstrip(), "lightnet", None, LIGHTNET.rstrip()[:-1].rstrip() + "}"),
        Case(SYMBOL.rstrip()[:-1].rstrip(), "nnvm", None, SYMBOL.rstrip()[:-1].rstrip() + "}"),
    )


_EVENTS = '[{"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 36}]'


class TrailingText(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(LIGHTNET + "done\n", "lightnet", "done", LIGHTNET.rstrip()),
        Case(_EVENTS + "\ndone\n", "glacier:events", "done", _EVENTS),
    )


class TooDeep(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(('"ops": [', f'"extra": {"[" * 1001}{"]" * 1001}, "ops": [')), "lightnet", "["),)


class Comment(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case("// a model\n" + LIGHTNET, "lightnet", "// a model"),
        Case(
            symbol(('  "heads"', '  // the output\n  "heads"')),
            "nnvm",
            "// the output",
            symbol(('  "heads"', '  \n  "heads"')),
        ),
    )


class DuplicateKey(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(('"name": "cut", "optype"', '"name": "cut", "name": "trim", "optype"')),
            "lightnet",
            '"name"',
            LIGHTNET,
        ),
        Case(
            symbol(('{"op": "null", "name": "data"', '{"op": "null", "op": "null", "name": "data"')),
            "nnvm",
            '"op"',
            SYMBOL,
        ),
    )


class UnusualEscape(Cases):
    valid = (Case(SYMBOL, "nnvm"),)
    invalid = (
        Case(
            symbol(('"name": "relu0"', r'"name": "r\u00e9lu0"')),
            "nnvm",
            r"\u00e9",
            symbol(('"name": "relu0"', '"name": "rélu0"')),
        ),
    )
