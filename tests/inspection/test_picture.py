"""The picture of an n-gram table: nothing overlaps, nothing is cut off, whatever there is to show."""

from __future__ import annotations

import random
from itertools import combinations
from xml.etree import ElementTree

import pytest

from irlint.inspection.ngrams import NgramTable, Trace, table
from irlint.inspection.picture import draw
from irlint.inspection.scene import Label, Rect, Scene, fitted, png, svg
from irlint.operators import table as operators

NAMES = operators("relay").names


def trace(different: int, seed: int = 0, label: str = "model.json") -> Trace:
    """A chain of calls with this many different 3-grams."""
    chance = random.Random(seed)
    names = ["nn.relu"] * 40 if different == 1 else []
    while len({tuple(names[k : k + 3]) for k in range(len(names) - 2)}) < different:
        names.append(chance.choice(NAMES[: 4 + different // 8]))
    return Trace(label, names, [[k - 1] if k else [] for k in range(len(names))], [chance.random() for _ in names])


def boxes(scene: Scene) -> list[tuple[float, float, float, float]]:
    """Left, top, right, bottom of all letters and bars; the grey bands behind them are left out."""
    found = []
    for item in scene.items:
        if isinstance(item, Label):
            left = item.x if item.anchor == "start" else item.x - item.room
            found.append((left, item.y - item.size / 2, left + item.room, item.y + item.size / 2))
        elif item.fill != "#f4f4f4":
            found.append((item.x, item.y, item.x + item.width, item.y + item.height))
    return found


def tables() -> list[NgramTable]:
    one = [table([trace(different)], 3) for different in (1, 20, 500)]
    labels = ("a.json", "some/folder/with_a_rather_long_name_of_a_model.xml", "c" * 200)
    many = table([trace(20 * k, k, label) for k, label in enumerate(labels, 1)], 3, by="time")
    return [*one, many, table([trace(9, k, f"{k}.json") for k in range(10)], 3), table([Trace("empty", [], [])], 3)]


@pytest.mark.parametrize("which", range(6))
@pytest.mark.parametrize("top", [1, 30, 500])
def test_nothing_overlaps_and_nothing_is_cut_off(which: int, top: int) -> None:
    scene = draw(tables()[which], top)
    found = boxes(scene)
    for left, upper, right, lower in found:
        assert left >= 0
        assert upper >= 0
        assert right <= scene.width
        assert lower <= scene.height
    by_row: dict[int, list[tuple[float, float, float, float]]] = {}
    for box in found:
        for band in range(int(box[1] // 10), int(box[3] // 10) + 1):
            by_row.setdefault(band, []).append(box)
    for row in by_row.values():
        for a, b in combinations(row, 2):
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b)


@pytest.mark.parametrize("which", range(6))
def test_every_row_shows_its_name(which: int) -> None:
    shown = tables()[which]
    texts = [item.text for item in draw(shown, 500).items if isinstance(item, Label)]
    for row in shown.rows[:500]:
        assert " > ".join(row.gram) in texts


def test_the_svg_is_xml_and_hostile_names_stay_text() -> None:
    hostile = Trace("<b>&\x00\x1b", ["<script>", "a\nb", "\udce4", "]]>&amp;"], [[], [0], [1], [2]])
    root = ElementTree.fromstring(svg(draw(table([hostile], 2), 30)).encode())
    said = "".join(root.itertext())
    assert "<script> > a\\nb" in said
    assert root.findall(".//{*}script") == []


def test_the_png_is_a_picture_of_twice_the_size() -> None:
    image = pytest.importorskip("PIL.Image")
    from io import BytesIO

    scene = draw(table([trace(20)], 3), 30)
    picture = image.open(BytesIO(png(scene)))
    assert picture.size == (round(scene.width * 2), round(scene.height * 2))
    assert len(picture.getcolors(100_000)) > 10


def test_bars_are_as_long_as_their_numbers() -> None:
    scene = draw(table([Trace("a", list("xyxyxz"), [])], 1), 30)
    bars = [item.width for item in scene.items if isinstance(item, Rect) and item.title]
    assert bars == [300.0, 200.0, 100.0]


def test_what_does_not_fit_loses_its_middle() -> None:
    assert fitted("abcdefghij", 10, 5 * 6.2 + 1) == "ab…ij"
    assert fitted("abc", 10, 100) == "abc"


@pytest.mark.parametrize("rows", [1, 20, 60, 61, 500, 3000])
def test_columns_make_a_picture_about_as_wide_as_tall(rows: int) -> None:
    scene = draw(table([Trace("m", [f"operator_{k}" for k in range(rows)], [[]] * rows)], 1), rows)
    assert scene.width < 3 * scene.height or rows <= 60
    assert scene.height < 3 * scene.width or rows <= 120
