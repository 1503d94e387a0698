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


@pytest.mark.parametrize("given", ["i4", "u8", "f32", "boolean"])
def test_indices_that_nothing_reads_may_have_any_type(given: str, tmp_path: Path) -> None:
    """OpenVINO 2026.4 does not compute them then; a word that is no type is refused all the same."""
    window = {"kernel": "2,2", "strides": "1,1", "dilations": "1,1", "pads_begin": "0,0", "pads_end": "0,0"}
    for type_, outputs, is_refused in ((given, 1, False), (given, 2, True), ("foo", 1, True), ("u16", 2, False)):
        pool = call("p", "opset8.MaxPool", "x", **window, index_element_type=type_)._replace(outputs=outputs)
        path = write(tmp_path / "m.xml", parameter("x", "1,2,4,4"), pool)
        assert ("A005" in errors(path)) == is_refused, (type_, outputs)
