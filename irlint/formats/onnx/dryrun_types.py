"""Which element types an operator takes, and which of its inputs share one: the type parameters of its schema."""

from __future__ import annotations

from functools import lru_cache

from irlint.formats.onnx.opsets import in_opset, types_of


@lru_cache(1 << 12)
def demands(op: str, domain: str, opset: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the signature of an operator's inputs with their names (see `irlint.dryrun.signature`); nothing for an unknown one."""
    record = in_opset(op, domain, opset)
    if record is None or not record.inputs:
        return ()
    letters: dict[str, str] = {}
    patterns = []
    for port in record.inputs:
        parameter = str(port.facts.get("type", ""))
        allowed = sorted(types_of(record.name, parameter)) if parameter else []
        kinds = [kind for kind in allowed if "(" not in kind] or allowed  # sequences are not followed
        letter = "" if port.facts.get("mixed") else letters.setdefault(parameter, f"T{len(letters)}") + "="
        patterns.append(f"_/{letter}{'|'.join(kinds)}" if kinds else "_")
    more = " ..." if record.inputs[-1].kind.startswith("variadic") else ""
    return ((" ".join(patterns) + more, tuple(port.name for port in record.inputs)),)
