"""The pages of the site: where their links lead, how they look on a screen and on a phone, and whether everybody can read them."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from irlint.codes import rows
from irlint.rules.page import formats_of
from irlint.rules.registry import all_rules, table
from tests.site.conftest import ROOT, Visitor
from tests.site.links import SITE, addresses, dead
from tests.view.conftest import picture

CLIPPED = """() => [...document.querySelectorAll("pre, pre > code")]
  .filter((block) => block.offsetParent && block.scrollWidth > block.clientWidth)
  .map((block) => block.textContent.trim().slice(0, 60))"""
SIDEWAYS = "document.scrollingElement.scrollWidth > innerWidth"
AXE = """() => axe.run(document, { resultTypes: ["violations"] }).then((found) => found.violations
  .filter((each) => ["serious", "critical"].includes(each.impact))
  .flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.target} ${node.failureSummary}`)))"""
SAMPLE = 12  # every so many rule pages: they are all laid out alike

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="session")
def pages(site: Path) -> list[str]:
    """The addresses of all pages, of those of rules a sample."""
    found = addresses(site)
    of_rules = [address for address in found if address.startswith("rules/") and address != "rules/"]
    return sorted({*found} - {*of_rules} | {*of_rules[::SAMPLE]})


def test_no_link_is_dead(site: Path) -> None:
    assert list(dead(site)) == []


BUTTONS = "header a[href], .md-tabs a[href], .md-button, .cards a, .views a, .hero a"


def test_no_main_button_leads_to_a_page_that_is_missing(visitor: Visitor) -> None:
    """Followed as a visitor does: from the landing page, and from the page of a rule to the playground."""
    page = visitor.page()
    page.goto("")
    tabs = page.locator(".md-tabs a").all_inner_texts()
    assert "Graph view" in tabs
    assert "See" not in tabs
    links = page.locator(BUTTONS).evaluate_all("all => all.map((one) => one.href)")
    page.goto("rules/undefined-reference/")
    links += page.locator("a.try").evaluate_all("all => all.map((one) => one.href)")
    inside = sorted({link.partition("#")[0] for link in links if link.startswith(visitor.address)})
    assert visitor.address + "playground/" in inside
    assert len(inside) > 20
    assert [link for link in inside if page.goto(link).status != 200] == []
    assert {urlsplit(link).netloc for link in links} <= {urlsplit(visitor.address).netloc, "github.com"}


def test_the_playground_of_the_site_leads_back_to_it(visitor: Visitor) -> None:
    page = visitor.page()
    page.goto("playground/")
    links = page.locator("header a, body > p > a").evaluate_all("all => all.map((one) => one.href)")
    if page.locator("nav[aria-label=irlint]").count():
        assert links == [visitor.address, f"{visitor.address}rules/"]
    else:
        assert visitor.address in links


def test_a_page_stands_in_for_a_playground_that_is_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed (make test-site)")
    monkeypatch.syspath_prepend(str(ROOT / "docs/.site"))
    pages = importlib.import_module("pages")
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    (tmp_path / "schemas").mkdir()
    (tmp_path / "site").mkdir()
    pages.on_post_build({"site_dir": str(tmp_path / "site"), "site_url": SITE})
    text = (tmp_path / "site/playground/index.html").read_text(encoding="utf-8")
    assert "make playground docs" in text
    assert f'href="{SITE}playground/"' in text
    assert 'href="../"' in text


def test_a_rule_opens_its_example_in_the_playground(visitor: Visitor, site: Path) -> None:
    if "main.js" not in (site / "playground/index.html").read_text(encoding="utf-8"):
        pytest.skip("the playground is not built (make playground)")
    page = visitor.page()
    for rule in ("undefined-reference", "unknown-attribute"):
        page.goto(f"rules/{rule}/")
        page.locator("a.try").first.click()
        page.locator("#findings:not(.stale) .finding", has_text=rule).first.wait_for(timeout=60_000)


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures(visitor: Visitor, width: int, scheme: str) -> None:
    """Main pages on a screen and on a phone, light and dark, for somebody to look at (IRLINT_PICTURES=FOLDER keeps them)."""
    page = visitor.page(width, 844 if width < 800 else 900, color_scheme=scheme)
    for name in ("", "start/", "rules/", "rules/unsafe-path/", "graph/", "schemas-elsewhere/"):
        page.goto(name)
        assert page.get_attribute("body", "data-md-color-scheme") == ("slate" if scheme == "dark" else "default")
        picture(page, f"site-{name.strip('/').replace('/', '-') or 'home'}-{width}-{scheme}")


def test_search_engines_find_every_page(site: Path) -> None:
    listed = set(re.findall(r"<loc>(.*?)</loc>", (site / "sitemap.xml").read_text(encoding="utf-8")))
    assert listed == {SITE + address for address in addresses(site) if address != "404.html"}


def test_openvino_lists_its_rules(site: Path) -> None:
    text = (site / "formats/openvino/index.html").read_text(encoding="utf-8")
    shared = {row.code for row in rows(table(""))}
    own = {row.code for row in rows(table("openvino"))} - shared
    assert own <= set(re.findall(r"<td>([A-Z]\d{3})</td>", text))


def test_public_names_options_and_keys_are_in_the_reference(site: Path) -> None:
    import irlint
    from irlint.cli.dispatch import commands

    text = {name: (site / "reference" / name / "index.html").read_text(encoding="utf-8") for name in
            ("api", "commands", "configuration")}  # fmt: skip
    for name in irlint.__all__:
        assert name.startswith("_") or f'id="{name}"' in text["api"]
    for name in commands():
        assert f'id="irlint-{name}"' in text["commands"]
    for key in json.loads((ROOT / "schemas/irlint-config.schema.json").read_text(encoding="utf-8"))["properties"]:
        assert f'id="{key}"' in text["configuration"]


def test_pages_fit_screens_and_phones(visitor: Visitor, site: Path) -> None:
    """On a screen no code is cut off; on a phone no page scrolls sideways."""
    page, clipped, sideways = visitor.page(), {}, []
    for address in addresses(site):
        page.set_viewport_size({"width": 1400, "height": 900})
        page.goto(address)
        if found := page.evaluate(CLIPPED):
            clipped[address] = found
        page.set_viewport_size({"width": 390, "height": 844})
        if page.evaluate(SIDEWAYS):
            sideways.append(address)
    assert (clipped, sideways) == ({}, [])


@pytest.mark.parametrize("width", [360, 600, 719, 720, 768, 960, 1000, 1219, 1220, 1399, 1400, 1600, 2000])
def test_the_landing_page_fits_every_width(visitor: Visitor, width: int) -> None:
    page = visitor.page(width)
    page.goto("")
    assert page.locator("pre.terminal:visible").count() == 1
    assert not page.evaluate(SIDEWAYS)
    assert page.evaluate(CLIPPED) == []


def test_everybody_can_read_it(visitor: Visitor, pages: list[str], axe: str) -> None:
    page, found = visitor.page(reduced_motion="reduce"), {}
    for address in pages:
        page.goto(address)
        page.evaluate(axe)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            if violations := page.evaluate(AXE):
                found[address, scheme] = violations
    assert found == {}


def test_light_and_dark_can_be_chosen(visitor: Visitor) -> None:
    page = visitor.page(color_scheme="light")
    page.goto("")
    seen = []
    for _ in range(3):
        page.click("form[data-md-component=palette] label:not([hidden])")
        seen.append(page.get_attribute("body", "data-md-color-scheme"))
    assert seen == ["default", "slate", "default"]


def rules(page: Any) -> list[str]:
    """The codes of the rules that show."""
    codes: list[str] = page.evaluate(
        "[...document.querySelectorAll('section.rules tbody tr')].filter((row) => row.offsetParent)"
        ".map((row) => row.cells[0].textContent)"
    )
    return sorted(codes)


def test_rules_are_filtered_from_the_keyboard(visitor: Visitor) -> None:
    page = visitor.page()
    page.goto("rules/")
    every = rules(page)
    assert every == sorted(all_rules())
    page.focus("[name=text]")
    page.keyboard.type("cycle")
    assert "R004" in rules(page)
    assert len(rules(page)) < 5
    assert page.inner_text(".rule-filter output") == f"{len(rules(page))} rule{'s' * (len(rules(page)) > 1)}"
    assert page.url.endswith("?text=cycle")
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.press("Tab")
    page.keyboard.type("openvino")
    page.keyboard.press("Tab")
    page.keyboard.type("warning")
    page.keyboard.press("Tab")
    page.keyboard.type("safe")
    wanted = [
        code
        for code, rule in all_rules().items()
        if "openvino" in (formats_of(rule) or ["openvino"])
        and str(rule.severity) == "warning"
        and rule.fixable in ("safe", "mixed")
    ]
    assert rules(page) == wanted
    assert page.url.endswith("?format=openvino&severity=warning&fix=safe")
    page.reload()
    assert rules(page) == wanted
    page.click("text=Clear")
    assert rules(page) == every
    assert page.url.endswith("/rules/")


def test_rules_show_without_a_script(visitor: Visitor) -> None:
    page = visitor.page(java_script_enabled=False)
    page.goto("rules/?format=openvino")
    assert not page.is_visible(".rule-filter")
    assert page.locator("section.rules tbody tr:visible").count() == len(all_rules())


def test_rules_are_cards_on_a_phone(visitor: Visitor) -> None:
    page = visitor.page(390, 844)
    page.goto("rules/?format=openvino")
    assert not page.is_visible("section.rules thead")
    assert page.evaluate("getComputedStyle(document.querySelector('section.rules tr:has(td)')).display") == "block"


def test_the_picture_of_the_report_is_what_is_printed(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    reports = text.split('<pre class="terminal')[1:]
    assert len(reports) == 3
    assert all("irlint mistakes.onnx</span>" in report for report in reports)
    assert "did you mean `kernel_shape`?" in reports[0], "the widest has room for the line"
    assert re.search(r"Found \d+ errors in 1 file", text)
