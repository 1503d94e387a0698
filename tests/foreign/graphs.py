"""Graphs of other programs: their nodes have names, inputs and operators, too."""

from __future__ import annotations

import random
from typing import Any

from .vocabularies import WORDS, dump

Node = dict[str, Any]


def name(chance: random.Random) -> str:
    return f"{chance.choice(WORDS)}_{chance.randrange(100)}"


def some(chance: random.Random, make: Any) -> list[Any]:
    return [make(chance, k) for k in range(chance.randint(1, 8))]


def before(chance: random.Random, at: int) -> list[str]:
    return [f"node{chance.randrange(at)}" for _ in range(min(at, chance.randint(0, 2)))]


def comfy(chance: random.Random) -> str:
    def node(chance: random.Random, at: int) -> Node:
        slots = [{"name": "model", "type": "MODEL", "link": chance.choice([None, at])}]
        return {
            "id": at,
            "type": "KSampler",
            "pos": [1, 2],
            "mode": 0,
            "inputs": slots,
            "outputs": [],
            "name": name(chance),
        }

    links = [[k, k, 0, k + 1, 0, "MODEL"] for k in range(3)]
    return dump(chance, {"last_node_id": 9, "nodes": some(chance, node), "links": links, "attrs": {}, "version": 0.4})


def comfy_api(chance: random.Random) -> str:
    def node(chance: random.Random, at: int) -> Node:
        return {"class_type": "KSampler", "inputs": {"seed": 1, "model": ["4", 0]}, "_meta": {"title": name(chance)}}

    return dump(chance, {str(k): node for k, node in enumerate(some(chance, node))})


def gltf(chance: random.Random) -> str:
    def node(chance: random.Random, at: int) -> Node:
        return {"name": name(chance), "mesh": at, "children": [at + 1], "matrix": [1.0] * 16}

    scenes = [{"nodes": [0]}]
    accessors = [{"componentType": 5126, "count": 3, "type": "VEC3"}]
    return dump(
        chance, {"asset": {"version": "2.0"}, "scenes": scenes, "nodes": some(chance, node), "accessors": accessors}
    )


def three(chance: random.Random) -> str:
    nodes = some(chance, lambda chance, at: {"uuid": str(at), "type": "Mesh", "name": name(chance), "inputNodes": {}})
    return dump(chance, {"metadata": {"version": 4.6, "type": "Object"}, "nodes": nodes, "object": {"children": []}})


def force(chance: random.Random) -> str:
    """As d3, Sankey diagrams and networkx have it."""
    nodes = some(chance, lambda chance, at: {"id": at, "name": name(chance), "group": 1, "value": chance.random()})
    key = chance.choice(["links", "edges", "attrs", "heads"])
    return dump(chance, {"directed": True, "nodes": nodes, key: [{"source": 0, "target": 1, "value": 2}]})


def plain(chance: random.Random) -> str:
    """Whatever lies under `nodes`."""
    kinds: list[Any] = [
        [],
        {},
        None,
        5,
        "all",
        [1, 2, 3],
        ["a", "b"],
        [[0, 1], [1, 2]],
        {"a": {"op": "x", "name": "y"}},
    ]
    more = chance.choice(
        [{}, {"attrs": {}}, {"attrs": {"name": "x"}}, {"heads": ["zdpuA"]}, {"heads": []}, {"edges": []}]
    )
    return dump(chance, {"nodes": chance.choice(kinds), **more})


def flow(chance: random.Random) -> str:
    """As Node-RED exports it."""

    def node(chance: random.Random, at: int) -> Node:
        return {"id": str(at), "type": "inject", "name": name(chance), "wires": [["b"]], "op": "eq"}

    return dump(chance, [{"id": "a.1", "type": "tab", "label": "Flow"}, *some(chance, node)])


def n8n(chance: random.Random) -> str:
    nodes = some(
        chance,
        lambda chance, at: {
            "name": name(chance),
            "type": "n8n-nodes-base.set",
            "parameters": {"op": "add"},
            "position": [1, 2],
        },
    )
    return dump(chance, {"name": "My workflow", "nodes": nodes, "connections": {}, "settings": {}})


def langflow(chance: random.Random) -> str:
    def node(chance: random.Random, at: int) -> Node:
        data = {"node": {"template": {}, "inputs": [], "op": "call"}}
        return {"id": str(at), "type": "genericNode", "data": data, "name": name(chance)}

    return dump(chance, {"data": {"nodes": some(chance, node), "edges": []}, "nodes": some(chance, node), "name": "x"})


def graph_def(chance: random.Random) -> str:
    """TensorFlow's, and what TF.js makes of it."""
    nodes = some(
        chance, lambda chance, at: {"name": f"node{at}", "op": "Conv2D", "input": before(chance, at), "attr": {}}
    )
    graph = {chance.choice(["node", "nodes"]): nodes, "versions": {"producer": 22}}
    wrapped = {"format": "graph-model", "modelTopology": graph, "weightsManifest": []}
    return dump(chance, chance.choice([graph, wrapped]))


def operators(chance: random.Random) -> str:
    """Nodes with an operator, a name and inputs, which are names or objects."""

    def node(chance: random.Random, at: int) -> Node:
        inputs: Any = chance.choice([before(chance, at), [{"name": "x"}], list(range(at)), {"x": at}, "x"])
        return {"op": chance.choice(["Conv", "call_function", "add"]), "name": f"node{at}", "inputs": inputs}

    more = chance.choice([{}, {"attrs": {}}, {"inputs": ["x"], "outputs": ["y"]}, {"links": [[0, 1]]}, {"version": 3}])
    return dump(chance, {"nodes": [node(chance, k) for k in range(1, chance.randint(3, 9))], **more})


def keras(chance: random.Random) -> str:
    """Parts of a Keras model in files of their own, and descriptions of networks by other programs."""
    layer = {"class_name": "Dense", "config": {"name": name(chance), "units": chance.randint(1, 99)}}
    optimizer = {"class_name": "Adam", "config": {"learning_rate": chance.random()}}
    settings = {"optimizer_config": optimizer, "loss": "mse", "metrics": ["accuracy"], "sample_weight_mode": None}
    layers = some(chance, lambda chance, at: {"class_name": "Dense", "units": 8, "name": name(chance)})
    one = {**chance.choice([layer, optimizer]), "registered_name": None, "module": "keras.layers"}
    return dump(
        chance, chance.choice([layer, optimizer, settings, {"name": "model", "layers": layers}, one, [layer, layer]])
    )


def byoc(chance: random.Random) -> str:
    """What TVM passes to another runtime."""
    nodes: list[Node] = [{"op": "input", "name": "x", "attrs": {"dtype": [["float32"]], "shape": [[[1, 3]]]}}]
    nodes += some(chance, lambda chance, at: {"op": "kernel", "name": "nn.conv2d", "inputs": [[at, 0, 0]], "attrs": {}})
    rows = list(range(len(nodes) + 1))
    return dump(chance, {"nodes": nodes, "arg_nodes": [0], "heads": [[len(nodes) - 1, 0, 0]], "node_row_ptr": rows})


def relay(chance: random.Random) -> str:
    nodes = [
        {"type_key": ""},
        *some(chance, lambda chance, at: {"type_key": "relay.Call", "attrs": {"op": "1", "args": "2"}}),
    ]
    return dump(chance, {"root": 1, "nodes": nodes, "b64ndarrays": [], "attrs": {"tvm_version": "0.9.dev0"}})


def ngraph(chance: random.Random) -> str:
    ops = some(
        chance, lambda chance, at: {"name": f"Op_{at}", "op": "Add", "inputs": before(chance, at), "outputs": ["x"]}
    )
    return dump(chance, [{"name": "Function_0", "ops": ops, "parameters": ["x"], "result": ["y"]}])


def mermaid(chance: random.Random) -> str:
    nodes = some(chance, lambda chance, at: {"key": at, "category": "Gate", "op": "AND", "loc": "0 0"})
    return dump(chance, {"class": "GraphLinksModel", "nodeDataArray": nodes, "nodes": nodes, "linkDataArray": []})


FAMILIES = {
    "comfy.json": comfy,
    "comfy_api.json": comfy_api,
    "scene.json": gltf,
    "three.json": three,
    "force.json": force,
    "nodes.json": plain,
    "flows.json": flow,
    "workflow.json": n8n,
    "langflow.json": langflow,
    "graphdef.json": graph_def,
    "operators.json": operators,
    "keras.json": keras,
    "byoc.json": byoc,
    "relay.json": relay,
    "ngraph.json": ngraph,
    "diagram.json": mermaid,
}
