"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import GRAPH, LIGHTNET, NETWORK, lightnet, network


class EmptyFile(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case("", "lightnet"),
        Case(" \n\n", "lightnet"),
    )


class UnrecognizedFile(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case("<!DOCTYPE html><title>404</title>\n", "", "<!DOCTYPE html><title>404</title>"),
        Case('{"a": 1}', "", '{"a": 1}'),
    )


class WrongMagic(Cases):
    valid = (Case(NETWORK, "ncnn"), Case(GRAPH, "pnnx"))
    invalid = (
        Case(network(("7767517", "7767516")), "ncnn", "7767516", NETWORK),
        Case(network(("7767517\n", "")), "ncnn", "5", NETWORK),
        Case(GRAPH.replace("7767517", "7767516"), "pnnx", "7767516", GRAPH),
    )


class UnusualEncoding(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case("".join(char + "\0" for char in LIGHTNET), "lightnet"),)


class InvalidUtf8(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(('"value": "part:"', '"value": "part\udce9:"')), "lightnet", "\udce9"),)


class ByteOrderMark(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case("\ufeff" + LIGHTNET, "lightnet", "\ufeff", LIGHTNET),)


class NulCharacter(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(('"value": "part:"', r'"value": "part\u0000:"')), "lightnet", r"\u0000"),)


class ControlCharacter(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(('"value": "part:"', '"value": "part\t:"')),
            "lightnet",
            "\t",
            lightnet(('"value": "part:"', r'"value": "part\t:"')),
        ),
        Case(
            '{"nodes": [{"op": "null", "name": "da\fta", "inputs": []}], "arg_nodes": [0], "heads": [[0, 0, 0]]}',
            "nnvm",
            "\f",  # its reader does not know the escape
        ),
    )


class LoneSurrogate(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(('"value": "part:"', r'"value": "\ud83d"')), "lightnet", r"\ud83d"),)
