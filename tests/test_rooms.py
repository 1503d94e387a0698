"""Imports run downwards, from room to room (docs/architecture.md)."""

from __future__ import annotations

from pathlib import Path

import rooms

# Server is made with its Protocol, which calls it; it pushes what features.diagnostics makes of its documents
SERVER = ["irlint_lsp.features.diagnostics", "irlint_lsp.protocol", "irlint_lsp.server"]
WAYS = """
from irlint import engine
import irlint.inspection
from . import words
if TYPE_CHECKING:
    from irlint.formats.base import Format
def late():
    from ..rules.base import Model
"""


def test_every_module_is_in_a_room() -> None:
    assert {rooms.room_of(module) for module in rooms.imports()} == set(rooms.ROOMS)


def test_imports_are_seen_wherever_and_however_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "safe.py"
    path.write_text(WAYS)
    files = dict.fromkeys(rooms.imports(), path)
    found = {"irlint.text.safe": list(rooms.imported("irlint.text.safe", path, files))}
    above = ["irlint.engine", "irlint.formats.base", "irlint.inspection", "irlint.rules.base"]
    assert sorted(found["irlint.text.safe"]) == [*above, "irlint.text.words"]
    assert sorted(rooms.upward(found)) == [f"irlint.text.safe imports {other}" for other in above]


def test_no_import_runs_upwards() -> None:
    assert rooms.upward(rooms.imports()) == []


def test_an_upward_import_would_be_seen() -> None:
    assert rooms.upward({"irlint.text.json.document": ["irlint.rules.base"]})
    assert rooms.upward({"irlint.formats.nnvm.reading.view": ["irlint.formats.openvino.passes.root"]})
    assert not rooms.upward({"irlint.rules.base": ["irlint.text.base"]})


def test_no_circles() -> None:
    assert [circle for circle in rooms.circles(rooms.imports()) if circle != SERVER] == []


def test_a_circle_would_be_seen() -> None:
    assert rooms.circles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}) == [["a", "b", "c"]]


def test_no_package_has_a_name_that_is_one_of_its_modules() -> None:
    """Importing the module would replace what has its name in the package."""
    clashes = [
        f"{package.name}/__init__.py: {name}"
        for package in (path.parent for path in (rooms.ROOT / "irlint").rglob("__init__.py"))
        for name in rooms.top_names(package / "__init__.py")
        if (package / f"{name}.py").exists() or (package / name / "__init__.py").exists()
    ]
    assert clashes == []


def test_the_picture_is_current() -> None:
    assert rooms.upward(rooms.imports()) == [], "no picture shows imports that run upwards"
    page = rooms.PAGE.read_text(encoding="utf-8")
    assert rooms.drawn(page) == page, "python tests/rooms.py draws it"


def test_the_picture_of_an_upward_import_is_drawn() -> None:
    """So that the tests above say which import it is."""
    picture = rooms.picture(
        {"irlint.text.json.document": ["irlint.engine"], "irlint.engine": ["irlint.text.json.document"]}
    )
    assert "    room_text --> room_engine\n" in picture
    assert "    room_engine --> room_text\n" in picture
