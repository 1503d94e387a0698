"""Shapes and values of each layer type, against what the runtime made of the same numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from formats.ncnn.dryrun_cases import CASES, GOLDENS, Case, digest
from irlint import engine
from irlint.codes import Severity
from irlint.dryrun.infer import infer
from irlint.dryrun.running.run import Run
from irlint.formats.base import by_name

FORMAT = by_name("ncnn")
MADE = json.loads(GOLDENS.read_text())


def linted(text: str, path: Path | None = None) -> engine.Result:
    return engine.lint(text, "net.param", path=path)


def mapping_of(result: engine.Result) -> Any:
    assert FORMAT is not None
    assert result.model is not None
    return FORMAT.dryrun(result.model)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.layer} {case.inputs}")
def test_a_layer_gives_what_the_runtime_gives(case: Case, tmp_path: Path) -> None:
    param = tmp_path / "net.param"
    param.write_text(case.text)
    param.with_suffix(".bin").write_bytes(case.weights())
    result = linted(case.text, param)
    assert [finding.message for finding in result.findings if finding.severity == Severity.ERROR] == []
    graph, mapping = result.model.graph, mapping_of(result)
    types = infer(graph, mapping)
    made = MADE[case.text]
    assert [list(tensor.shape or ()) for tensor in types.outputs(graph, graph.nodes[-1])] == [
        shape for shape, _ in made
    ]
    fed = {feed.node: array for feed, array in zip(mapping.feeds(graph), case.arrays(), strict=True)}
    names = mapping.output_names(graph)
    outputs = Run(mapping, types).outputs(graph, fed)
    for k, (shape, numbers) in enumerate(made):
        array = outputs[names.index(f"out{k}")]
        assert list(array.shape) == shape
        assert digest(array) == pytest.approx(numbers, rel=1e-3, abs=1e-3)


def test_every_layer_type_is_followed() -> None:
    from irlint.formats.ncnn.dryrun_table import OPERATORS
    from irlint.operators import table

    assert set(table("ncnn").names) - set(OPERATORS) == {"Input", "MemoryData"}
