"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import GRAPH, NETWORK, SYMBOL, network, symbol


class WrongLength(Cases):
    valid = (Case(SYMBOL, "nnvm"),)
    invalid = (Case(symbol(('"heads": [[4, 0, 0]]', '"heads": [[4, 0, 0, 0]]')), "nnvm", "[4, 0, 0, 0]"),)


class WrongNameCount(Cases):
    valid = (Case(NETWORK, "ncnn"), Case(GRAPH, "pnnx"))
    invalid = (
        Case(network(("1 2 conv conv_0", "1 1 conv conv_0")), "ncnn", "1", NETWORK),
        Case(network(("2 1 relu conv_1 out", "2 1 relu out")), "ncnn", "2"),
        Case(GRAPH.replace("mul 1 1 0 1", "mul 1 2 0 1"), "pnnx", "2"),
    )


class WrongLayerCount(Cases):
    valid = (Case(NETWORK, "ncnn"), Case(GRAPH, "pnnx"))
    invalid = (
        Case(network(("5 6", "6 6")), "ncnn", "6", NETWORK),
        Case(network(("5 6", "4 6")), "ncnn", "4"),
        Case(GRAPH.replace("3 2", "4 2"), "pnnx", "4", GRAPH),
    )


class WrongBlobCount(Cases):
    valid = (Case(NETWORK, "ncnn"), Case(GRAPH, "pnnx"))
    invalid = (
        Case(network(("5 6", "5 5")), "ncnn", "5", NETWORK),
        Case(network(("5 6", "5 9")), "ncnn", "9", NETWORK),
        Case(GRAPH.replace("3 2", "3 1"), "pnnx", "1", GRAPH),
    )
