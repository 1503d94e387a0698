"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import network


def example(token: str | None = None, *changes: tuple[str, str], fixed: str | None = None) -> Case:
    return Case(network(*changes), "ncnn", token, fixed)


class LongWord(Cases):
    valid = (example(),)
    invalid = (
        example(
            "0.10000000000000001",
            ("conv_0 relu", "conv_0 relu 0=0.10000000000000001"),
            fixed=network(("conv_0 relu", "conv_0 relu 0=0.1")),
        ),
    )


class MissingSplit(Cases):
    valid = (example(),)
    invalid = (
        example(
            "conv",
            ("conv_0 relu", "conv relu"),
            ("relu conv_1", "relu conv"),
            ("Split            split    1 2 conv conv_0 conv_1\n", ""),
            ("5 6", "4 4"),
            fixed=network(
                ("Split            split    1 2", "Split                    split_conv               1 2"),
                ("conv_0 conv_1", "conv_splitncnn_0 conv_splitncnn_1"),
                ("conv_0 relu", "conv_splitncnn_0 relu"),
                ("relu conv_1", "relu conv_splitncnn_1"),
            ),
        ),
        example(
            "conv",
            ("conv_0 relu", "conv relu"),
            ("relu conv_1", "relu conv"),
            ("Split            split    1 2 conv conv_0 conv_1\n", "Sigmoid          gate     1 1 conv gated\n"),
            ("5 6", "5 5"),
        ),
    )
