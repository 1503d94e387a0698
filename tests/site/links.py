"""The links and anchors of a built site."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

SITE = "https://irlint.readthedocs.io/"
PLAYGROUND = "playground/"  # no page of the documentation; its fragments hold models


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key in ("href", "src") and value is not None and (tag, "rel", "canonical") != (tag, *_rel(attrs)):
                self.links.append(value)
            elif key in ("id", "name") and value:
                self.anchors.add(value)
            elif (key, dict(attrs).get("property")) == ("content", "og:image") and value:
                self.links.append(value)


def _rel(attrs: list[tuple[str, str | None]]) -> tuple[str, str | None]:
    return "rel", dict(attrs).get("rel")


def addresses(site: Path) -> list[str]:
    """The addresses of all pages, relative to the site's."""
    found = (path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html")))
    return [path.removesuffix("index.html") for path in found if not path.startswith(PLAYGROUND)]


def dead(site: Path) -> Iterator[str]:
    """Yield each link within the site that leads to no file or to no anchor, with its page."""
    every = [*addresses(site), PLAYGROUND]
    pages = {address: _Page(_file(site, address).read_text(encoding="utf-8")) for address in every}
    for address, page in pages.items():
        for link in page.links:
            url = urljoin(SITE + address, link)
            if not url.startswith(SITE):
                continue
            parts = urlsplit(url.removeprefix(SITE))
            target, anchor = unquote(parts.path), unquote(parts.fragment)
            if target == PLAYGROUND:
                continue
            if target in pages:
                is_dead = bool(anchor) and not anchor.startswith("__") and anchor not in pages[target].anchors
            else:
                is_dead = not _file(site, target).is_file()
            if is_dead:
                yield f"{address or 'index'}: {link}"


def _file(site: Path, address: str) -> Path:
    return site / address / "index.html" if address.endswith("/") or not address else site / address
