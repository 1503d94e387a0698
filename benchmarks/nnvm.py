"""What linting an MXNet symbol of 40,000 nodes costs, side by side with others: python benchmarks/nnvm.py

Clean: as a multiple of `json.loads`, and of `check-jsonschema` with the schema that irlint publishes. With 10,000 findings: as a
multiple of the clean file. Every figure is CPU time of a whole process, the least of several runs, measured in turn.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "schemas" / "mxnet-symbol.schema.json"
CHANNELS = 8
STATISTICS = ("gamma", "beta", "moving_mean", "moving_var")

Node = dict[str, Any]


class Network:
    """Nodes, and how many outputs each has."""

    def __init__(self, declares: bool) -> None:
        self.nodes: list[Node] = []
        self.rows = [0]
        self.declares = declares  # whether variables say their shape, as networks do that Gluon wrote

    def add(self, op: str, name: str, inputs: list[int], attrs: dict[str, str], outputs: int = 1) -> int:
        node: Node = {"op": op, "name": name}
        if attrs:
            node["attrs"] = attrs
        node["inputs"] = [[source, 0, 0] for source in inputs]
        self.nodes.append(node)
        self.rows.append(self.rows[-1] + outputs)
        return len(self.nodes) - 1

    def variable(self, name: str, shape: tuple[int, ...]) -> int:
        attrs = {"__dtype__": "0", "__lr_mult__": "1.0", "__shape__": str(shape), "__wd_mult__": "1.0"}
        return self.add("null", name, [], attrs if self.declares else {})

    def block(self, at: int, name: str) -> int:
        """Convolution, normalisation, activation, and what went in added to it: nine nodes."""
        weight = self.variable(f"{name}_conv0_weight", (CHANNELS, CHANNELS, 3, 3))
        window = {
            "dilate": "(1, 1)", "kernel": "(3, 3)", "layout": "NCHW", "no_bias": "True", "num_filter": str(CHANNELS),
            "num_group": "1", "pad": "(1, 1)", "stride": "(1, 1)",
        }  # fmt: skip
        maps = self.add("Convolution", f"{name}_conv0_fwd", [at, weight], window)
        statistics = [self.variable(f"{name}_batchnorm0_{kind}", (CHANNELS,)) for kind in STATISTICS]
        momentum = {
            "axis": "1", "eps": "1e-05", "fix_gamma": "False", "momentum": "0.9", "use_global_stats": "False",
        }  # fmt: skip
        norm = self.add("BatchNorm", f"{name}_batchnorm0_fwd", [maps, *statistics], momentum, 3)
        active = self.add("Activation", f"{name}_relu0_fwd", [norm], {"act_type": "relu"})
        return self.add("elemwise_add", f"{name}__plus0", [active, at], {})


def symbol(count: int, declares: bool = False) -> dict[str, Any]:
    """A deep network of at least `count` nodes."""
    network = Network(declares)
    at = network.variable("data", (1, CHANNELS, 8, 8))
    while len(network.nodes) < count:
        at = network.block(at, f"stage{len(network.nodes) // 900}_unit{len(network.nodes)}")
    return {
        "nodes": network.nodes,
        "arg_nodes": [k for k, node in enumerate(network.nodes) if node["op"] == "null"],
        "node_row_ptr": network.rows,
        "heads": [[at, 0, 0]],
        "attrs": {"mxnet_version": ["int", 10901]},
    }


def spoiled(graph: dict[str, Any], findings: int) -> dict[str, Any]:
    """The graph with so many mistakes, of five kinds, each in a node of its own."""
    graph = copy.deepcopy(graph)
    left = findings
    for index, node in enumerate(graph["nodes"]):
        if left == 0:
            break
        attrs = node.get("attrs", {})
        if node["op"] == "Convolution":
            if index % 2:
                attrs["kernl"] = attrs.pop("dilate")
            else:
                attrs["num_filter"] = "eight"
        elif node["op"] == "BatchNorm":
            attrs["fix_gamma"] = "0"
        elif node["op"] == "Activation":
            attrs["act_type"] = "reluu"
        elif node["op"] == "elemwise_add":
            node["inputs"][1][0] += len(graph["nodes"])
        else:
            continue
        left -= 1
    return graph


def written(graph: dict[str, Any]) -> str:
    """In the layout of MXNet's own writer: a line for each member of a node, entries in one line."""
    lines = []
    for node in graph["nodes"]:
        members = [f'      "op": {json.dumps(node["op"])}', f'      "name": {json.dumps(node["name"])}']
        if "attrs" in node:
            inner = ", \n".join(f"        {json.dumps(k)}: {json.dumps(v)}" for k, v in node["attrs"].items())
            members.append(f'      "attrs": {{\n{inner}\n      }}')
        members.append(f'      "inputs": {json.dumps(node["inputs"])}')
        lines.append("    {\n" + ", \n".join(members) + "\n    }")
    rest = [f"  {json.dumps(key)}: {json.dumps(graph[key])}" for key in ("arg_nodes", "node_row_ptr", "heads", "attrs")]
    return '{\n  "nodes": [\n' + ", \n".join(lines) + "\n  ], \n" + ", \n".join(rest) + "\n}\n"


def seconds(command: list[str], runs: int) -> float:
    """CPU seconds of the quickest of several processes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    best = float("inf")
    for _ in range(runs):
        before = os.times()
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        best = min(best, spent)
    return best


def loads_seconds(path: Path, runs: int) -> float:
    """CPU seconds of `json.loads` of a file's text, and of nothing else."""
    code = (
        "import sys, time, json; text = open(sys.argv[1], encoding='utf-8').read(); start = time.process_time(); "
        "value = json.loads(text); print(time.process_time() - start)"
    )
    command = [sys.executable, "-c", code, str(path)]
    return min(float(subprocess.run(command, capture_output=True, text=True, timeout=600).stdout) for _ in range(runs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=40_000)
    parser.add_argument("--findings", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    lint = [sys.executable, "-m", "irlint", "check", "--isolated", "--no-cache"]
    checker = Path(sys.executable).with_name("check-jsonschema")
    other = str(checker) if checker.exists() else shutil.which("check-jsonschema")
    with tempfile.TemporaryDirectory() as folder:
        for title, declares in (("shapes not declared", False), ("every shape declared", True)):
            graph = symbol(args.nodes, declares)
            clean, broken = Path(folder) / "clean-symbol.json", Path(folder) / "broken-symbol.json"
            clean.write_text(written(graph), encoding="utf-8")
            broken.write_text(written(spoiled(graph, args.findings)), encoding="utf-8")
            print(f"{title}: {len(graph['nodes'])} nodes, {clean.stat().st_size / 1e6:.1f} MB")
            loads = loads_seconds(clean, args.runs)
            linted = seconds([*lint, str(clean)], args.runs)
            print(f"  json.loads          {loads:7.3f} s")
            print(f"  irlint              {linted:7.3f} s  {linted / loads:5.2f} x json.loads")
            if other and not declares:
                checked = seconds([other, "--no-cache", "--schemafile", str(SCHEMA), str(clean)], 1)
                print(f"  check-jsonschema    {checked:7.3f} s  {checked / linted:5.2f} x irlint")
            found = seconds([*lint, str(broken)], args.runs)
            print(f"  {args.findings} findings     {found:7.3f} s  {found / linted:5.2f} x the clean file")


if __name__ == "__main__":
    main()
