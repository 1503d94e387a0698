"""A real browser for the viewer: Debian's Chromium, driven by Playwright. Tests that need one are skipped where one of them is missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from irlint.view.page import page as html

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from irlint.view import BoxScene

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PICTURES = os.environ.get("IRLINT_PICTURES")  # a folder for screenshots, to be looked at

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")  # not longer: while it lives, an event loop runs in which no other can start
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a scene or a page; fails if the page has an error or requests anything but itself."""
    errors: list[str] = []
    requests: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(scene: BoxScene | Path, dark: bool = False, width: int = 1300, height: int = 900) -> Page:
        path = scene if isinstance(scene, Path) else tmp_path / "graph.html"
        if not isinstance(scene, Path):
            path.write_text(html(scene), encoding="utf-8")
        scheme = "dark" if dark else "light"
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
        contexts.append(context)
        found = context.new_page()
        found.on("pageerror", lambda error: errors.append(str(error)))
        found.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        found.on("request", lambda request: requests.append(request.url))
        found.goto(path.as_uri())
        return found

    yield open_page
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:", "blob:"))] == []
    assert all(url.startswith(("blob:", tmp_path.as_uri())) for url in requests)
    for context in contexts:
        context.close()


def picture(page: Page, name: str) -> bytes:
    """Take a screenshot of what is drawn, and keep it where the environment says."""
    page.wait_for_timeout(200)
    return page.screenshot(path=f"{PICTURES}/{name}.png" if PICTURES else None)
