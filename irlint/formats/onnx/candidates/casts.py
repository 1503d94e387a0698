"""A Cast in front of an input whose element type does not fit, or behind what a graph outputs."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Candidate
from irlint.formats.onnx import opsets
from irlint.formats.onnx.candidates.site import Site, Whole
from irlint.formats.onnx.wire.messages import DTYPES
from irlint.formats.onnx.wire.reader import Tree
from irlint.text.base import Path
from irlint.text.patterns import later
from irlint.tools.names import FreeNames

_QUANTIZED = later(r"(?i)quantize|QLinear|QGemm|QAttention")
_FLOATS = ("float32", "float16", "bfloat16", "float64")  # among which a Cast changes the precision only
_FEW = 3  # element types that an input may have, so that each of them may be meant


def cast_candidates(site: Site) -> Iterator[Candidate]:
    """Yield a Cast of an input to the type of another input, or to one of the few that it may have."""
    names: list[str] = site.tree.get("input", [])
    types = [site.input_type(k).dtype for k in range(len(names))]
    operator = site.operator
    if operator is None or site.path[:2] != ("graph", "node") or len(site.path) != 3:
        return
    if quantized(operator.name):
        return
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
            cast = _cast(name, new, number)
            call = site.candidate(f"Cast {name!r} to {dtype}", 2, ("input", k, new))
            yield call._replace(edits=(*site.document.inserted(site.path, cast), *call.edits))


def quantized(op: str) -> bool:
    """Return whether scales and zero points say what an operator's numbers mean, so that a cast would change that."""
    return _QUANTIZED.search(op) is not None


def output_cast_candidates(whole: Whole, path: Path) -> Iterator[Candidate]:
    """Yield a Cast to the type that an output of the model declares. What calls the model expects that type, and if the model also
    takes such inputs, its float types inside have changed and not those of its interface."""
    document = whole.document
    if path[:2] != ("graph", "output") or len(path) < 3:
        return
    output: Tree = document.value_at(path[:3])
    name, number = output.get("name", ""), output.get("type", {}).get("tensor_type", {}).get("elem_type", 0)
    calls: list[Tree] = document.tree["graph"].get("node", [])
    makers = [(k, call["output"].index(name)) for k, call in enumerate(calls) if name in call.get("output", ())]
    users = {k: names for k, call in enumerate(calls) if name in (names := call.get("input", []))}
    if len(makers) != 1 or whole.read[name] > sum(names.count(name) for names in users.values()) + 1:
        return  # a nested graph uses it, too
    maker, position = makers[0]
    graph, node = whole.nodes["graph", "node", maker]
    declared, inferred = DTYPES.get(number), whole.type_of(graph, node.index, position).dtype
    if declared not in _FLOATS or inferred not in _FLOATS or declared == inferred:
        return
    given = {graph.nodes[index].outputs[0].type.dtype for index in graph.inputs}
    new = FreeNames(whole.defined).like(name)
    edits = document.changed((*node.path, "output", position), new)
    for k, names in users.items():
        edits += document.changed(("graph", "node", k, "input"), [new if one == name else one for one in names])
    edits += document.inserted(("graph", "node", len(calls)), _cast(new, name, number))
    yield Candidate(f"Cast {name!r} to {declared}", edits, 2 if inferred in given else 0)


def _cast(name: str, new: str, number: int) -> Tree:
    attribute = {"name": "to", "i": number, "type": 2}
    return {"input": [name], "output": [new], "op_type": "Cast", "attribute": [attribute]}
