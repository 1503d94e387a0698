"""The site's hook: generated pages, parts of pages that are generated, pictures, schemas, and the playground."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import generated
import pictures
import rule_pages
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Navigation

ROOT = Path(__file__).resolve().parent.parent.parent
IMAGES = {"images/logo.svg": "icon.svg", "images/editor.png": "onnx.png"}  # of the VS Code extension
PLAYGROUND = "playground/"

_NOT_BUILT = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Playground - irlint</title>
<body style="max-width: 40em; margin: 4em auto; padding: 0 1em; font: 16px/1.6 system-ui, sans-serif">
<h1>The playground is not in this copy of the site</h1>
<p>Building it takes Node.js and npm. Run <code>make playground docs</code>, or open
<a href="{address}">the playground of the published site</a>.</p>
<p><a href="../">Back to the home page</a></p>
</body>
</html>
"""
_RULES_OF = re.compile(r"<!-- rules of (\w+) -->")
_MERMAID = re.compile(r"```mermaid\n(.*?)```", re.DOTALL)
_PARTS = {"<!-- report -->": pictures.report, "<!-- number of rules -->": rule_pages.number}


def on_files(files: Files, config: Any) -> Files:
    for path, text in generated.pages():
        files.append(File.generated(config, path, content=text))
    for path, name in IMAGES.items():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / "lsp/vscode/images" / name)))
    files.append(File.generated(config, "images/graph.svg", content=pictures.graph()))
    return files


def on_nav(nav: Navigation, **_: Any) -> Navigation:
    """Add the playground, which is not a page of the documentation."""
    nav.items.insert(1, Link("Playground", PLAYGROUND))
    return nav


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Insert what is generated. Diagrams become pictures: the theme would draw them with a script from another server."""
    for mark, part in _PARTS.items():
        if mark in markdown:
            markdown = markdown.replace(mark, part())
    markdown = _MERMAID.sub(lambda match: pictures.diagram(match[1]), markdown)
    return _RULES_OF.sub(lambda match: rule_pages.table_of(match[1]), markdown)


def on_post_build(config: Any) -> None:
    """Publish the schemas at the addresses of their $id, and the playground, whose links then stay on this site."""
    site = Path(config["site_dir"])
    shutil.copytree(ROOT / "schemas", site / "schemas", dirs_exist_ok=True)
    page, home = site / PLAYGROUND / "index.html", config["site_url"]
    if (built := ROOT / "build" / PLAYGROUND).is_dir():
        shutil.copytree(built, page.parent, dirs_exist_ok=True)
        page.write_text(page.read_text(encoding="utf-8").replace(f'href="{home}', 'href="../'), encoding="utf-8")
    else:
        page.parent.mkdir(exist_ok=True)
        page.write_text(_NOT_BUILT.replace("{address}", home + PLAYGROUND), encoding="utf-8")
