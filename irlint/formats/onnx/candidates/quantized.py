"""The QuantizeLinear or DequantizeLinear that is missing where a value and its quantized form meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.dryrun.lazy import np
from irlint.dryrun.running.weights import UNREADABLE
from irlint.dryrun.tensor import Tensor
from irlint.findings import Candidate
from irlint.formats.onnx.candidates.nodes import casts
from irlint.formats.onnx.candidates.site import OnnxSite
from irlint.formats.onnx.constant import constant_array
from irlint.graph import Node
from irlint.text.prototext.messages import Tree

_STORED = ("int8", "uint8", "int16", "uint16", "int4", "uint4", "int32")
_FLOATS = ("float32", "float16", "bfloat16")
_MOST = 128  # the size of numbers of eight bits
_SCALES = 8  # initializers that nothing uses, of which one may be the scale


def quantized_candidates(site: OnnxSite) -> Iterator[Candidate]:
    """Yield the node that is missing before an input: with the scale of the node on its other side, or with what nothing uses."""
    if site.path[:-1] != ("graph", "node"):
        return
    if site.op == "DequantizeLinear":
        if site.input_type(0).dtype in _FLOATS:
            yield from (
                _coded(site)
                if _are_codes(site.source(0))
                else _inserted(site, 0, "QuantizeLinear", site.inputs[1:3], site.tree)
            )
        return
    for k, name in enumerate(site.inputs):
        source, dtype = site.source(k), site.input_type(k).dtype
        if not name or source is None or dtype not in _STORED or dtype in site.allowed(k):
            continue
        if source.op == "QuantizeLinear":
            maker: Tree = site.document.value_at(source.path)
            yield from _inserted(site, k, "DequantizeLinear", maker.get("input", [])[1:3], maker)
        elif source.op == "Initializer":
            for scales, axis in _unused(site, source):
                yield from _inserted(site, k, "DequantizeLinear", scales, axis)


def _are_codes(source: Node | None) -> bool:
    """Return whether a constant of fractions holds whole numbers of few bits, so that it is quantized already."""
    if source is None or source.op != "Initializer":
        return False
    try:
        array = constant_array(source)
    except UNREADABLE:
        return False
    return (
        bool(array.size) and bool((array == np.rint(array)).all()) and -_MOST <= array.min() < array.max() < 2 * _MOST
    )


def _coded(site: OnnxSite) -> Iterator[Candidate]:
    """Yield a Cast of weights that are quantized to the type of their zero points."""
    dtype = site.input_type(2).dtype if len(site.inputs) > 2 else "int8"
    if dtype in _STORED:
        yield from casts(site, 0, [dtype])


def _inserted(site: OnnxSite, k: int, op: str, scales: Sequence[str], like: Tree) -> Iterator[Candidate]:
    name, new = site.inputs[k], site.whole.free(site.inputs[k])
    attributes = [one for one in like.get("attribute", ()) if one.get("name") in ("axis", "block_size")]
    node = {"op_type": op, "input": [name, *scales], "output": [new]}
    call = site.candidate(f"Insert {op} of {name!r}", 0, ("input", k, new))
    edits = site.document.inserted(site.path, {**node, "attribute": attributes} if attributes else node)
    yield call._replace(edits=(*edits, *call.edits))


def _unused(site: OnnxSite, weights: Node) -> Iterator[tuple[list[str], Tree]]:
    """Yield scales, with zero points, that nothing uses and that are for such weights: of the whole tensor, or of one axis."""
    own = site.whole.type_of(site.graph, weights.index, 0)
    idle = [one for one in site.graph.nodes if one.op == "Initializer" and one.name and not site.whole.read[one.name]]
    types = {one.name: site.whole.type_of(site.graph, one.index, 0) for one in idle[:_SCALES]}
    for name, scale in types.items():
        points = [other for other, kind in types.items() if kind.dtype == own.dtype and kind.shape == scale.shape]
        for attributes in _axes(own, scale):
            yield [name, *points[:1]], attributes


def _axes(weights: Tensor, scale: Tensor) -> list[Tree]:
    """Return the attributes with which a scale is for weights: none for one of the whole tensor."""
    if scale.dtype not in _FLOATS or scale.shape is None or len(scale.shape) > 1:
        return []
    axes = [axis for axis, size in enumerate(weights.shape or ()) if scale.shape == (size,)]
    return [{"attribute": [{"name": "axis", "i": axis, "type": 2}]} for axis in axes[:2]] if scale.shape else [{}]
