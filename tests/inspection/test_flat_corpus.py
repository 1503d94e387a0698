"""The flat view of every real model: complete, in an order that works, and itself again when read back."""

from __future__ import annotations

import os
from pathlib import Path

from irlint import engine
from irlint.findings import Severity
from irlint.graph import Graph
from irlint.inspection import Flat, flatten, listing
from irlint.settings import Settings

SETTINGS = Settings(select=("S", "R"), shapes=False)


def models(corpus: Path) -> list[tuple[Path, Graph]]:
    """Those whose syntax and references are whole: a sample of small ones, all if IRLINT_WHOLE_CORPUS is set."""
    paths = sorted((*corpus.rglob("*.json"), *corpus.rglob("*.xml")))
    if not os.environ.get("IRLINT_WHOLE_CORPUS"):
        paths = [path for path in paths if path.stat().st_size < 200_000][::7]
    found = []
    for path in paths:
        result = engine.lint_bytes(path.read_bytes(), str(path), SETTINGS, path=path)
        broken = any(finding.severity == Severity.ERROR for finding in result.findings)
        if result.model is not None and path.name != "index.json" and not broken:
            found.append((path, result.model.graph))
    return found


def test_every_model_of_the_corpus(corpus: Path) -> None:
    seen = models(corpus)
    for path, graph in seen:
        flat = flatten(graph)
        place = {index: number for number, index in enumerate(flat.order)}
        calls = [node for node in graph.nodes if node.kind == "call" and node.op != "Result"]
        assert sorted(place) == [node.index for node in calls], path
        for node in calls:
            for source in node.inputs:
                if source.node >= 0 and graph.nodes[source.node].kind == "call":
                    assert place[source.node] < place[node.index], path
        text = flat.text()
        if text:
            again = engine.lint(text, "flat.txt", SETTINGS, "glacier").model
            assert again is not None, path
            assert listing(Flat(again.graph, ("Call", "Var", "Constant")), again.document) == text, path
            assert flatten(again.graph).text() == text, path
    assert len(seen) > 20
