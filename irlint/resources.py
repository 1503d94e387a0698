"""Where the published schemas and operator tables are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent


@cache
def schemas_folder() -> Path:
    inside = _HERE / "schemas"
    return inside if inside.is_dir() else _HERE.parent / "schemas"


@cache
def load_json(name: str) -> Any:
    """A file of the schemas folder, read once per process."""
    return json.loads(read_text(name))


def read_text(name: str) -> str:
    return (schemas_folder() / name).read_text("utf-8")
