"""Names of objects on the page, and the fragments that lead to rows of the table of models."""

from __future__ import annotations

from collections.abc import Container
from urllib.parse import quote

from irlint.report.survey.markup import breakable, text

_PLAIN = "/:@!,;~"  # characters that need no escape in a fragment


def fragment(kind: str, value: str) -> str:
    """Return what page.js reads behind the # of an address."""
    return f"{kind}={quote(value, _PLAIN, errors='replace')}"


class Paths:
    """Names of objects without the beginning that all have in common. `listed` are those in the table of models."""

    def __init__(self, common: str, listed: Container[str] = ()) -> None:
        self.root = common[: common.rfind("/") + 1]
        self._listed = listed

    def of(self, url: str, line: int | None = None) -> str:
        """Return an object's name, as a link to its row in the table of models if it has one; its folder is faint."""
        at = "" if not line else f'<span class="line">:{line}</span>'
        if url in self._listed:
            return f'<a class="path" href="#{self.fragment("model", url)}">{self.name(url)}{at}</a>'
        return f'<span class="path" title="{text(url, 1000)}">{self.name(url)}{at}</span>'

    def name(self, url: str) -> str:
        folder, slash, name = self._inner(url).rstrip("/").rpartition("/")
        name += self._inner(url)[len(folder) + len(slash) + len(name) :]
        before = f'<span class="folder">{breakable(text(folder))}/</span><wbr>' if slash else ""
        return f"{before}{breakable(text(name))}"

    def fragment(self, kind: str, url: str) -> str:
        return fragment(kind, self._inner(url))

    def folder(self, url: str) -> str:
        """Return a folder's name, as a link to its models."""
        if url == self.root:
            return (
                f'<span class="path">{breakable(text(url))}</span>' if url else '<span class="none">(top level)</span>'
            )
        return f'<a class="path" href="#{self.fragment("folder", url)}">{breakable(text(self._inner(url)))}</a>'

    def _inner(self, url: str) -> str:
        return url[len(self.root) :] if url.startswith(self.root) else url
