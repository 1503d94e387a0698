"""A sample of a graph of operators."""

from __future__ import annotations

from irlint.formats.samples import Sample

GRAPH = """7767517
3 2
pnnx.Input in0 0 1 0 #0=(1,3)f32
pnnx.Expression mul 1 1 0 1 expr=mul(@0,2) a=1 #0=(1,3)f32 #1=(1,3)f32
pnnx.Output out 1 0 1 #1=(1,3)f32
"""

SAMPLES = (Sample("graph", "model.pnnx.param", GRAPH.encode(), ("in0", "mul 1", "out 1")),)
