"""The link from a rule to an example of it in the playground."""

from __future__ import annotations

import base64
import zlib

from irlint import engine
from irlint.rules.base import Example, Rule
from irlint.settings import Settings

PAGE = "../../playground/"  # from the page of a rule


def link(rule: type[Rule]) -> str | None:
    """Return a link to the first example that breaks the rule without side files, targets or settings."""
    for example in rule.invalid:
        if not (example.side_files or example.links or example.targets) and _breaks(example, rule):
            return f"{PAGE}#name={_name(example)}&amp;text={packed(example.text)}"
    return None


def _breaks(example: Example, rule: type[Rule]) -> bool:
    try:
        data = example.text.encode()
    except UnicodeEncodeError:
        return False  # bytes that are not text
    return rule.code in {finding.code for finding in engine.lint_bytes(data, _name(example), Settings()).findings}


def _name(example: Example) -> str:
    kind = "xml" if example.format == "openvino" else "txt" if example.format == "glacier:listing" else "json"
    return f"model.{kind}"


def packed(text: str) -> str:
    """Return a text for the fragment of an address: deflated, in base64 for URLs."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(deflate.compress(text.encode()) + deflate.flush()).decode().rstrip("=")
