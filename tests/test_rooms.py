"""Imports run downwards, from room to room (docs/architecture.md)."""

from __future__ import annotations

import rooms

# Twins that share types, each of a format: to be taken apart. No other may come.
CIRCLES = {
    "irlint_lsp.protocol",
    "irlint.formats.nnvm.sweep",
    "irlint.formats.nnvm.control_flow",
    "irlint.formats.nnvm.dryrun",
    "irlint.formats.openvino.reader",
    "irlint.formats.openvino.dryrun",
    "irlint.formats.openvino.attributes",
    "irlint.formats.lightnet.read",
    "irlint.formats.lightnet.passes",
}


def test_every_module_is_in_a_room() -> None:
    assert {rooms.room_of(module) for module in rooms.imports()} == set(rooms.ROOMS)


def test_no_import_runs_upwards() -> None:
    assert rooms.upward(rooms.imports()) == []


def test_an_upward_import_would_be_seen() -> None:
    assert rooms.upward({"irlint.text.json": ["irlint.rules.base"]})
    assert rooms.upward({"irlint.formats.nnvm.view": ["irlint.formats.openvino.net"]})
    assert not rooms.upward({"irlint.rules.base": ["irlint.text.base"]})


def test_circles() -> None:
    found = rooms.circles(rooms.imports())
    assert [circle for circle in found if CIRCLES.isdisjoint(circle)] == []
    assert len(found) <= len(CIRCLES)
    assert rooms.circles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}) == [["a", "b", "c"]]


def test_the_picture_is_current() -> None:
    page = rooms.PAGE.read_text(encoding="utf-8")
    assert rooms.drawn(page) == page, "python tests/rooms.py draws it anew"
