"""A sample of a list of layers."""

from __future__ import annotations

from irlint.formats.samples import Sample
from irlint.rules.samples import NETWORK

SAMPLES = (Sample("param", "model.param", NETWORK.encode(), ("data", "conv", "split", "relu", "add")),)
