"""The page about many models in a browser: sorting, filtering, links, narrow screens, both schemes, print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irlint.report.outputs.objects import write_objects
from tests.report.test_objects import hostile
from tests.report.zoo_records import records

from .conftest import Open, picture


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "zoo.html"
    with path.open("w", encoding="utf-8") as stream:
        write_objects(records(3000), "html", stream, records(3000, 2), "yesterday.jsonl")
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


def test_rules_and_folders_lead_to_their_models(opened: Open, survey: Path) -> None:
    page = opened(survey)
    models = page.get_by_role("table", name="Models with findings")
    rows = models.locator("tbody tr:visible")
    assert rows.count() == 10
    rule = page.locator("#rules tbody tr", has_text="W001")
    number = int(rule.locator("td").nth(1).inner_text())
    rule.locator('a[href="#rule=W001"]').click()
    page.locator(
        "#models output", has_text=re.compile(f"^{number} of ")
    ).wait_for()  # the page follows its address a moment later
    assert all("W001" in text for text in rows.all_inner_texts())
    page.get_by_role("combobox", name="Folder").select_option("ocr/")
    assert page.url.endswith("#rule=W001&folder=ocr/")
    inside = rows.count()
    assert 0 < inside < number
    page.get_by_role("searchbox", name="Filter Models with findings").fill("net.param")
    assert 0 < rows.count() < inside
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    assert page.locator("#models output").inner_text().startswith(f"{rows.count()} of ")
    assert rows.count() < inside


def test_an_example_leads_to_the_findings_and_the_url_of_its_model(opened: Open, survey: Path) -> None:
    page = opened(survey)
    example = page.locator("#rules .examples a").first
    key = (example.get_attribute("href") or "").removeprefix("#model=")
    example.click()
    row = page.locator(f'[id="model={key}"]')
    assert row.locator(".url code").inner_text() == f"s3://models/production/{key}"
    row.locator("details li").first.wait_for()
    assert 0 <= row.evaluate("row => row.getBoundingClientRect().top") < 200
    row.locator(".url code").click()
    assert page.evaluate("getSelection().toString()") == f"s3://models/production/{key}"


@pytest.mark.parametrize(("width", "dark"), [(390, False), (390, True), (800, False), (1400, True)])
def test_nothing_is_wider_than_the_page(opened: Open, survey: Path, width: int, dark: bool) -> None:
    page = opened(survey, dark=dark, width=width)
    picture(page, f"survey-{width}-{'dark' if dark else 'light'}")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    cut = "[...document.querySelectorAll('.figures dd, .scroll, th, td.num')].filter(found => found.scrollWidth > found.clientWidth)"
    assert page.evaluate(f"{cut}.map(found => found.textContent)") == []


def test_print_has_all_rows(opened: Open, survey: Path) -> None:
    page = opened(survey)
    page.emulate_media(media="print")
    assert page.get_by_role("table", name="Largest models").locator("tbody tr:visible").count() == 20
    assert page.locator("nav:visible, input:visible").count() == 0


def test_hostile_names_do_nothing(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "evil.html"
    with path.open("w", encoding="utf-8") as stream:
        write_objects(hostile(), "html", stream)
    page = opened(path, width=390)
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("main script, main i, main img").count() == 0
    page.locator("#models summary").first.wait_for()
    page.evaluate("document.querySelector('#rules .examples a').click()")
    page.locator("#models details[open]").wait_for()
    page.evaluate("document.querySelector('#rules a[href^=\"#rule=\"]').click()")
    page.locator("#models output", has_text="2 of 2").wait_for()
