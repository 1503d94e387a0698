"""The links from rules into the playground."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode
from html import unescape
from pathlib import Path

from irlint import engine
from irlint.rules.registry import all_rules
from irlint.settings import Settings


def test_what_is_linked_breaks_the_rule(site: Path) -> None:
    """Most rules have a link; the examples of the others need more than one file, or settings."""
    found = {code: links_of(site / "rules" / rule.name / "index.html") for code, rule in all_rules().items()}
    assert sum(map(len, found.values())) > 100
    assert [(code, link) for code, links in found.items() for link in links if code not in linted(link)] == []


def links_of(page: Path) -> list[str]:
    return [unescape(link) for link in re.findall(r'class="try" href="([^"]+)"', page.read_text(encoding="utf-8"))]


def linted(link: str) -> set[str]:
    """The rules that a linked text breaks, with what the playground reads of the link."""
    address, _, fragment = link.partition("#")
    assert address == "../../playground/"
    fields = dict(field.split("=", 1) for field in fragment.split("&"))
    packed = fields["text"] + "=" * (-len(fields["text"]) % 4)
    text = zlib.decompress(urlsafe_b64decode(packed), wbits=-15)
    result = engine.lint_bytes(text, fields["name"], Settings(), fields.get("as"))
    return {finding.code for finding in result.findings}
