"""The small network of the examples."""

from __future__ import annotations

from irlint.rules.base import Example

NETWORK = """7767517
5 6
Input            data     0 1 data 0=8 1=8 2=3
Convolution      conv     1 1 data conv 0=4 1=3 4=1 5=1 6=108
Split            split    1 2 conv conv_0 conv_1
ReLU             relu     1 1 conv_0 relu
BinaryOp         add      2 1 relu conv_1 out 0=0
"""


def network(*changes: tuple[str, str]) -> str:
    text = NETWORK
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def example(token: str | None = None, *changes: tuple[str, str], fixed: str | None = None) -> Example:
    return Example(network(*changes), "ncnn:param", token, fixed)
