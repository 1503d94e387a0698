"""Finds rules: irlint/rules/GROUP/ for any format, irlint/formats/NAME/rules/ for one, entry points irlint.rules."""

from __future__ import annotations

from functools import cache, cached_property
from importlib import import_module
from pathlib import Path

from irlint import plugins
from irlint.codes import R, RuleRow, rows
from irlint.rules.base import Rule

_PACKAGE = Path(__file__).resolve().parent.parent

REDIRECTS: dict[str, str] = {}  # old code or name -> code that it became

GROUPS = {
    "S": "syntax",
    "T": "structure and schema",
    "R": "references and order",
    "O": "operators and versions",
    "A": "attributes and values",
    "D": "dimensions and dtypes",
    "W": "weights and side files",
    "G": "graph hygiene",
    "C": "compatibility with a target",
    "X": "safety",
}


def _modules(folder: Path, package: str) -> list[str]:
    """The names of the modules in a folder and in its subfolders, sorted."""
    found = []
    for path in sorted(folder.iterdir()):
        if path.is_dir() and (path / "__init__.py").exists():
            found += _modules(path, f"{package}.{path.name}")
        elif path.suffix == ".py" and not path.name.startswith("_"):
            found.append(f"{package}.{path.stem}")
    return found


def _rules_in(modules: list[str]) -> tuple[type[Rule], ...]:
    rules = []
    for name in modules:
        for value in vars(import_module(name)).values():
            if isinstance(value, type) and issubclass(value, Rule) and value.code and value.__module__ == name:
                rules.append(value)
    return tuple(sorted(rules, key=lambda rule: rule.code))


@cache
def shared_rules() -> tuple[type[Rule], ...]:
    """Rules that can be said of any format."""
    folder = _PACKAGE / "rules"
    return _rules_in([m for m in _modules(folder, "irlint.rules") if m.count(".") > 2])


@cache
def format_rules(format_name: str) -> tuple[type[Rule], ...]:
    """Rules that have a meaning in one format only."""
    folder = _PACKAGE / "formats" / format_name
    return _rules_in(
        [
            m
            for part in ("rules", "checks")
            if (folder / part).is_dir()
            for m in _modules(folder / part, f"irlint.formats.{format_name}.{part}")
        ]
    )


class Check:
    """A rule with a check of its own, imported once its row is wanted that no table has, or its check."""

    def __init__(self, module: str, row: RuleRow | None = None) -> None:
        self.module, self._row = module, row

    @property
    def row(self) -> RuleRow:
        return self._row or self.rule.row

    @cached_property
    def rule(self) -> type[Rule]:
        return _rules_in([self.module])[0]


@cache
def checks(format_name: str) -> tuple[Check, ...]:
    """The built-in rules that a file of a format is held against one by one; all others are told of by passes.

    They are found by being in a folder `checks`; a clean file costs the import of none that does not look at it.
    """
    known = {row.name: row for row in rows(table(format_name))}
    folders = [(_PACKAGE / "rules" / "checks", "irlint.rules.checks")]
    if (own := _PACKAGE / "formats" / format_name / "checks").is_dir():
        folders.append((own, f"irlint.formats.{format_name}.checks"))
    modules = [module for folder, package in folders for module in _modules(folder, package)]
    return tuple(Check(module, known.get(module.rpartition(".")[2].replace("_", "-"))) for module in modules)


@cache
def plugin_rules() -> tuple[type[Rule], ...]:
    """Rules that other packages bring."""
    found = plugins.load("irlint.rules")
    for name, rule in found:
        if not (isinstance(rule, type) and issubclass(rule, Rule) and rule.code and rule.name):
            raise plugins.PluginError(
                f"plug-in {name!r} is not a rule: expected a subclass of Rule with a code and a name"
            )
    return tuple(rule for _, rule in found)


def verify_plugins() -> None:
    """Raises PluginError unless all can be used; costs nothing where there are none."""
    if plugin_rules():
        all_rules()


@cache
def all_rules() -> dict[str, type[Rule]]:
    """Every rule by code; refuses two rules of one code or name."""
    formats = sorted(p.name for p in (_PACKAGE / "formats").iterdir() if (p / "rules").is_dir())
    rules: dict[str, type[Rule]] = {}
    names: dict[str, str] = {}
    for rule in (*shared_rules(), *(r for f in formats for r in format_rules(f)), *plugin_rules()):
        if rule.code in rules or rule.name in names:
            raise plugins.PluginError(f"duplicate rule code {rule.code} or name {rule.name}")
        rules[rule.code], names[rule.name] = rule, rule.code
    return dict(sorted(rules.items()))


def find(word: str) -> type[Rule] | None:
    """A rule by code or name, past or present, letter case free."""
    rules = all_rules()
    word = REDIRECTS.get(word, word)
    if (rule := rules.get(word.upper())) is not None:
        return rule
    return next((r for r in rules.values() if r.name == word.lower()), None)


@cache
def documented(format_name: str | None) -> frozenset[str]:
    """Names of the built-in rules that a file of a format can break: each has a page."""
    return frozenset(row.name for row in rows(table(format_name or "")))


def table(format_name: str) -> type[R]:
    """The table of a format, which extends that of all; the latter for a format that has none."""
    if not (_PACKAGE / "formats" / format_name / "codes.py").exists():
        return R
    found: type[R] = import_module(f"irlint.formats.{format_name}.codes").R
    return found
