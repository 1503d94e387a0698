"""How much a successor has to understand: python tests/house.py writes what the rooms weigh into golden/house.txt.

A decision is a branch, a loop, an except, a conditional expression, a comprehension and each of its conditions, a case, or a further operand
of `and` or `or`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "house.txt"
TOPS = (ROOT / "irlint", ROOT / "lsp" / "irlint_lsp")
MOST = 15  # decisions of a function
CROWD = 25  # files in a folder
DECISIONS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.comprehension, ast.match_case)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class House(NamedTuple):
    lines: Counter[str]  # by room
    decisions: Counter[str]
    files: Counter[str]  # by folder
    functions: dict[str, int]  # those with too many decisions
    classes: Counter[str]  # by name


def measured() -> House:
    house = House(Counter(), Counter(), Counter(), {}, Counter())
    for path in (path for top in TOPS for path in sorted(top.rglob("*.py"))):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        where = path.relative_to(ROOT)
        house.files[where.parent.as_posix()] += 1
        house.lines[_room(where)] += text.count("\n")
        house.decisions[_room(where)] += sum(map(_weight, ast.walk(tree)))
        house.classes.update(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
        for name, function in _functions(tree):
            if (own := 1 + sum(map(_weight, _inside(function)))) > MOST:
                house.functions[f"{where.as_posix()}:{name}"] = own
    return house


def _room(path: Path) -> str:
    parts = path.parts[:-1]
    return "/".join(parts[: 3 if parts[1:2] in (("formats",), ("dryrun",)) else 2])


def _weight(node: ast.AST) -> int:
    more = len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
    return isinstance(node, DECISIONS) + more + (len(node.ifs) if isinstance(node, ast.comprehension) else 0)


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    for node in ast.iter_child_nodes(tree):
        name = f"{prefix}{node.name}" if isinstance(node, SCOPES) else ""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield name, node
        yield from _functions(node, f"{name}." if name else prefix)


def _inside(function: ast.AST) -> Iterator[ast.AST]:
    """Yield what belongs to a function, but not to one inside it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, SCOPES):
            yield node
            yield from _inside(node)


def written(house: House) -> str:
    rooms = [f"{room} {house.decisions[room]} {house.lines[room]}" for room in sorted(house.lines)]
    functions = [f"{name} {own}" for name, own in sorted(house.functions.items())]
    return "\n".join([*rooms, "", *functions, ""])


def recorded() -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    """Return decisions and lines of each room, and the functions that may have too many decisions."""
    rooms, functions = GOLDEN.read_text(encoding="utf-8").split("\n\n")
    rows = [line.split() for line in rooms.splitlines()]
    return {room: (int(decisions), int(lines)) for room, decisions, lines in rows}, {
        name: int(own) for name, own in map(str.split, functions.splitlines())
    }


if __name__ == "__main__":
    GOLDEN.write_text(written(measured()), encoding="utf-8")
