"""Glacier listings with very much of one thing."""

from __future__ import annotations

from collections.abc import Callable

from tests.hostile.family import Family, each

FAMILIES: dict[str, Family] = {}


def _add_rows(name: str, row: str, size: int = 2000, rest: str = "") -> None:
    def text(count: int) -> str:
        rows = [row.replace("#", str(k)).replace("@", str(k - 1)) for k in range(1, count)]
        return "\n".join(["0 Var []", *rows]) + "\n" + rest.replace("~", "0, " * count)

    FAMILIES[f"glacier {name}"] = Family("glacier", text, size)


def _add_line(name: str, line: Callable[[int], str], size: int = 20000) -> None:
    FAMILIES[f"glacier {name}"] = Family(
        "glacier", lambda n: f"0 Var []\n1 nn.relu [0]\n{line(n)}\n3 nn.relu [1]\n", size
    )


_add_rows("a chain", "# nn.relu [@]", 5000)
_add_rows("rows of one number", "1 nn.relu [0]")
_add_rows("unknown operators", "# nn.reluu# [@]", 300)
_add_rows("inputs that do not exist", "# nn.relu [99999999]")
_add_rows("inputs without a quote", "# nn.relu ['a]")
_add_rows("rows without brackets", "# nn.relu @")
_add_rows("comments", "# nn.relu [@] # x")
_add_rows("suppressions", "# nn.relu [@] # irlint: ignore[G001]")
_add_rows("rows upside down", "9#9 nn.relu [@]")
_add_rows("types", "# nn.relu [@] float32 (1, 2)")
_add_line("inputs of one node", lambda n: f"2 concatenate [{'0, ' * n}1]")
_add_line("names of one node", lambda n: "2 concatenate [" + each(n, "'n#', ") + "1]")
_add_line("a line of digits", lambda n: "2" * n, 200000)
_add_line("a line of blanks", lambda n: "2" + " " * n + "x", 200000)
_add_line("a line of letters", lambda n: "2 nn.relu " + "x" * n, 200000)
_add_line("a line of quotes", lambda n: "2 nn.relu [" + "'" * n)
_add_line("a line of brackets", lambda n: "2 nn.relu " + "[" * n)
_add_line("a line of commas", lambda n: "2 nn.relu [" + "," * n + "]")
_add_line("a line of backslashes", lambda n: "2 nn.relu ['" + "\\" * n + "]")
_add_line("nodes on one line", lambda n: each(n, "# nn.relu [0] "), 3000)
