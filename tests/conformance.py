"""What a format's documents promise, as sound models: no finding, the right dialect, types and values.

A row is a small model written from the documents. Formats keep their rows next to their tests; `check` is the same for all.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import irlint
from irlint import engine


class Row(NamedTuple):
    """A sound model. `types` are those of results by node name, `values` the outputs of a run with `inputs`."""

    name: str
    text: str
    dialect: str
    types: Mapping[str, str] = {}
    inputs: Mapping[str, Any] = {}
    values: Mapping[str, Any] = {}
    weights: bytes | None = None  # of a file next to the model
    tolerance: float = 1e-5
    codes: tuple[str, ...] = ()  # of what is found nonetheless


def check(row: Row, path: Path) -> None:
    """Write the model and compare what irlint says of it with what the row promises."""
    path.write_text(row.text, encoding="utf-8")
    if row.weights is not None:
        path.with_suffix(".bin").write_bytes(row.weights)
    result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
    said = [f"{f.code} {f.message}" for f in result.findings if f.code not in row.codes]
    assert (result.dialect, said) == (row.dialect, []), row.name
    assert {f.code for f in result.findings} == set(row.codes), row.name
    if row.types:
        found = {name: "; ".join(map(shown, types)) for name, types in irlint.infer(irlint.load(path)).items()}
        assert {name: found.get(name) for name in row.types} == dict(row.types), row.name
    if row.values:
        outputs = irlint.run(path, dict(row.inputs))
        for name, wanted in row.values.items():
            found_array, wanted_array = np.asarray(outputs[name]), np.asarray(wanted)
            assert found_array.shape == wanted_array.shape, (row.name, name, found_array.shape)
            np.testing.assert_allclose(
                found_array, wanted_array, row.tolerance, row.tolerance, err_msg=f"{row.name} {name}"
            )


def shown(type_: irlint.Type) -> str:
    """Return a type as rows write it: float32[2,?]; a bare dtype has no known rank."""
    if type_.shape is None:
        return str(type_.dtype)
    return f"{type_.dtype}[{','.join('?' if not isinstance(dim, int) else str(dim) for dim in type_.shape)}]"
