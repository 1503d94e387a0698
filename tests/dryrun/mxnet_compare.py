"""One configuration of an MXNet operator as a symbol, and what the dry run makes of it."""

from __future__ import annotations

import json
import zlib
from typing import Any, NamedTuple

import numpy as np

from irlint.dryrun.infer import infer
from irlint.dryrun.running.run import run
from irlint.dryrun.tensor import Tensor
from irlint.findings import Severity
from irlint.formats.base import by_name
from irlint.formats.nnvm.passes.operands import outputs, written
from irlint.operators import table
from irlint.rules.base import Model

from .mxnet_cases import Case


class Ours(NamedTuple):
    """What the dry run says. `error` is the first mistake that the linter finds."""

    error: str | None = None
    outs: list[Any] = []
    args: dict[str, Any] = {}
    values: list[Any] = []


def symbol(case: Case, heads: int) -> str:
    count = len(case.shapes)
    nodes: list[dict[str, Any]] = [{"op": "null", "name": f"in{k}", "inputs": []} for k in range(count)]
    node: dict[str, Any] = {
        "op": case.op,
        "name": "op",
        "attrs": case.attrs,
        "inputs": [[k, 0, 0] for k in range(count)],
    }
    if case.graphs:
        node["subgraphs"] = list(case.graphs)
    nodes.append(node)
    return json.dumps(
        {
            "nodes": nodes,
            "arg_nodes": list(range(count)),
            "node_row_ptr": list(range(count + 2)),
            "heads": [[count, k, 0] for k in range(heads)],
            "attrs": {"mxnet_version": ["int", 10901]},
        }
    )


def given(case: Case) -> dict[str, list[int]]:
    return {f"in{k}": list(shape) for k, shape in enumerate(case.shapes) if shape is not None}


def filled(name: str, shape: tuple[int, ...], fill: Any) -> Any:
    """The numbers of one input, the same in every run."""
    rng = np.random.RandomState(zlib.crc32(f"{name}{shape}".encode()) & 0x7FFFFFFF)
    if isinstance(fill, list):
        return np.array(fill, np.float32).reshape(shape)
    if isinstance(fill, int):
        return rng.randint(0, fill, shape).astype(np.float32)
    if fill == "spd":  # symmetric, all eigenvalues above zero
        half = rng.uniform(-1, 1, shape)
        return (half @ np.swapaxes(half, -1, -2) + np.eye(shape[-1])).astype(np.float32)
    if isinstance(fill, str):
        kind, _, bound = fill.partition(":")
        return rng.randint(-100 if kind == "int8" else 0, int(bound or 100), shape).astype(kind)
    low, high = fill or (-1, 1)
    return rng.uniform(low, high, shape).astype(np.float32)


def ours(text: str, shapes: dict[str, list[int]], fill: dict[int, Any] | None = None, values: bool = True) -> Ours:
    """Shapes, with `fill` of inputs that are of the types it says; and then `values`, too."""
    format_ = by_name("nnvm")
    assert format_ is not None
    model = Model(format_.open(text, "m.json"), "nnvm", "mxnet", state=format_.state())
    for problem in (*format_.read(model), *format_.checks(model)):
        if (problem.rule.severity if problem.severity is None else problem.severity) == Severity.ERROR:
            return Ours(f"check: {problem.message}")
    mapping = format_.dryrun(model)
    assert mapping is not None
    graph = model.graph
    kinds = {f"in{k}": f.partition(":")[0] for k, f in (fill or {}).items() if isinstance(f, str) and f != "spd"}
    tensors = {
        node.index: Tensor(kinds.get(node.name, "float32"), tuple(shapes[node.name]))
        for node in graph.nodes
        if node.name in shapes
    }
    found = infer(graph, mapping, tensors)
    for mistake in found.all_mistakes():
        if mistake.error.outputs is None:
            return Ours(f"{mistake.error.rule} at {mistake.part}: {mistake.error.message}")
    if found.unknown:
        return Ours(f"no shape function: {', '.join(found.unknown)}")
    types = [found.outputs(graph, node) for node in graph.nodes]
    heads = [types[node][output].shape if output < len(types[node]) else None for node, output in graph.outputs]
    outs = [list(shape) if shape is not None else None for shape in heads]
    args = {node.name: types[node.index][0].shape for node in graph.nodes if node.op == "null"}
    if fill is None or not values or None in args.values():
        return Ours(None, outs, args)
    feeds = {
        node.index: filled(node.name, args[node.name], fill.get(node.index))  # type: ignore[arg-type]
        for node in graph.nodes
        if node.op == "null"
    }
    return Ours(None, outs, args, run(graph, mapping, found, feeds))


def visible(case: Case) -> int:
    """How many of its outputs an operator shows."""
    operator = table("mxnet").get(case.op)
    assert operator is not None
    return outputs(written(operator, case.attrs)).visible or 1


def difference(case: Case, oracle: Any) -> str | None:
    """What the dry run and MXNet disagree on; None: nothing."""
    return difference_of_text(symbol(case, visible(case)), given(case), case.fill, oracle, case.values)


def difference_of_text(
    text: str, shapes: dict[str, list[int]], fill: dict[int, Any], oracle: Any, values: bool = True
) -> str | None:
    """The same of any symbol whose variables are in0, in1 ...; without `values` only shapes are compared."""
    theirs = oracle.ask({"json": text, "shapes": shapes})
    sketch = ours(text, shapes, fill, values=False)
    if "partial" in theirs:
        theirs = {"outs": sketch.outs, "args": {name: list(shape) for name, shape in sketch.args.items()}}
    if "outs" not in theirs:
        return f"MXNet refuses the case: {theirs}"
    if sketch.error is not None:
        return sketch.error
    args = {name: list(shape) if shape is not None else None for name, shape in sketch.args.items()}
    if sketch.outs != theirs["outs"] or any(args[name] != shape for name, shape in theirs["args"].items()):
        return f"shapes {sketch.outs} of {args}, but MXNet has {theirs['outs']} of {theirs['args']}"
    if not values:
        return None
    feed = {name: filled(name, tuple(shape), fill.get(int(name[2:]))) for name, shape in theirs["args"].items()}
    encoded = {name: [str(a.dtype), list(a.shape), a.astype(float).ravel().tolist()] for name, a in feed.items()}
    theirs = oracle.ask({"json": text, "shapes": shapes, "feed": encoded})
    if "values" not in theirs:
        return f"MXNet does not run the case: {theirs}"
    for k, (wanted, array) in enumerate(zip(theirs["values"], ours(text, shapes, fill).values, strict=True)):
        if (what := _other_values(array, *wanted)) is not None:
            return f"output {k} {what}"
    return None


def _other_values(array: Any, dtype: str, shape: list[int], numbers: list[float]) -> str | None:
    wanted = np.array(numbers, np.float64).reshape(shape)
    if str(array.dtype) != dtype:
        return f"is {array.dtype}, but in MXNet {dtype}"
    if array.shape != wanted.shape:
        return f"comes out as {array.shape}"
    scale = float(np.nanmax(np.abs(wanted[np.isfinite(wanted)]), initial=0)) if wanted.size else 0.0
    tolerance = 2e-3 if dtype == "float16" else 1e-4
    if np.allclose(array.astype(float), wanted, rtol=tolerance, atol=tolerance * min(scale, 1), equal_nan=True):
        return None
    at = np.unravel_index(np.nanargmax(np.abs(array.astype(float) - wanted)), shape) if wanted.shape else ()
    return f"at {tuple(map(int, at))} is {array[at]}, but in MXNet {wanted[at]}"
