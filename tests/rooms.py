"""Which module imports which, read from the code: python tests/rooms.py draws the rooms of docs/architecture.md.

Imports inside functions and those for type checkers count: they tell what a module knows of.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- rooms: python tests/rooms.py draws them -->\n", "<!-- end of rooms -->\n"

# Lowest first: a module may import from its own room and from those before it.
ROOMS: dict[str, tuple[str, ...]] = {
    "tools": ("records", "tools", "work"),
    "codes": ("codes",),
    "text": ("text",),
    "files": ("files",),
    "findings": ("findings", "fixes"),
    "causes": ("causes",),
    "graph": ("graph", "order", "operators"),
    "rules": ("rules", "missing_weights"),
    "schema": ("schema",),
    "settings": ("settings", "suppressions"),
    "checks": ("checks",),
    "dry run": ("dryrun",),
    "targets": ("targets",),
    "repairs": ("repairs",),
    "formats": ("formats",),
    "rule pages": ("rules.page", "rules.examples"),
    "inspection": ("inspection",),
    "precision": ("precision",),
    "proofs": ("proving",),
    "user schemas": ("user_schemas",),
    "companions": ("companions",),
    "engine": ("engine", "located", "steps", "offers"),
    "config": ("config",),
    "view": ("view",),
    "report": ("report",),
    "matrix": ("matrix",),
    "api": ("api", "", "pytest_plugin"),
    "jobs": ("jobs", "cache"),
    "zoo": ("zoo",),
    "command line": ("cli", "__main__"),
    "language server": ("irlint_lsp",),
}


@cache
def imports() -> dict[str, set[str]]:
    """The modules that each module imports, anywhere in it."""
    files = dict(_modules())
    return {name: {other for other in imported(name, path, files) if other != name} for name, path in files.items()}


def _modules() -> Iterator[tuple[str, Path]]:
    for folder in (ROOT / "irlint", ROOT / "lsp" / "irlint_lsp"):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imported(name: str, path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)
        elif isinstance(node, ast.ImportFrom) and (origin := _origin(name, path, node)) in files:
            for alias in node.names:
                if alias.name == "__version__":  # a text that knows of nothing
                    continue
                inner = f"{origin}.{alias.name}"
                yield inner if inner in files else origin


def _origin(name: str, path: Path, node: ast.ImportFrom) -> str:
    """The module that names are imported from; a dot leads to the package, each further one to the package around it."""
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    package = parts[: len(parts) - node.level + (path.name == "__init__.py")]
    return ".".join([*package, node.module] if node.module else package)


def top_names(path: Path) -> Iterator[str]:
    """The names of a module, without those of modules that it imports from its own package."""
    package = ".".join(path.parent.relative_to(ROOT).parts)
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.ImportFrom) and node.module != package:
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from (
                part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            )


def room_of(module: str) -> str:
    first, _, rest = module.partition(".")
    names = (first,) if first != "irlint" else (rest, rest.partition(".")[0])
    return next(room for name in names for room, parts in ROOMS.items() if name in parts)


def upward(found: Mapping[str, Iterable[str]]) -> list[str]:
    """Imports from a higher room, and from one format into another."""
    order = list(ROOMS)
    return [
        f"{module} imports {other}"
        for module, others in found.items()
        for other in others
        if order.index(room_of(module)) < order.index(room_of(other)) or _is_of_another(module, other)
    ]


def _format(module: str) -> str | None:
    parts = module.split(".")
    return parts[2] if parts[:2] == ["irlint", "formats"] and len(parts) > 3 else None


def _is_of_another(module: str, other: str) -> bool:
    return None not in (_format(module), _format(other)) and _format(module) != _format(other)


def circles(found: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Groups of modules each of which leads to all others (Tarjan)."""
    numbers: dict[str, int] = {}
    lows: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(name: str) -> None:
        numbers[name] = lows[name] = len(numbers)
        stack.append(name)
        for other in found[name]:
            if other not in numbers:
                visit(other)
            if other in stack:
                lows[name] = min(lows[name], lows[other])
        if lows[name] == numbers[name]:
            at = stack.index(name)
            groups.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10_000)
    for name in found:
        if name not in numbers:
            visit(name)
    return [group for group in groups if len(group) > 1]


def picture(found: Mapping[str, Iterable[str]]) -> str:
    """The rooms as a Mermaid graph: an arrow to each room that is imported, but for those that another arrow leads to."""
    known: dict[str, set[str]] = {room: set() for room in ROOMS}
    for module, others in found.items():
        known[room_of(module)] |= {room_of(other) for other in others} - {room_of(module)}
    reached: dict[str, set[str]] = {}
    lines = ["```mermaid", "graph BT"]
    for (
        room,
        direct,
    ) in known.items():  # lowest first; a room above, which no import may lead to, has not been reached yet
        reached[room] = direct.union(*(reached.get(other, set()) for other in direct))
        lines.append(f'    {_id(room)}["{room}"]')
        for other in ROOMS:
            if other in direct and not any(other in reached.get(third, set()) for third in direct):
                lines.append(f"    {_id(room)} --> {_id(other)}")
    return "\n".join([*lines, "```", ""])


def _id(room: str) -> str:
    """A name that is no word of Mermaid's."""
    return f"room_{room.replace(' ', '_')}"


def drawn(page: str) -> str:
    """The page with the picture as it is now."""
    head, _, rest = page.partition(BEGIN)
    return head + BEGIN + "\n" + picture(imports()) + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(drawn(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
