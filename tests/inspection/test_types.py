"""Types as people are shown them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from irlint_lsp.shown import shown_type

from irlint import engine
from irlint.cli import main
from irlint.dryrun.known import refined
from irlint.formats.base import by_name
from irlint.graph import Shape
from irlint.inspection.types import type_lookup, type_text


@pytest.mark.parametrize(
    ("inferred", "declared", "expected"),
    [
        (None, (1, 2), (1, 2)),
        ((None, "n", 4), ("a", 8, 4), ("a", 8, 4)),
        (((1, None), 3), ((0, 6), 3), ((1, 6), 3)),
        (("n", 3), (None, None), ("n", 3)),
        ((2, None), (3, 4), (2, None)),  # what contradicts tells nothing
        ((2, None), (2, 4, 1), (2, None)),
    ],
)
def test_declared_dimensions(inferred: Shape | None, declared: Shape, expected: Shape) -> None:
    assert refined(inferred, declared) == expected


BROKEN = """<ir_version: 10, opset_import: ["" : 21]>
g (float[1,4] x, float[3,2] w) => (float[1,2] y)
<float[1,2] h, float[1,n] k> {
   h = MatMul (x, w)
   k = Relu (h)
   z = Exp (k)
   y = Neg (z)
}
"""


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "a.onnxtxt"
    path.write_text(BROKEN)
    return path


def test_behind_an_error_types_are_those_that_the_file_declares(broken: Path) -> None:
    """They are marked; nothing is known of what the file does not declare."""
    model = engine.lint(BROKEN, str(broken)).model
    assert model is not None
    type_of, navigation = type_lookup(model), by_name("onnx").navigation()
    shown = {node.name: type_text(type_of(model.graph, node, 0)) for node in model.graph.nodes}
    assert shown == {
        "x": "float32 [1, 4]",
        "w": "float32 [3, 2]",
        "h": "float32 [1, 2] (declared)",
        "k": "float32 [1, n] (declared)",
        "z": "",
        "y": "float32 [1, 2] (declared)",
    }
    for node in model.graph.nodes:
        assert navigation.types(model, model.graph, node) == [type_of(model.graph, node, 0)]
        assert shown_type(type_of(model.graph, node, 0)).endswith("(declared)") == shown[node.name].endswith(
            "(declared)"
        )


def test_commands_mark_them(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(broken)]) == 0
    assert "  y float32 [1, 2] (declared)\n" in capsys.readouterr().out
    assert main(["summary", str(broken), "--output-format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["outputs"] == [{"name": "y", "dtype": "float32", "shape": [1, 2], "declared": True}]
    assert "declared" not in found["inputs"][0]
    other = broken.with_name("b.onnxtxt")
    other.write_text(BROKEN.replace("float[1,2] y", "float[2,2] y"))
    assert main(["diff", str(broken), str(other)]) == 1
    assert "float32 [2, 2] (declared)" in capsys.readouterr().out
    picture = broken.with_name("a.svg")
    assert main(["graph", str(broken), "-o", str(picture)]) == 0
    assert "1×2 (declared)" in picture.read_text("utf-8")
