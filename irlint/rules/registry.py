"""Finds rules: irlint/rules/GROUP/ for any format, irlint/formats/NAME/rules/ for one, entry points irlint.rules."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from irlint import plugins
from irlint.records import NamedTuple
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
    folder = _PACKAGE / "formats" / format_name / "rules"
    return _rules_in(_modules(folder, f"irlint.formats.{format_name}.rules")) if folder.is_dir() else ()


class Checking(NamedTuple):
    """A rule with a check of its own, not imported yet."""

    code: str
    name: str
    module: str

    def load(self) -> type[Rule]:
        return _rules_in([self.module])[0]


@cache
def checking(format_name: str) -> tuple[Checking, ...]:
    """The built-in rules that a file of a format is held against one by one; all others are told of by passes.

    The packages list them (CHECKED), so that a clean file costs the import of none that does not look at it.
    """
    found: list[Checking] = []
    for package in ("irlint.rules", f"irlint.formats.{format_name}.rules"):
        try:
            listed: dict[str, str] = getattr(import_module(package), "CHECKED", {})
        except ModuleNotFoundError:  # a format that somebody plugged in
            continue
        found += (
            Checking(code, module.rpartition(".")[2].replace("_", "-"), f"{package}.{module}")
            for code, module in sorted(listed.items())
        )
    return tuple(found)


@cache
def plugin_rules() -> tuple[type[Rule], ...]:
    """Rules that other packages bring."""
    found = plugins.load("irlint.rules")
    for name, rule in found:
        if not (isinstance(rule, type) and issubclass(rule, Rule) and rule.code and rule.name):
            raise plugins.PluginError(
                f"the plug-in {name!r} is no rule: that is a subclass of Rule with a code and a name"
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
            raise plugins.PluginError(f"two rules are called {rule.code} or {rule.name}")
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
def modules_of(format_name: str | None) -> dict[str, str]:
    """The modules of the rules that a file of a format can break, by the rules' names; nothing is imported."""
    folders = [(_PACKAGE / "rules", "irlint.rules")]
    if format_name is not None and (own := _PACKAGE / "formats" / format_name / "rules").is_dir():
        folders.append((own, f"irlint.formats.{format_name}.rules"))
    modules = [module for folder, package in folders for module in _modules(folder, package)]
    return {module.rpartition(".")[2].replace("_", "-"): module for module in modules if module.count(".") > 2}


@cache
def by_name(name: str, format_name: str | None = None) -> type[Rule]:
    """A rule of any format, or of one, by its exact name, without a look at the others."""
    module = modules_of(format_name).get(name)
    for rule in _rules_in([module]) if module else ():
        if rule.name == name:
            return rule
    raise LookupError(f"no rule is called {name}")


@cache
def by_code(code: str, format_name: str) -> type[Rule]:
    """The rule of a code that is known to exist; of the others only those of its group are looked at."""
    modules = modules_of(format_name).values()
    group = [module for module in modules if module.split(".")[2] in (GROUPS[code[0]].split()[0], format_name)]
    found = next((rule for rule in _rules_in(group) if rule.code == code), None)
    return found or next(rule for rule in shared_rules() + format_rules(format_name) if rule.code == code)
