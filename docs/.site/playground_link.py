"""The link from an example of a rule to the playground."""

from __future__ import annotations

import base64
import zlib

from irlint import engine
from irlint.formats.samples import file_name
from irlint.rules.examples import ExampleModel
from irlint.settings import Settings

PAGE = "../../playground/"  # from the page of a rule


def link(sample: ExampleModel, format_name: str, code: str) -> str | None:
    """Return a link to a model that breaks a rule without side files, targets or settings; None for one that needs them."""
    form = f"{format_name}:{sample.dialect}" if sample.dialect else format_name
    name = file_name(form)
    try:
        data = sample.text.encode()
    except UnicodeEncodeError:
        return None  # bytes that are not text
    found = engine.lint_bytes(data, name, Settings())
    if code not in {finding.code for finding in found.findings}:
        return None
    return f"{PAGE}#name={name}&amp;text={packed(sample.text)}"


def packed(text: str) -> str:
    """Return a text for the fragment of an address: deflated, in base64 for URLs."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(deflate.compress(text.encode()) + deflate.flush()).decode().rstrip("=")
