"""The picture as one HTML file that needs nothing else: the viewer's scripts and style, and the scene as data."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from pathlib import Path

from irlint.text.safe import visible
from irlint.view import BoxScene

FOLDER = Path(__file__).parent / "web"
_BEGINNING = '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
SCRIPTS = (
    "place.js",
    "theme.js",
    "overlay.js",
    "draw.js",
    "camera.js",
    "panel.js",
    "search.js",
    "tour.js",
    "export.js",
    "main.js",
)


def viewer() -> tuple[str, str]:
    """Return the viewer's script and style."""
    script = "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in SCRIPTS)
    return script, (FOLDER / "view.css").read_text(encoding="utf-8")


def page(scene: BoxScene, files: Sequence[str | None] = ()) -> str:
    """Return the HTML, which says of which files it is. Its policy allows these scripts and this style, and no request to anywhere."""
    script, style = viewer()
    policy = f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data: blob:"
    return (
        f'{_BEGINNING}<meta name="generator" content="{_generator(files)}">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(visible(scene.title))}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<script type="application/json" id="scene">{data(scene)}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    )


def is_page_of(path: str, files: Sequence[str | None]) -> bool:
    """Return whether a file is a page that was written of these files."""
    begins = f'{_BEGINNING}<meta name="generator" content="{_generator(files)}">'.encode()
    try:
        with open(path, "rb") as file:
            return file.read(len(begins)) == begins
    except OSError:
        return False


def _generator(files: Sequence[str | None]) -> str:
    """Return what wrote a page and a digest of the files' paths, which a page that is shared does not tell."""
    paths = "\0".join(os.path.realpath(file) if file != "-" else file for file in files if file)
    return f"irlint graph {sha256(os.fsencode(paths)).hexdigest()[:16]}" if paths else "irlint graph"


def data(scene: BoxScene) -> str:
    """Return the scene as JSON that cannot end the element around it."""
    text = json.dumps(scene.json(), separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("#", "\\u0023")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
