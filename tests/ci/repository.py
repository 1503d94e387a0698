"""A repository of 40 mixed files: models without a mistake, models with one each, and files that are no models."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from rule_cases.texts import LIGHTNET, OPENVINO, SYMBOL, TVM_GRAPH, lightnet, openvino, symbol, tvm

CLEAN = {
    "lightnet/a.json": LIGHTNET,
    "lightnet/b.json": lightnet(('"part:"', '"half:"')),
    "mxnet/net-symbol.json": SYMBOL,
    "mxnet/other-symbol.json": symbol(('"relu"', '"tanh"')),
    "tvm/graph.json": TVM_GRAPH,
    "openvino/sample.xml": OPENVINO,
    "openvino/second.xml": openvino(('name="sample"', 'name="second"')),
}
WEIGHTS = ("openvino/sample.bin", "openvino/second.bin")

# Mistakes that --fix repairs: file -> text, code, token.
SAFE = {
    "lightnet/comma.json": (lightnet(("4, 5, 6]", "4, 5, 6,]")), "S001", ","),
    "lightnet/bool.json": (lightnet(('"value": false', '"value": "false"')), "A004", '"false"'),
    "lightnet/python.json": (lightnet(('"value": false', '"value": False')), "S001", "False"),
}
# Mistakes that people have to repair.
OTHER = {
    "lightnet/name.json": (lightnet(('"src", "name": "part"', '"src", "name": "prat"')), "R001", '"prat"'),
    "lightnet/axis.json": (lightnet(('"axis", "value": 1', '"axis", "value": 7')), "D004", "7"),
    "mxnet/op-symbol.json": (symbol(('"op": "Activation"', '"op": "Activatoin"')), "O001", '"Activatoin"'),
    "tvm/entry.json": (tvm(('"inputs": [[2, 0, 0]]', '"inputs": [[2, 7, 0]]')), "R007", "7"),
    "openvino/axis.xml": (openvino(('<data axis="1"/>', '<data axis="9"/>')), "D004", "9"),
}

FOREIGN = {
    "package.json": json.dumps({"name": "x", "scripts": {"build": "tsc"}, "dependencies": {"a": "^1.0.0"}}),
    "tsconfig.json": '{\n  // comments are usual here\n  "compilerOptions": {"strict": true,},\n}\n',
    "graph/d3.json": json.dumps({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}),
    "graph/cytoscape.json": json.dumps({"nodes": [{"data": {"id": "n"}}], "edges": []}),
    "data/rows.json": json.dumps([{"name": "a", "value": n} for n in range(50)]),
    "data/log.jsonl": '{"event": "start"}\n{"event": "stop"}\n',
    "data/empty.json": "",
    "data/geo.json": json.dumps({"type": "FeatureCollection", "features": []}),
    "data/table.json": json.dumps({"columns": ["a"], "rows": [[1], [2]]}),
    "data/composer.json": json.dumps({"require": {"php": ">=8"}}),
    "data/settings.json": '{"editor.tabSize": 4}',
    "schema/x.schema.json": json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}),
    "pom.xml": '<?xml version="1.0"?>\n<project><modelVersion>4.0.0</modelVersion></project>\n',
    "feed.xml": '<rss version="2.0"><channel><title>News &amp; more</title></channel></rss>\n',
    "broken.xml": "<page><open></page>\n",
    "drawing.xml": '<mxGraphModel><root><mxCell id="0"/></root></mxGraphModel>\n',
    "requirements.txt": "numpy>=1.24\nlxml\n",
    "notes.txt": "0. first\n1. second [0]\n",
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(x)\n",
    "firmware.bin": "\x00\x01\x02 not weights",
    "readme.md": "# A repository\n",
}


def write(folder: Path) -> dict[str, tuple[str, str]]:
    """Writes the files; what is to be found in them: file -> code and token."""
    planted = {**SAFE, **OTHER}
    texts = {**CLEAN, **FOREIGN, **{name: text for name, (text, _, _) in planted.items()}}
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name in (*WEIGHTS, "openvino/axis.bin"):
        (folder / name).write_bytes(bytes(12))
    (folder / "tool.py").write_text("print('hello')\n")
    return {name: (code, token) for name, (_, code, token) in planted.items()}


def git(folder: Path, *arguments: str) -> str:
    """Runs git with a name and no configuration of this machine."""
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
    for who in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{who}_NAME": "irlint", f"GIT_{who}_EMAIL": "irlint@example.com"}
    command = ["git", "-c", "init.defaultBranch=main", *arguments]
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.DEVNULL
    ).stdout


def commit_all(folder: Path, message: str) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--no-verify", "--message", message)
