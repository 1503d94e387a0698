"""The links from rules into the playground."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode
from html import unescape
from pathlib import Path

import pytest

from irlint import engine
from irlint.rules.base import Rule
from irlint.rules.registry import all_rules
from irlint.settings import Settings


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.code)
def test_what_is_linked_breaks_the_rule(site: Path, rule: type[Rule]) -> None:
    page = (site / "rules" / rule.name / "index.html").read_text(encoding="utf-8")
    link = re.search(r'class="try" href="([^"]+)"', page)
    if link is None:
        pytest.skip("its examples need more than one file")
    address, _, fragment = unescape(link[1]).partition("#")
    assert address == "../../playground/"
    fields = dict(field.split("=", 1) for field in fragment.split("&"))
    packed = fields["text"] + "=" * (-len(fields["text"]) % 4)
    text = zlib.decompress(urlsafe_b64decode(packed), wbits=-15)
    result = engine.lint_bytes(text, fields["name"], Settings(), fields.get("as"))
    assert rule.code in {finding.code for finding in result.findings}
