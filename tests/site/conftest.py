"""The site, built once and served from this machine, and a browser. Tests are skipped where one of them is missing: `make test-site`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.local_server import served
from tests.view.conftest import browser as browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

ROOT = Path(__file__).parents[2]
LIMIT = 300  # seconds


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material", reason="mkdocs-material is not installed (make test-site)")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "--quiet", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    with served(site) as found:
        yield found


class Visitor:
    """Opens pages, and remembers what they request and which errors they have."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.contexts: list[BrowserContext] = []

    def page(self, width: int = 1400, height: int = 900, **options: Any) -> Any:
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, base_url=self.address, **options
        )
        self.contexts.append(context)
        found = context.new_page()
        found.on("request", lambda request: self.requests.append(request.url))
        found.on("pageerror", lambda error: self.errors.append(str(error)))
        return found


@pytest.fixture
def visitor(browser: Browser, address: str) -> Iterator[Visitor]:
    """A visitor whom no page sends elsewhere, or shows an error."""
    found = Visitor(browser, address)
    yield found
    for context in found.contexts:
        context.close()
    assert found.errors == []
    assert [url for url in found.requests if not url.startswith((address, "data:", "blob:"))] == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core."""
    folder = Path(os.environ.get("IRLINT_NODE_MODULES") or ROOT / "build/node/node_modules")
    script = folder / "axe-core/axe.min.js"
    if not script.is_file():
        pytest.skip("no axe-core here (make test-site)")
    return script.read_text(encoding="utf-8")
