"""Types of indices that OpenVINO 2026.4.1 on the CPU does not compile: "does not support i64 for use with oneDNN"."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.openvino.tiny import call, const, errors, parameter, write


@pytest.mark.parametrize(("given", "refused"), [("i32", False), ("i64", True), ("I64", True), (None, True)])
def test_indices_of_adaptive_max_pool_are_i32(given: str | None, refused: bool, tmp_path: Path) -> None:
    more = {"index_element_type": given} if given else {}
    layers = [parameter("x", "1,2,4"), const("s", 2), call("o", "opset8.AdaptiveMaxPool", "x", "s", **more)]
    assert bool(errors(write(tmp_path / "m.xml", *layers))) == refused
