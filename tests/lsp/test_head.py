"""The extension's look at the head of a file: no model is missed, and common files start no server."""

from __future__ import annotations

from pathlib import Path

import companions

from irlint import engine
from lsp.javascript import evaluated
from lsp.samples import SAMPLES

ROOT = Path(__file__).parents[2]
TEXTS = (".json", ".jsonl", ".xml", ".txt", ".param", ".onnxtxt")
MODELS = (
    '{"nodes": [{"op": "null"}]}',
    " " * 100_000 + '{"nodes"',
    "<!--" + "x" * 100_000,
    '[{"nodeID": 0, "name": "nn.relu", "inputs": [], "duration": 1}]',
    '{"nid": 1, "session": "a", "name": "x", "size": 2}\n',
    '{"ops": []}',
    "\ufeff<?xml version='1.0'?>\n<!-- a -->\n<Net name='a'><layers>",
    "# a listing\n0 nn.pad ['image']\n1 clip [0]\n",
    "0 %conv [%1]\n",
    "7767517\n",
    "1 1\nInput data 0 1 data\n",
    '{"irVersion": "8", "graph": {"node": []}}',
    '# a model\n<\n  ir_version: 10, opset_import: ["" : 21]\n>\ng (float x) => (float y) { y = Relu (x) }\n',
    '"a graph" (\n float[N] x\n) => (float[N] y) {\n',
)
LISTS = (".txt", ".onnx", "tokenizer.json", "preprocessor_config.json", "generation_config.json")
COMPANIONS = [
    text
    for kind in companions.TABLES.values()
    for name, text in kind.PLANTED[0].files.items()
    if name == kind.PLANTED[0].at and not name.endswith(LISTS)
]
OTHERS = (
    "",
    "{}",
    '{"name": "a", "version": "1.0.0", "dependencies": {"b": "^2.0.0"}}',
    '{"compilerOptions": {"strict": true}, "include": ["src"]}',
    '{"type": "FeatureCollection", "features": [{"id": 1, "geometry": null}]}',
    '<?xml version="1.0"?>\n<project><modelVersion>4.0.0</modelVersion></project>\n',
    '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
    "a table 1 2 = 3\nCPU0 idle 10 20\n",
    "numpy==2.0\nrequests\n",
    "1. Buy milk\n2. Read [the paper]\n",
    "# Notes\n\nA text with [brackets] and 12 numbers.\n",
)


def looks_like_model(texts: list[str]) -> list[bool]:
    found: list[bool] = evaluated("head.ts", "given.map(code.looksLikeModel)", texts)
    return found


def test_every_model_starts_the_server() -> None:
    files = [path for path in (ROOT / "examples").rglob("*") if path.suffix in TEXTS]
    texts = [path.read_text(encoding="utf-8") for path in files]
    models = [
        text
        for path, text in zip(files, texts, strict=True)
        if any(seen.score for _, seen in engine.recognize(text, str(path)))
    ]
    models += [sample.text for sample in SAMPLES] + [*MODELS, *COMPANIONS]
    assert [text[:100] for text, found in zip(models, looks_like_model(models), strict=True) if not found] == []


def test_a_file_of_something_else_starts_none() -> None:
    assert [text[:100] for text, found in zip(OTHERS, looks_like_model([*OTHERS]), strict=True) if found] == []
