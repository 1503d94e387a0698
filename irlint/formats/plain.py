"""JSON and XML files that are not models: only a schema of the configuration says what is right in them."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.base import CERTAIN, Dialect, Format, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.json.document import JsonDocument
from irlint.text.xml.document import XmlDocument


class PlainJson(Format):
    """JSON as a format without a graph, which recognizes nothing by itself."""

    name, title, dialects = "json", "JSON", (Dialect("json", "JSON"),)
    seen = Recognition(CERTAIN, "a schema of the configuration describes it")

    def recognize(self, head: Head) -> Recognition | None:
        return None

    def open(self, text: str, name: str) -> Document:
        return JsonDocument.parse(text, name)

    def dialect_of(self, document: Document) -> Recognition | None:
        return self.seen

    def read(self, model: Model) -> Iterator[Problem]:
        return iter(())


class PlainXml(PlainJson):
    """XML."""

    name, title, dialects = "xml", "XML", (Dialect("xml", "XML"),)
    comment = "<!--"

    def open(self, text: str, name: str) -> Document:
        return XmlDocument(text, name)


FORMATS: dict[str, PlainJson] = {format_.name: format_ for format_ in (PlainJson(), PlainXml())}


def format_of(text: str) -> PlainJson:
    """Return the format that a text is most likely in."""
    return FORMATS["xml" if text.lstrip("\ufeff \t\r\n").startswith("<") else "json"]
