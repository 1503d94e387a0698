"""A Cast in front of an input whose element type does not fit."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Candidate
from irlint.formats.onnx import opsets
from irlint.formats.onnx.candidates.site import Site
from irlint.formats.onnx.messages import DTYPES
from irlint.free_names import FreeNames
from irlint.text.patterns import later

_QUANTIZED = later(r"(?i)quantize|QLinear|QGemm|QAttention")
_FEW = 3  # element types that an input may have, so that each of them may be meant


def cast_candidates(site: Site) -> Iterator[Candidate]:
    """Yield a Cast of an input to the type of another input, or to one of the few that it may have."""
    names: list[str] = site.tree.get("input", [])
    types = [site.input_type(k).dtype for k in range(len(names))]
    operator = site.operator
    if operator is None or site.path[:2] != ("graph", "node") or len(site.path) != 3:
        return
    if _QUANTIZED.search(site.tree.get("op_type", "")):
        return  # a cast would change what the numbers mean, which scales and zero points say
    for k, name in enumerate(names):
        source = site.source(k)
        if not name or types[k] is None or source is None or source.op in ("Initializer", "Cast"):
            continue
        port = operator.inputs[min(k, len(operator.inputs) - 1)] if operator.inputs else None
        allowed = opsets.types_of(operator.name, str(port.facts.get("type", ""))) if port is not None else frozenset()
        wanted = [dtype for dtype in types if dtype is not None and dtype in allowed]
        wanted += sorted(allowed) if len(allowed) <= _FEW else []
        for dtype in dict.fromkeys(wanted):
            number = next((number for number, word in DTYPES.items() if word == dtype), None)
            if dtype == types[k] or number is None:
                continue
            new = FreeNames(site.whole.defined).like(name)
            cast = {
                "input": [name], "output": [new], "op_type": "Cast", "attribute": [{"name": "to", "i": number, "type": 2}],
            }  # fmt: skip
            call = site.candidate(f"Cast {name!r} to {dtype}", 2, ("input", k, new))
            yield call._replace(edits=(*site.document.inserted(site.path, cast), *call.edits))
