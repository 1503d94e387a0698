"""Values nested as deeply as JSON is read, with a number in them that JSON cannot hold."""

from __future__ import annotations

import pytest
from lsp.samples import lightnet

from irlint import engine


@pytest.mark.parametrize("depth", [10, 500, 950])
def test_numbers_out_of_range_at_any_depth(depth: int) -> None:
    text = lightnet().replace('"TL_FLOAT"', "[" * depth + "1e999" + "]" * depth, 1)
    assert "S004" in [finding.code for finding in engine.lint(text, "model.json").findings]
