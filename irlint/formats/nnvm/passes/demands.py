"""What MXNet asks of operands beyond what shape functions tell: element types that go together, ranges of one number."""

from __future__ import annotations

from functools import cache

from irlint.operators import Operator

_RANGES = "[1]/float32"
_SHAPES = {
    "_contrib_quantize": f"_ {_RANGES} {_RANGES}",
    "_contrib_dequantize": f"_ {_RANGES} {_RANGES}",
    "_contrib_requantize": f"_/int32 {_RANGES} {_RANGES}",
    "_contrib_quantized_act": f"_ {_RANGES} {_RANGES}",
    "_contrib_quantized_flatten": f"_ {_RANGES} {_RANGES}",
    "_contrib_quantized_pooling": f"_ {_RANGES} {_RANGES}",
    "_npi_polyval": "[_] _",
    "LayerNorm": "_ [C] [C]",
    "FullyConnected": "_ [N,_] [N]",
    "Convolution": "_ [N,*_] [N]",
    "Deconvolution": "_ _ [_]",
    "SpatialTransformer": "[N,_,_,_] [N,_]",
    "_identity_with_attr_like_rhs": "S S",
    "_contrib_MultiBoxTarget": "[1,A,4] [_,_,_] [_,_,A]",
    "_ravel_multi_index": "[_,_]",
    "SVMOutput": "[*S,_] S",
    "IdentityAttachKLSparseReg": "[_,C,*_] [C]",
    "_contrib_index_copy": "[_,*S] [N] [N,*S]",
}


@cache
def _of(name: str, types: str, names: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = []
    if types:
        found.append((" ".join(map(_typed, types.split())), names))
    if name in _SHAPES:
        found.append((_SHAPES[name], names))
    return tuple(found)


def _typed(word: str) -> str:
    """A type as the pattern of an operand; the table was measured without bfloat16."""
    if word in ("...", "_"):
        return word
    return f"_/{word}|bfloat16" if "=" in word or word[0].islower() else f"_/{word}"


def demands(operator: Operator) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Signatures and the names of inputs; element types are those of the operator's record: a word per input."""
    return _of(operator.name, operator.facts.get("types", ""), tuple(port.name for port in operator.inputs))
