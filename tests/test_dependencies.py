"""What is installed with irlint is what it imports, and what it relies on without a promise is bounded."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from pygls.protocol import LanguageServerProtocol

ROOT = Path(__file__).resolve().parent.parent
MODULES = {"ruamel.yaml": "ruamel", "jsonschema-rs": "jsonschema_rs"}  # where it is not the name of the package


def _requirements() -> list[str]:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    listed = re.search(r"^dependencies = \[(.*?)^\]", text, re.DOTALL | re.MULTILINE)
    assert listed is not None
    return re.findall(r'"([^"]+)"', listed[1])


def test_every_dependency_is_imported() -> None:
    sources = [
        path.read_text("utf-8") for folder in ("irlint", "lsp/irlint_lsp") for path in (ROOT / folder).rglob("*.py")
    ]
    imported = {name for text in sources for name in re.findall(r"^\s*(?:from|import) (\w+)", text, re.MULTILINE)}
    named = [re.split(r"[<>=;]", text)[0] for text in _requirements()]
    assert {name for name in named if MODULES.get(name, name) not in imported} == set()


def test_private_members_of_pygls_are_there_and_its_version_is_bounded() -> None:
    (pygls,) = [text for text in _requirements() if text.startswith("pygls")]
    assert "<" in pygls
    source = inspect.getsource(LanguageServerProtocol) + inspect.getsource(LanguageServerProtocol.__mro__[1])
    for member in (
        "_converter",
        "_request_futures",
        "_result_types",
        "_send_data",
        "_send_response",
        "_server",
        "_shutdown",
    ):
        assert member in source, f"irlint_lsp/protocol.py needs {member}"
    assert hasattr(LanguageServerProtocol, "_handle_cancel_notification")
