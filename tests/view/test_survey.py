"""The page about many models in a browser: sorting, filtering, narrow screens, both schemes, print."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint.report import object_report
from tests.report.test_objects import hostile
from tests.report.zoo_records import records

from .conftest import Open, picture


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "zoo.html"
    with path.open("w", encoding="utf-8") as stream:
        object_report.write(records(3000), "html", stream, records(3000, 2), "yesterday.jsonl")
    return path


def test_tables_are_sorted_filtered_and_shown_whole(opened: Open, survey: Path) -> None:
    page = opened(survey)
    table = page.get_by_role("table", name="Largest models")
    rows = table.locator("tbody tr:visible")
    assert rows.count() == 10
    picture(page, "survey-light")
    table.get_by_role("button", name="Size").click()  # the largest first, as they are
    first = rows.first.inner_text()
    table.get_by_role("button", name="Size").click()
    assert table.locator('th[aria-sort="ascending"]').count() == 1
    assert rows.first.inner_text() != first
    page.locator("#sizes .show").click()
    assert rows.count() == 20
    page.get_by_role("searchbox", name="Filter Largest models").fill("onnx model")
    assert 0 < rows.count() < 20
    assert all("onnx" in text for text in rows.all_inner_texts())


@pytest.mark.parametrize(("width", "dark"), [(390, False), (390, True), (1400, True)])
def test_nothing_is_wider_than_the_page(opened: Open, survey: Path, width: int, dark: bool) -> None:
    page = opened(survey, dark=dark, width=width)
    picture(page, f"survey-{width}-{'dark' if dark else 'light'}")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_print_has_all_rows(opened: Open, survey: Path) -> None:
    page = opened(survey)
    page.emulate_media(media="print")
    assert page.get_by_role("table", name="Largest models").locator("tbody tr:visible").count() == 20
    assert page.locator("nav:visible, input:visible").count() == 0


def test_hostile_names_do_nothing(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "evil.html"
    with path.open("w", encoding="utf-8") as stream:
        object_report.write(hostile(), "html", stream)
    page = opened(path, width=390)
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("main script, main i, main img").count() == 0
