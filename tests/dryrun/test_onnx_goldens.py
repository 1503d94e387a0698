"""Operators of ONNX against what onnxruntime 1.32 made of them (onnx_goldens.json)."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from irlint.api import infer, lint, load, run
from irlint.dryrun.dims import compatible
from irlint.findings import Severity

from .onnx_goldens import CASES, GOLDENS, inputs, text

FOUND: dict[str, Any] = json.loads(GOLDENS.read_text())
# onnxruntime has no kernel, or no locale, or wants more of them: by the schema
BY_HAND: dict[str, Any] = {"IsAllFinite": [True], "LOWER": ["quick", "fox"], "UPPER": [""], "TreeEnsemble <": [1, 4, 2]}


@pytest.mark.parametrize("case", CASES)
def test_operators(case: str) -> None:
    model = text(case)
    assert not errors(model)
    results = list(run(model, inputs(case)).values())
    if case not in FOUND:
        assert [results[0].ravel().tolist()] == [numbers for word, numbers in BY_HAND.items() if word in case]
        return
    for array, (dtype, shape, numbers) in zip(results, FOUND[case], strict=True):
        assert (array.dtype.name, list(array.shape)) == (dtype, shape)
        if array.dtype.kind == "f":
            np.testing.assert_allclose(array.ravel(), numbers, rtol=2e-4, atol=2e-5)
        else:
            assert array.ravel().tolist() == numbers


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("case", FOUND)
def test_types_of_open_inputs(case: str, known: bool) -> None:
    """If nothing is known of the inputs, or all but their lengths, nothing is wrong, and what is known of the outputs is true."""
    opened = text(case)
    head, arrow, rest = opened.partition(") => ")
    given = re.findall(r"\w+(\[[\d,]*\]) (\w+)", head)
    if known:
        head = re.sub(r"\d+(?=[,\]]) ?(?=[^\[]*\] )", "?", head)
    else:  # operators that nobody knows are between
        head = re.sub(r"(\w+\[[\d,]*\]) (\w+)", r"\1 given_\2", head)
        made = " ".join(f"{name} = com.example.Any (given_{name})" for _, name in given)
        rest = rest.replace(" { ", f" {{ {made} ", 1)
        head = head.replace('"" :', '"com.example" : 1, "" :')
    opened = head + arrow + rest
    assert not errors(opened)
    model = load(opened)
    types = infer(model)
    for (node, output), (dtype, shape, _) in zip(model.graph.outputs, FOUND[case], strict=True):
        kind, lengths = types[model.graph.nodes[node].name][output]
        assert kind in (None, dtype) or dtype == "object"
        assert lengths is None or (len(lengths) == len(shape) and all(map(compatible, lengths, shape)))


def errors(text: str) -> list[str]:
    """What is wrong, besides outputs that a case declares as scalars and the operator that nobody knows."""
    found = [finding for finding in lint(text) if finding.severity == Severity.ERROR and finding.code != "D006"]
    return [finding.message for finding in found if "com.example" not in finding.message]
