"""JSON and XML files that are not models: only a schema of the configuration says what is right in them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.base import CERTAIN, Dialect, Format, Head, Recognition, extensions
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.json.document import JsonDocument
from irlint.text.xml.document import XmlDocument

_SYNTAX = {  # all else that the readers report is about models and what loads them; programs take comments
    *(R.syntax_error, R.truncated_file, R.trailing_text, R.too_deep, R.duplicate_key, R.non_finite_number),
    *(R.control_character, R.unusual_escape, R.unusual_number, R.empty_file),
}


class PlainJson(Format):
    """JSON as a format without a graph, which recognizes nothing by itself."""

    name, title, dialects = "json", "JSON", (Dialect("json", "JSON"),)
    seen = Recognition(CERTAIN, "a schema of the configuration describes it")

    def recognize(self, head: Head) -> Recognition | None:
        return None

    def open(self, text: str, name: str) -> Document:
        document = self._parsed(text, name)
        document.troubles[:] = [trouble for trouble in document.troubles if trouble.rule in _SYNTAX]
        return document

    def _parsed(self, text: str, name: str) -> Document:
        return JsonDocument.parse(text, name)

    def dialect_of(self, document: Document) -> Recognition | None:
        return self.seen

    def read(self, model: Model) -> Iterator[Problem]:
        return iter(())


class PlainXml(PlainJson):
    """XML."""

    name, title, dialects = "xml", "XML", (Dialect("xml", "XML"),)
    comment = "<!--"

    def _parsed(self, text: str, name: str) -> Document:
        return XmlDocument(text, name)


FORMATS: dict[str, PlainJson] = {format_.name: format_ for format_ in (PlainJson(), PlainXml())}


def format_of(text: str, is_json: bool) -> PlainJson:
    """Return the format of a text; of one that shows none, JSON if a schema for JSON holds for it."""
    start = text.lstrip("\ufeff \t\r\n")[:1]
    return FORMATS["xml" if start == "<" or not (start or is_json) else "json"]


def is_plain(text: str, name: str) -> bool:
    """Return whether a text may be JSON or XML: of a file that is named like a model in another syntax, its beginning tells."""
    suffix = os.path.splitext(name)[1].lower()
    is_other = suffix in extensions() and suffix not in (".json", ".xml")
    return not is_other or text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[", "<")
