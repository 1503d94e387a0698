"""Samples of a listing and of events."""

from __future__ import annotations

from irlint.formats.samples import Sample

_LISTING = """\
0 nn.conv2d ['image', 'kernel']
1 nn.bias_add [0, 'bias']
2 nn.relu [1]
"""
_EVENTS = """\
{"nodeID": 0, "name": "nn.conv2d", "inputs": ["image", "kernel"], "duration": 0.0011, "session": "night"}
{"nodeID": 1, "name": "nn.bias_add", "inputs": [0, "bias"], "duration": 0.0001, "session": "night"}
{"nodeID": 2, "name": "nn.relu", "inputs": [1], "duration": 0.0002, "session": "night"}
"""
_NAMES = ("image", "kernel", "bias")

SAMPLES = (
    Sample("listing", "model.txt", _LISTING.encode(), _NAMES),
    Sample("events", "run.jsonl", _EVENTS.encode(), (*_NAMES, "night")),
)
