"""Mistakes in the structure of .param files, and files that ncnn 1.0.20261020 reads all the same."""

from __future__ import annotations

from typing import NamedTuple

from rule_cases.texts import NETWORK, network

SPLIT = "Split            split    1 2 conv conv_0 conv_1\n"
RELU = "ReLU             relu     1 1 conv_0 relu\n"


class Case(NamedTuple):
    text: str
    found: list[tuple[str, str]]  # codes and tokens
    fixed: str | None = None  # by safe fixes


SOUND = {
    "Windows line ends": NETWORK.replace("\n", "\r\n"),
    "old line ends": NETWORK.replace("\n", "\r"),
    "blank lines": NETWORK.replace("\n", "\n\n"),
    "tabs": NETWORK.replace(" ", "\t"),
    "an indented layer": network(("ReLU ", "   ReLU ")),
    "all counts on one line": network(("7767517\n", "7767517 ")),
    "a layer on two lines": network(("1 1 conv_0", "1\n1 conv_0")),
    "a comment below the layers": NETWORK + "# trained in spring\n",
    "layers of one name": network((" relu     1 1", " conv     1 1")),
    "letters of any script": NETWORK.replace("relu", "rélu"),
    "no line end at the end": NETWORK[:-1],
}

CASES = {
    "byte order mark": Case("\ufeff" + NETWORK, [("S006", "\ufeff")], NETWORK),
    "nothing": Case("", [("S011", "")]),
    "blanks": Case(" \n\n", [("S011", "")]),
    "wrong magic number": Case(network(("7767517", "7767518")), [("S501", "7767518")], NETWORK),
    "no magic number": Case(network(("7767517\n", "")), [("S501", "5")], NETWORK),
    "no counts": Case(network(("5 6\n", "")), [("S001", "7767517")], NETWORK),
    "one count": Case(network(("5 6\n", "5\n")), [("S001", "5")], NETWORK),
    "a count in words": Case(network(("5 6\n", "five 6\n")), [("S001", "five")]),
    "nothing but the magic number": Case("7767517\n", [("S001", "7767517")]),
    "layers: truncated": Case(network(("5 6", "7 8")), [("T501", "7"), ("T502", "8")]),
    "layers: too many": Case(network(("5 6", "6 6")), [("T501", "6")], NETWORK),
    "layers: none": Case(network(("5 6", "0 6")), [("T501", "0")], NETWORK),
    "layers: negative": Case(network(("5 6", "-5 6")), [("T501", "-5")], NETWORK),
    "layers: too few": Case(network(("5 6", "4 6")), [("T501", "4")]),
    "blobs: too few": Case(network(("5 6", "5 5")), [("T502", "5")], NETWORK),
    "counts swapped": Case(network(("5 6", "6 5")), [("T501", "6"), ("T502", "5")], NETWORK),
    "a comment above": Case("# a\n" + NETWORK, [("S013", "# a")], NETWORK),
    "a comment below the magic number": Case(network(("5 6", "// a\n5 6")), [("S013", "// a")], NETWORK),
    "a comment between layers": Case(network(("ReLU ", "# a\nReLU ")), [("S013", "# a")], NETWORK),
    "a comment behind a layer": Case(network(("conv_0 relu\n", "conv_0 relu # a\n")), [("S013", "# a")]),
    "text below the layers": Case(NETWORK + "the end\n", [("S009", "the end")]),
    "no layer name": Case(network((" relu     1 1", " 1 1")), [("S001", "conv_0")]),
    "no number of outputs": Case(network(("1 1 conv_0", "1 conv_0")), [("S001", "conv_0")]),
    "a number of outputs that is none": Case(network(("1 1 conv_0", "1 x conv_0")), [("S001", "x")]),
    "a negative number of inputs": Case(network(("1 1 conv_0", "-1 1 conv_0")), [("S001", "-1")]),
    "an input too few": Case(network(("1 1 conv_0", "2 1 conv_0")), [("T503", "2")]),
    "an output too few": Case(network(("1 1 conv_0", "1 2 conv_0")), [("T503", "2")]),
    "a comma for an equals sign among names": Case(
        network(("conv 0=4 1=3", "conv 0,4 1=3")), [("T503", "0,4")]
    ),
    "a word that nobody reads": Case(network(("1 1 conv_0", "1 1 conv_0 foo")), [("T503", "foo")]),
    "an output of Split too few": Case(network(("conv_0 conv_1\n", "conv_0\n")), [("T503", "2")]),
    "blanks around a sign": Case(network(("0=4", "0 = 4")), [("S001", "0")]),
    "a blank behind a sign": Case(network(("0=4", "0= 4")), [("S001", "0=")]),
    "no value": Case(network(("0=4", "0=")), [("S001", "0=")]),
    "no id": Case(network(("0=4", "=4")), [("S001", "=4")]),
    "a colon": Case(network(("0=4", "0:4")), [("S001", "0:4")]),
    "a comma between parameters": Case(network(("0=4 1=3", "0=4,1=3")), [("S001", "0=4,1=3")]),
    "parameters on a line of their own": Case(
        network((" 0=4", "\n0=4")), [("S001", "0=4 1=3 4=1 5=1 6=108")], NETWORK
    ),
    "two layers on a line": Case(
        network(("conv_0 relu\n", "conv_0 relu ")), [("S001", "BinaryOp")], NETWORK
    ),
    "cut off within a name": Case(NETWORK[: -len("nv_1 out 0=0\n")], [("S016", "co")]),
    "cut off within the counts": Case(NETWORK[: -len(" 1 relu conv_1 out 0=0\n")], [("S016", "2")]),
    "an undefined blob": Case(network(("1 1 conv_0 relu", "1 1 conv0 relu")), [("R001", "conv0")]),
    "a blob renamed where it is defined": Case(network(("1 1 data conv", "1 1 data cnv")), [("R001", "conv")]),
    "a name written for another": Case(network(("conv_0 relu\n", "conv_0 conv_1\n")), [("R005", "conv_1")]),
    "a layer that reads itself": Case(network(("1 1 conv_0 relu", "1 1 relu relu")), [("R003", "relu")]),
    "a layer too early": Case(
        network((RELU, "")) + RELU,
        [("R002", "relu")],
        network((RELU, "")).rpartition("BinaryOp")[0] + RELU + NETWORK[NETWORK.index("BinaryOp") :],
    ),
    "no Split": Case(
        network((SPLIT, ""), ("5 6", "4 4"), ("conv_0", "conv"), ("conv_1", "conv")),
        [("R501", "conv")],
        network(
            (SPLIT, "Split                    split_conv               1 2 conv conv_splitncnn_0 conv_splitncnn_1\n"),
            ("1 1 conv_0", "1 1 conv_splitncnn_0"),
            ("relu conv_1", "relu conv_splitncnn_1"),
        ),
    ),
    "a Split deleted": Case(
        network((SPLIT, ""), ("5 6", "4 4"), ("conv_0", "conv_splitncnn_0"), ("conv_1", "conv_splitncnn_1")),
        [("R001", "conv_splitncnn_0")],
        network(
            (SPLIT, "Split                    split_conv               1 2 conv conv_splitncnn_0 conv_splitncnn_1\n"),
            ("1 1 conv_0", "1 1 conv_splitncnn_0"),
            ("relu conv_1", "relu conv_splitncnn_1"),
        ),
    ),
}  # fmt: skip
