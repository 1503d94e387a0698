"""The playground that `make playground` has built, and what the command line says of the same files."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from irlint import engine
from irlint.cli.dispatch import guarded
from irlint.formats.base import all_formats
from irlint.text.base import decode
from tests.local_server import served
from tests.view.conftest import browser as browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

Open = Callable[..., "Page"]

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "playground"
EXAMPLES = sorted(path for path in (ROOT / "examples").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
MODELS = [
    path
    for path in EXAMPLES
    if path.parent.name in all_formats() and path.suffix in (".xml", ".json", ".txt", ".param", ".onnx", ".onnxtxt")
]


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the page."""
    if not (BUILD / "index.html").exists():
        pytest.skip("the playground is not built: `make test-playground` builds it and runs these tests")
    return BUILD


@pytest.fixture(scope="session")
def assets(built: Path) -> Path:
    """The folder of everything but the page."""
    (found,) = (path for path in built.iterdir() if path.is_dir())
    return found


def shown(path: Path) -> tuple[str, str]:
    """Return the text of a file that the page shows, and the encoding that it keeps."""
    data = path.read_bytes()
    opened = engine.opened(data, path.name)
    return decode(data) if opened is None else (opened[1].text, "binary")


def encoded(path: Path, text: str) -> bytes:
    """Return a file with another text."""
    data = path.read_bytes()
    opened = engine.opened(data, path.name)
    return text.encode("utf-8", "surrogateescape") if opened is None else opened[1].encoded(text)


def beside(path: Path) -> list[Path]:
    """Return the files that belong to a model."""
    return [other for other in (path.with_suffix(".bin"),) if other.exists() and other != path]


def reported(path: Path, folder: Path, configuration: str = "") -> tuple[list[dict[str, Any]], bytes]:
    """Return what `irlint --output-format json` says of a copy of a file, and what `irlint --fix` makes of it."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in (path, *beside(path)):
        shutil.copy(each, folder)
    (folder / "irlint.yaml").write_text(configuration)
    before, out = Path.cwd(), io.StringIO()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out):
            guarded(["check", path.name, "--output-format", "json", "--no-cache"])
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            guarded(["check", path.name, "--fix", "--no-cache"])
    finally:
        os.chdir(before)
    return json.loads(out.getvalue() or "[]"), (folder / path.name).read_bytes()


@pytest.fixture(scope="session")
def address(built: Path) -> Iterator[str]:
    """The page's address on a server of its own."""
    with served(built) as found:
        yield found


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Open]:
    """Opens the page in a browser without a past; fails if it has an error, or requests anything but its own files."""
    errors: list[str] = []
    requests: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(
        fragment: str = "",
        dark: bool = False,
        width: int = 1400,
        height: int = 900,
        fails: bool = False,
        **options: Any,
    ) -> Page:
        scheme = "dark" if dark else "light"
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **options)
        contexts.append(context)
        context.on("request", lambda request: requests.append(request.url))
        page = context.new_page()
        if not fails:
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(address + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [url for url in requests if not url.startswith((address, "data:", f"blob:{address}"))] == []
    assert errors == []


def until(page: Page, expression: str, argument: Any = None, seconds: float = 60) -> None:
    """Wait until an expression is true. Playwright's own way is `eval`, which the page's policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression, argument):
        assert time.monotonic() < end, f"{expression}: not within {seconds} s"
        time.sleep(0.05)


def settle(page: Page) -> None:
    """Wait until what the page shows is about what is open."""
    until(
        page,
        "irlintPlayground.isReady && !irlintPlayground.isRunning && irlintPlayground.shown === irlintPlayground.version",
    )


def give(page: Page, *paths: Path) -> None:
    """Open files, as a user does with the file dialog."""
    page.set_input_files("#chosen", list(paths))
    until(page, "name => document.getElementById('name').value === name", paths[0].name)
    settle(page)
