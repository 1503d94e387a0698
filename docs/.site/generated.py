"""The pages that are not files in docs/: their paths there and their Markdown."""

from __future__ import annotations

from collections.abc import Iterator

import api_page
import command_page
import config_page
import layers_page
import rule_pages


def pages() -> Iterator[tuple[str, str]]:
    yield from rule_pages.pages()
    yield "reference/api.md", api_page.page()
    yield "reference/commands.md", command_page.page()
    yield "reference/configuration.md", config_page.page()
    yield "reference/ncnn-layers.md", layers_page.page("ncnn")
