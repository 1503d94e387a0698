"""A sample of a graph of operators."""

from __future__ import annotations

from irlint.formats.samples import Sample
from irlint.rules.samples import GRAPH

SAMPLES = (Sample("graph", "model.pnnx.param", GRAPH.encode(), ("in0", "mul 1", "out 1")),)
