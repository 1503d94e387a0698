"""The picture as one HTML file that needs nothing else: the viewer's scripts and style, and the scene as data."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path

from irlint.text.safe import visible
from irlint.view import BoxScene

FOLDER = Path(__file__).parent / "web"
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


def page(scene: BoxScene) -> str:
    """Return the HTML. Its policy allows these scripts and this style, and no request to anywhere."""
    script, style = viewer()
    policy = f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data: blob:"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(visible(scene.title))}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<script type="application/json" id="scene">{data(scene)}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    )


def data(scene: BoxScene) -> str:
    """Return the scene as JSON that cannot end the element around it."""
    text = json.dumps(scene.json(), separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("#", "\\u0023")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
