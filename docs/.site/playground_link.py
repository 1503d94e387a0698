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
        if example.side_files or example.links or example.targets:
            continue
        for as_format in ("", example.format):  # the latter only where the format is not recognized
            if _breaks(example, as_format, rule):
                name = f"#name={_name(example)}&amp;text={packed(example.text)}"
                return PAGE + name + (f"&amp;as={as_format}" if as_format else "")
    return None


def _breaks(example: Example, as_format: str, rule: type[Rule]) -> bool:
    try:
        data = example.text.encode()
    except UnicodeEncodeError:
        return False  # bytes that are not text
    result = engine.lint_bytes(data, _name(example), Settings(), as_format or None)
    return rule.code in {finding.code for finding in result.findings}


def _name(example: Example) -> str:
    kinds = {"openvino": "xml", "glacier:listing": "txt", "ncnn": "param", "pnnx": "pnnx.param"}
    return f"model.{kinds.get(example.format, 'json')}"


def packed(text: str) -> str:
    """Return a text for the fragment of an address: deflated, in base64 for URLs."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(deflate.compress(text.encode()) + deflate.flush()).decode().rstrip("=")
