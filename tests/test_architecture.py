"""What the pages on irlint's own code name exists: files, modules, classes, functions, attributes."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("architecture", "cost-model", "changes", "decisions")
PLACEHOLDER = re.compile(r"\b(?:NAME|FORMAT|GROUP)\b")
# Of other programs, of files, and of what a change adds
ELSEWHERE = {"nodes", "attributes", "net", "anyOf", "dataclass", "NamedTuple", "json.loads", "entry_points"}
ELSEWHERE |= {"min", "let", "equal", "says", "refused_min", "refused_values"}  # facts of operator tables
ELSEWHERE |= {
    "jsonschema_rs",
    "numpy",
    "pygls",
    "ruamel.yaml",
    "re.compile",
    "importlib.metadata.entry_points",
    "FORMAT",
    "register(server)",
    "pathlib",
    "patch",
    r"\x1b",
}

Members = dict[str, set[str]]


def words(page: str) -> list[str]:
    text = re.sub(r"^```.*?^```$", "", (ROOT / f"docs/{page}.md").read_text(encoding="utf-8"), flags=re.M | re.S)
    return sorted(set(re.findall(r"`([^`\n]+)`", text)))


@cache
def defined() -> tuple[set[str], Members]:
    """Modules with dots; and what each class or module holds, by the last part of its name."""
    modules: set[str] = set()
    members: Members = {}
    for folder in (ROOT / "irlint", ROOT / "lsp/irlint_lsp"):
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            modules |= {".".join(parts[k:]) for k in range(len(parts))}
            tree = ast.parse(path.read_text(encoding="utf-8"))
            members.setdefault(parts[-1], set()).update(_names(tree))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    members.setdefault(node.name, set()).update(_names(node))
    return modules, members


def _names(holder: ast.AST) -> set[str]:
    """What is defined or assigned in a module or class, in the methods of a class, too."""
    found = set()
    for node in ast.walk(holder):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.id if isinstance(node, ast.Name) else node.attr)
    return found


def is_path(word: str) -> bool:
    pattern = PLACEHOLDER.sub("*", word).rstrip("/")
    return any(
        next(folder.glob(pattern), None) is not None for folder in (ROOT, ROOT / "irlint", ROOT / "lsp/irlint_lsp")
    )


def is_name(word: str) -> bool:
    modules, members = defined()
    word = word.partition("(")[0]
    holder, _, last = word.rpartition(".")
    if word in modules or word.partition(".")[0] in sys.stdlib_module_names:
        return True
    if not holder:
        return any(word in names for names in members.values())
    return last in members.get(holder.rpartition(".")[2], ()) and (
        holder in modules or "." not in holder or is_name(holder)
    )


@pytest.mark.parametrize("page", PAGES)
def test_what_the_pages_name_exists(page: str) -> None:
    unknown = [
        word
        for word in words(page)
        if word not in ELSEWHERE
        and not word.startswith(("-", "<", "irlint ", "python ", "make "))
        and not (is_path(word) if "/" in word or word.endswith((".py", ".yaml", ".json")) else is_name(word))
    ]
    assert unknown == []


def test_what_does_not_exist_is_noticed() -> None:
    assert not is_name("Format.recognise")
    assert not is_name("engine.lint_all")
    assert not is_path("text/json_scanner.py")
