"""The registry of rules: irlint/rules/pages/, irlint/rules/checks/, irlint/formats/NAME/rules/ and entry points irlint.rules."""

from __future__ import annotations

from functools import cache, cached_property
from importlib import import_module
from pathlib import Path

from irlint.codes import R, RuleRow, rows
from irlint.rules.base import Rule
from irlint.tools import installed

_PACKAGE = Path(__file__).resolve().parent.parent

SITE = "https://irlint.readthedocs.io/"
REDIRECTS: dict[str, str] = {}  # old code or name -> current code

GROUPS = {
    "S": "syntax",
    "T": "structure and schema",
    "R": "references and order",
    "O": "operators and versions",
    "A": "attributes and values",
    "D": "dimensions and dtypes",
    "W": "weights and side files",
    "F": "files beside a model",
    "G": "graph hygiene",
    "C": "compatibility with a target",
    "B": "breaking changes between two models",
    "X": "safety",
    "I": "irlint itself",
}


def _modules(folder: Path, package: str) -> list[str]:
    """Return the names of the modules in a folder and in its subfolders, sorted."""
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
    """Return the rules for all formats."""
    folder = _PACKAGE / "rules"
    return _rules_in([m for m in _modules(folder, "irlint.rules") if m.count(".") > 2])


@cache
def format_rules(format_name: str) -> tuple[type[Rule], ...]:
    """Return the rules for one format only."""
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
    """A rule with a check of its own, imported when its check, or a row that is in no table, is needed."""

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
    """Return the built-in rules with a check of their own for a format; passes report all others.

    They are found in folders `checks`; a valid file only imports those that run for it.
    """
    known = {row.name: row for row in rows(table(format_name))}
    folders = [(_PACKAGE / "rules" / "checks", "irlint.rules.checks")]
    if (own := _PACKAGE / "formats" / format_name / "checks").is_dir():
        folders.append((own, f"irlint.formats.{format_name}.checks"))
    modules = [module for folder, package in folders for module in _modules(folder, package)]
    return tuple(Check(module, known.get(module.rpartition(".")[2].replace("_", "-"))) for module in modules)


@cache
def plugin_rules() -> tuple[type[Rule], ...]:
    """Return the rules of other packages."""
    found = installed.entry_points("irlint.rules")
    for name, rule in found:
        if not (isinstance(rule, type) and issubclass(rule, Rule) and rule.code and rule.name):
            raise installed.PluginError(
                f"plug-in {name!r} is not a rule: expected a subclass of Rule with a code and a name"
            )
    return tuple(rule for _, rule in found)


def verify_plugins() -> None:
    """Raise PluginError unless all plug-in rules are valid; free if there are none."""
    if plugin_rules():
        all_rules()


@cache
def all_rules() -> dict[str, type[Rule]]:
    """Return every rule by code; raise PluginError for a duplicate code or name."""
    formats = sorted(p.name for p in (_PACKAGE / "formats").iterdir() if (p / "__init__.py").exists())
    rules: dict[str, type[Rule]] = {}
    names: dict[str, str] = {}
    for rule in (*shared_rules(), *(r for f in formats for r in format_rules(f)), *plugin_rules()):
        if rule.code in rules or rule.name in names:
            raise installed.PluginError(f"duplicate rule code {rule.code} or name {rule.name}")
        rules[rule.code], names[rule.name] = rule, rule.code
    return dict(sorted(rules.items()))


def find(word: str) -> type[Rule] | None:
    """Return a rule by code or name, current or former, case-insensitively."""
    rules = all_rules()
    word = REDIRECTS.get(word, word)
    if (rule := rules.get(word.upper())) is not None:
        return rule
    return next((r for r in rules.values() if r.name == word.lower()), None)


@cache
def documented(format_name: str | None) -> frozenset[str]:
    """Return the names of the built-in rules for a format: each has a page."""
    return frozenset(row.name for row in rows(table(format_name or "")))


def url(name: str, format_name: str | None = None) -> str:
    """Return the URL of a rule's page, or of its example in a format."""
    return f"{SITE}rules/{name}/{f'#{format_name}' if format_name else ''}"


def table(format_name: str) -> type[R]:
    """Return the table of a format, which extends the shared one; the shared one for a format without a table."""
    if not (_PACKAGE / "formats" / format_name / "rules" / "__init__.py").exists():
        return R
    found: type[R] = import_module(f"irlint.formats.{format_name}.rules").R
    return found


@cache
def listed() -> dict[str, frozenset[str]]:
    """Return the rules for any format that irlint's own formats list, by format."""
    names = sorted(path.parent.parent.name for path in (_PACKAGE / "formats").glob("*/rules/__init__.py"))
    return {name: frozenset(import_module(f"irlint.formats.{name}.rules").SHARED.split()) for name in names}
