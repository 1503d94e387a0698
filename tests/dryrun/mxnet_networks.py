"""Networks of Gluon's model zoo with random weights, as MXNet and as the dry run compute them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from irlint import engine
from irlint.dryrun.infer import infer
from irlint.dryrun.running.run import run
from irlint.dryrun.tensor import Tensor
from irlint.formats.base import by_name
from irlint.graph import Graph

NETWORKS = {
    "resnet18_v1": (2, 3, 64, 64),
    "resnet34_v2": (1, 3, 64, 64),
    "mobilenet0.25": (2, 3, 64, 64),
    "mobilenetv2_0.25": (2, 3, 64, 64),
    "squeezenet1.0": (1, 3, 224, 224),
    "squeezenet1.1": (1, 3, 224, 224),
    "densenet121": (1, 3, 224, 224),
    "vgg11_bn": (1, 3, 32, 32),
    "alexnet": (1, 3, 96, 96),
    "inceptionv3": (1, 3, 299, 299),
}


def difference(name: str, shape: tuple[int, ...], oracle: Any, folder: Path) -> str | None:
    """What the dry run and MXNet disagree on; None: nothing."""
    theirs = oracle.ask({"network": name, "shape": shape, "folder": str(folder)})
    if "internals" not in theirs:
        return f"MXNet does not run {name}: {theirs}"
    data = np.load(folder / f"{name}-input.npy")
    wanted = np.load(folder / f"{name}-output.npy")
    path = folder / f"{name}-symbol.json"
    result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
    if result.findings:
        return f"the linter says: {result.findings[0].message}"
    assert result.model is not None
    format_ = by_name("nnvm")
    assert format_ is not None
    mapping, graph = format_.dryrun(result.model), result.model.graph
    assert mapping is not None
    fed = mapping.feeds(graph)
    if [feed.names for feed in fed] != [("data",)]:
        return f"it asks to be fed {[feed.names for feed in fed]}"
    found = infer(graph, mapping, {fed[0].node: Tensor("float32", shape)})
    if found.all_mistakes():
        return found.all_mistakes()[0].error.message
    if (what := internals(graph, found, theirs["internals"])) is not None:
        return what
    feeds = {n.index: mapping.array(n) for n in graph.nodes if n.kind == "var" and n.index != fed[0].node}
    (mine,) = run(graph, mapping, found, {**feeds, fed[0].node: data})
    worst = float(np.abs(mine - wanted).max() / np.abs(wanted).max())
    return None if mine.shape == wanted.shape and worst < 1e-4 else f"{mine.shape}, off by {worst}"


def internals(graph: Graph, found: Any, theirs: dict[str, list[int]]) -> str | None:
    """Shapes of all values against MXNet's, which names them NODE_output and variables by their own names."""
    compared = 0
    for node in graph.nodes:
        shapes = [tensor.shape for tensor in found.outputs(graph, node)]
        for name in (node.name, f"{node.name}_output", f"{node.name}_output0"):
            if name in theirs and shapes:
                compared += 1
                if list(shapes[0] or ()) != theirs[name]:
                    return f"{name} is {shapes[0]}, but in MXNet {theirs[name]}"
                break
    return None if compared == len(graph.nodes) else f"only {compared} of {len(graph.nodes)} values were compared"
