"""A sample of a list of layers."""

from __future__ import annotations

from irlint.formats.samples import Sample

NETWORK = """7767517
5 6
Input            data     0 1 data 0=8 1=8 2=3
Convolution      conv     1 1 data conv 0=4 1=3 4=1 5=1 6=108
Split            split    1 2 conv conv_0 conv_1
ReLU             relu     1 1 conv_0 relu
BinaryOp         add      2 1 relu conv_1 out 0=0
"""

SAMPLES = (Sample("param", "model.param", NETWORK.encode(), ("data", "conv", "split", "relu", "add")),)
