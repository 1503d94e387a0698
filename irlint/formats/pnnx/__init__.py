"""pnnx: graphs of PyTorch operators with named parameters (.pnnx.param)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from irlint.findings import Candidate, Finding, Problem
from irlint.formats.base import Dialect
from irlint.formats.layers import LayerFormat
from irlint.rules.base import Model

if TYPE_CHECKING:
    from irlint.causes import Causes
    from irlint.text.layers.document import LayerDocument


class PnnxFormat(LayerFormat):
    name = "pnnx"
    numbers_ends = True
    shown = 5
    roles = {**dict.fromkeys(("inputs", "counts", "layers", "blobs", "$"), "link"), "outputs": "name", "#": "type"}
    relint_cost = 10.0
    targets = ()
    title = "pnnx graph"
    dialects = (Dialect("graph", "PyTorch operators with named parameters, weights and types of operands"),)
    dotted = True

    def read_layers(self, model: Model, document: LayerDocument) -> Iterator[Problem]:
        from irlint.formats.pnnx.read import read

        return read(model, document)

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        from irlint.formats.pnnx.repairs import PnnxSite
        from irlint.repairs.graph_site import candidates

        return candidates(PnnxSite, model, finding)

    def causes(self, model: Model) -> Causes:
        from irlint.causes import Causes
        from irlint.causes.relations import Lookup
        from irlint.formats.pnnx.causes import ROWS

        return Causes(Lookup(model.document), ROWS)


FORMAT = PnnxFormat()
