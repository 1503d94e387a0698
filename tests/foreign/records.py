"""Settings, data sets, logs: lists of records with a name, an id, a duration, an operation."""

from __future__ import annotations

import json
import random
from typing import Any

from .graphs import name, some
from .vocabularies import dump, words


def package(chance: random.Random) -> str:
    wanted = {name(chance): f"^{chance.randrange(9)}.0.0" for _ in range(chance.randint(1, 9))}
    return dump(chance, {"name": name(chance), "version": "1.0.0", "scripts": {"ops": "x"}, "dependencies": wanted})


def lock(chance: random.Random) -> str:
    found = {f"node_modules/{name(chance)}": {"version": "1.0.0", "resolved": "https://x", "engines": {"node": ">=6"}}}
    return dump(chance, {"name": "x", "lockfileVersion": 3, "requires": True, "packages": found})


def tsconfig(chance: random.Random) -> str:
    paths = {f"@{word}/*": [f"./{word}/*"] for word in words(chance)}
    return "// settings\n" + dump(
        chance, {"compilerOptions": {"strict": True, "paths": paths}, "nodes": [], "ops": True}
    )


def coco(chance: random.Random) -> str:
    images = some(chance, lambda chance, at: {"id": at, "file_name": f"{at}.jpg", "height": 480, "width": 640})
    annotations = some(chance, lambda chance, at: {"id": at, "image_id": at, "category_id": 1, "bbox": [1.0, 2, 3, 4]})
    return dump(chance, {"images": images, "annotations": annotations, "categories": [{"id": 1, "name": "cat"}]})


def notebook(chance: random.Random) -> str:
    code = ["sym = mx.sym.load('model-symbol.json')\n", '{"nodes": [{"op": "null", "name": "data", "inputs": []}]}\n']
    cells = some(chance, lambda chance, at: {"cell_type": "code", "source": code, "outputs": [], "metadata": {}})
    return dump(chance, {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def playlist(chance: random.Random) -> str:
    tracks = some(
        chance, lambda chance, at: {"id": at, "name": name(chance), "duration": 180, "size": 4096, "session": "x"}
    )
    return dump(chance, chance.choice([tracks, {"events": tracks}]))


def devices(chance: random.Random) -> str:
    """A network of the home: its nodes have a nodeID."""
    keys = chance.choice([("nodeID", "name", "location"), ("nodeId", "name", "size"), ("node_id", "name", "duration")])
    return dump(chance, some(chance, lambda chance, at: {keys[0]: at, keys[1]: name(chance), keys[2]: 1}))


def page(chance: random.Random) -> str:
    nodes = some(chance, lambda chance, at: {"nodeId": at, "name": "DIV", "inputs": [], "size": 3, "children": []})
    return dump(chance, {"root": nodes[0], "nodes": nodes})


def trace(chance: random.Random) -> str:
    """As browsers write it."""
    events = some(
        chance, lambda chance, at: {"name": name(chance), "ph": "X", "ts": at, "dur": 3, "pid": 1, "id": at, "args": {}}
    )
    return dump(chance, {"traceEvents": events, "nodes": [{"id": 1, "callFrame": {"functionName": ""}}]})


def spans(chance: random.Random) -> str:
    def line(chance: random.Random, at: int) -> str:
        return json.dumps({"id": at, "name": name(chance), "duration": 0.1, "session": "s", "level": "info"})

    return "\n".join(some(chance, line))


def delta(chance: random.Random) -> str:
    ops = some(chance, lambda chance, at: chance.choice([{"insert": name(chance)}, {"retain": at}, {"delete": at}]))
    return dump(chance, {"ops": ops})


def operations(chance: random.Random) -> str:
    """Whatever lies under `ops`."""
    ops: Any = chance.choice(
        [
            some(chance, lambda chance, at: {"op": "add", "path": f"/{at}", "value": 3}),
            some(chance, lambda chance, at: {"name": name(chance), "optional": True, "id": at}),
            some(chance, lambda chance, at: {"type": "insert", "params": {"at": at}}),
            some(chance, lambda chance, at: {"name": name(chance), "params": {"p": 0.5}}),
            some(chance, lambda chance, at: {"name": name(chance), "params": [{"name": "a", "type": "int"}]}),
            words(chance),
            {"add": {"name": "add", "cost": 1}},
            6,
            None,
            "add",
        ]
    )
    return dump(chance, {"ops": ops, **chance.choice([{}, {"version": 1}, {"heads": ["1a2b"]}])})


def fields(chance: random.Random) -> str:
    """A data set as BigML describes it: a field has an optype."""
    found = some(
        chance, lambda chance, at: {"name": name(chance), "optype": "numeric", "datatype": "double", "column": at}
    )
    kind: Any = chance.choice([found, {str(k): field for k, field in enumerate(found)}])
    return dump(chance, {"fields": kind, "objective_field": "0", "name": "iris"})


def jenkins(chance: random.Random) -> str:
    def step(chance: random.Random, at: int) -> dict[str, Any]:
        return {"id": at, "name": name(chance), "inputs": {"sha": "x"}, "duration": 5, "status": "ok"}

    return dump(chance, {"stages": some(chance, step), "events": some(chance, step)})


def geojson(chance: random.Random) -> str:
    found = some(
        chance,
        lambda chance, at: {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [at, 2.5]},
            "properties": {"name": name(chance)},
        },
    )
    return dump(chance, {"type": "FeatureCollection", "features": found})


def vega(chance: random.Random) -> str:
    marks = [{"type": "symbol", "from": {"data": "nodes"}}]
    return dump(chance, {"$schema": "vega/v5.json", "data": [{"name": "nodes"}], "nodes": [], "marks": marks})


def lottie(chance: random.Random) -> str:
    layers = some(chance, lambda chance, at: {"ty": 4, "nm": name(chance), "ks": {"o": {"a": 0, "k": 100}}, "ip": at})
    return dump(chance, {"v": "5.5.7", "fr": 30, "op": 60, "w": 100, "layers": layers, "assets": []})


def schema(chance: random.Random) -> str:
    properties = {word: {"type": "string"} for word in words(chance)}
    return dump(
        chance, {"$schema": "https://json-schema.org/draft-07/schema", "type": "object", "properties": properties}
    )


FAMILIES = {
    "package.json": package,
    "package-lock.json": lock,
    "tsconfig.json": tsconfig,
    "coco.json": coco,
    "notebook.json": notebook,
    "playlist.json": playlist,
    "devices.json": devices,
    "page.json": page,
    "trace.json": trace,
    "spans.jsonl": spans,
    "delta.json": delta,
    "patch.json": operations,
    "dataset.json": fields,
    "pipeline.json": jenkins,
    "map.json": geojson,
    "chart.json": vega,
    "animation.json": lottie,
    "schema.json": schema,
}
