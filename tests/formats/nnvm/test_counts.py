"""Numbers of inputs that MXNet 1.9.1 does not look at."""

from __future__ import annotations

import json

import pytest

from irlint.engine import lint

from .models import Builder


@pytest.mark.parametrize(("given", "severity"), [(1, "warning"), (2, None), (3, "error")])
def test_stack_runs_with_fewer_inputs_than_it_counts(given: int, severity: str | None) -> None:
    net = Builder()
    inputs = [net.var(f"in{k}", (2, 3)) for k in range(given)]
    graph = net.graph(net.add("stack", "stack0", inputs, {"num_args": "2"}))
    found = [str(f.severity) for f in lint(json.dumps(graph), "a-symbol.json").findings if f.code == "O002"]
    assert found == ([severity] if severity else [])
