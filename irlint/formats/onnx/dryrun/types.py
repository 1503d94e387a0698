"""Which element types an operator takes, and which of its inputs share one: the type parameters of its schema; and ranks."""

from __future__ import annotations

from functools import lru_cache

from irlint.formats.onnx.opsets import in_opset, types_of

# Ranks of first inputs that no schema demands, with the opset since when: onnxruntime 1.32 loads others, and fails when it runs.
_RANKS = {
    "Compress": ("[_,*_]", 11), "GlobalAveragePool": ("[_,_,_,*_]", 1), "GlobalLpPool": ("[_,_,_,*_]", 1),
    "GlobalMaxPool": ("[_,_,_,*_]", 1), "LRN": ("[_,_,_,_]", 1), "MeanVarianceNormalization": ("[_,*_]", 1),
    "OneHot": ("[_,*_]", 1), "Pad": ("[_,*_]", 1),
}  # fmt: skip


@lru_cache(1 << 12)
def demands(op: str, domain: str, opset: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the signature of an operator's inputs with their names (see `irlint.dryrun.signature`); nothing for an unknown one."""
    record = in_opset(op, domain, opset)
    if record is None or not record.inputs:
        return ()
    letters: dict[str, str] = {}
    patterns = []
    rank, since = _RANKS.get(op, ("_", 1)) if domain == "" else ("_", 1)
    for k, port in enumerate(record.inputs):
        parameter = str(port.facts.get("type", ""))
        allowed = sorted(types_of(record.name, parameter)) if parameter else []
        kinds = [kind for kind in allowed if "(" not in kind] or [kind.replace(" ", "") for kind in allowed]
        letter = "" if port.facts.get("mixed") else letters.setdefault(parameter, f"T{len(letters)}") + "="
        shape = "_" if k or opset < since else rank
        patterns.append(f"{shape}/{letter}{'|'.join(kinds)}" if kinds else shape)
    more = " ..." if record.inputs[-1].kind.startswith("variadic") else ""
    return ((" ".join(patterns) + more, tuple(port.name for port in record.inputs)),)
