"""Configurations with very much of one thing."""

from __future__ import annotations

from collections.abc import Callable

from tests.hostile.family import Family, each

FAMILIES: dict[str, Family] = {}


def _add_settings(form: str, name: str, text: Callable[[int], str], size: int = 2000) -> None:
    FAMILIES[f"{form} {name}"] = Family(form, text, size)


_add_settings("toml", "dotted keys", lambda n: f"[tool.irlint]\n{'.'.join(['a'] * n)} = 1\n", 20000)
_add_settings("toml", "keys below one another", lambda n: "[tool.irlint]\n" + each(n, "a#.b = 1\n"))
_add_settings("toml", "a dotted table", lambda n: f"[tool.irlint]\nselect = []\n[{'.'.join(['a'] * n)}]\n", 20000)
_add_settings("toml", "selectors", lambda n: "[tool.irlint]\nselect = [" + '"G001", ' * n + "]\n", 5000)
_add_settings("toml", "unknown selectors", lambda n: "[tool.irlint]\nselect = [" + each(n, '"q#", ') + "]\n")
_add_settings("toml", "nested lists", lambda n: f"[tool.irlint]\nselect = {'[' * n}{']' * n}\n", 300)
_add_settings(
    "toml", "tables of other tools", lambda n: each(n, "[a#]\nb = 1\n") + "[tool.irlint]\nselect = []\n", 5000
)
_add_settings("yaml", "keys", lambda n: each(n, "a#: 1\n"))
_add_settings("yaml", "selectors", lambda n: "select: [" + "G001, " * n + "]\n")
_add_settings("yaml", "unknown selectors", lambda n: "select: [" + each(n, "q#, ") + "]\n")
_add_settings("yaml", "nested lists", lambda n: "select: " + "[" * n + "]" * n + "\n", 300)
_add_settings("yaml", "a long text", lambda n: "select: " + "a" * n + "\n", 100000)
_add_settings("yaml", "an alias", lambda n: "a: &a [1]\nselect: [" + "*a, " * n + "]\n", 1000)
_add_settings("yaml", "patterns", lambda n: "exclude: [" + each(n, "'a#/**', ") + "]\n")
