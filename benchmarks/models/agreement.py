"""How far irlint's types and values agree with OpenVINO's."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from irlint.dryrun.dims import bounds, show

SHOWN = 8
ROUNDING = 1e-6  # of the largest magnitude
NAMES = {
    "f32": "float32", "f16": "float16", "bf16": "bfloat16", "f64": "float64", "boolean": "bool", "string": "string",
    "nf4": "nf4", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "f8e8m0": "float8_e8m0fnu",
    "f4e2m1": "float4_e2m1fn",
    **{f"i{n}": f"int{n}" for n in (4, 8, 16, 32, 64)},
    **{f"u{n}": f"uint{n}" for n in (1, 2, 3, 4, 6, 8, 16, 32, 64)},
}  # fmt: skip


def types(graph: Any, inference: Any, mapping: Any, recorded: list[Any]) -> dict[str, Any]:
    """Count outputs whose type equals the runtime's, is less or more exact, contradicts it, or was not found."""
    expected = {tuple(path): (kind, outputs) for path, kind, outputs in recorded}
    counts: Counter[str] = Counter()
    examples: list[str] = []
    for path, node, tensors in _nodes(graph, inference, mapping, ()):
        if path not in expected:
            counts["unmatched"] += 1
            continue
        kind, outputs = expected[path]
        if node.kind == "const":  # the runtime's own reshape rewrites some
            continue
        for k, (element, dims) in enumerate(outputs):
            if kind == "Result" or k >= len(tensors):
                continue
            verdict = _verdict(tensors[k].dtype, tensors[k].shape, NAMES.get(element), dims)
            counts[verdict] += 1
            if verdict != "equal" and len(examples) < SHOWN:
                own = f"{tensors[k].dtype} {show(tensors[k].shape)}"
                examples.append(f"{verdict}: {node.op} {node.name!r}: {own}, OpenVINO {element} {dims}")
    return {**counts, "examples": examples}


def _nodes(graph: Any, inference: Any, mapping: Any, above: tuple[str, ...]) -> Any:
    known = inference.types.get(id(graph))
    if known is None:
        return
    shown = mapping.shown(graph, known)
    for node in graph.nodes:
        path = (*above, node.name)
        yield path, node, shown[node.index]
        for k, body in enumerate(node.graphs):
            yield from _nodes(body, inference, mapping, (*path, str(k)))


def _verdict(dtype: str | None, shape: Any, element: str | None, dims: Any) -> str:
    if element is not None and dtype != element:
        return "coarser" if dtype is None else "wrong"
    if dims is None or shape is None:
        return "equal" if dims is None and shape is None else "finer" if dims is None else "coarser"
    if len(dims) != len(shape):
        return "wrong"
    found = {_dim(mine, theirs) for mine, theirs in zip(shape, dims, strict=True)}
    return next((each for each in ("wrong", "coarser", "finer") if each in found), "equal")


def _dim(mine: Any, theirs: Any) -> str:
    low, high = bounds(mine)
    least, most = (theirs, theirs) if isinstance(theirs, int) else theirs
    upper, limit = (float("inf") if high is None else high), (float("inf") if most == -1 else most)
    if upper < least or low > limit:
        return "wrong"
    if (low, upper) == (least, limit):
        return "equal"
    return "coarser" if low < least or upper > limit else "finer"


def difference(mine: Any, theirs: Any) -> Any:
    """Return the largest difference over the largest magnitude, or a text if the arrays cannot be compared."""
    if mine.dtype.kind in "OUS" or theirs.dtype.kind in "US":
        return 0.0 if np.array_equal(mine.astype(str), theirs.astype(str)) else "texts differ"
    if tuple(mine.shape) != tuple(theirs.shape):
        return f"shape {list(mine.shape)}, expected {list(theirs.shape)}"
    if not theirs.size:
        return 0.0
    a, b = mine.astype(np.float64), theirs.astype(np.float64)
    finite = np.isfinite(b)
    same = a == b
    if np.any(~same & ~finite & ~(np.isnan(a) & np.isnan(b))) or np.any(finite & ~np.isfinite(a)):
        return "infinite or not a number in one of them"
    scale = np.max(np.abs(b[finite]), initial=0)
    most = np.max(np.abs(a[finite] - b[finite]), initial=0)
    return float(most / scale) if scale else float(most)


def ties(node: Any, operands: list[Any], outputs: Any) -> int:
    """Count neighbours among the candidates of a selection, in order, that rounding cannot tell apart."""
    if node.op == "TopK":
        values = outputs[0]
    elif node.op.startswith("NonMaxSuppression") and len(operands) > 1:
        values = operands[1]
    else:
        return 0
    if values.dtype.kind != "f" or values.size < 2:
        return 0
    ordered = np.sort(values.ravel())
    scale = np.max(np.abs(ordered))
    return int(np.count_nonzero(np.diff(ordered) <= ROUNDING * scale))
