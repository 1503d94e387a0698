"""Generated parts of the site: a page per rule, the rules of each format, the schemas."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from irlint.rules import page, site
from irlint.rules.registry import all_rules

ROOT = Path(__file__).resolve().parent.parent.parent
_RULES_OF = re.compile(r"<!-- rules of (\w+) -->")


def on_files(files: Files, config: Any) -> Files:
    for path, text in site.pages(all_rules().values()):
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    return _RULES_OF.sub(lambda match: _rules_of(match[1]), markdown)


def on_post_build(config: Any) -> None:
    """Publish the schemas at the addresses of their $id."""
    shutil.copytree(ROOT / "schemas", Path(config["site_dir"]) / "schemas", dirs_exist_ok=True)


def _rules_of(format_name: str) -> str:
    rows = [
        f"| {rule.code} | [{rule.name}](../rules/{rule.name}.md) | {rule.severity} | {page.summary(rule)} |"
        for rule in all_rules().values()
        if rule.formats == (format_name,)
    ]
    return "\n".join(["| Code | Name | Severity | What it checks for |", "| --- | --- | --- | --- |", *rows])
