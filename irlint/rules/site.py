"""The rule pages of the documentation site, one Markdown file per rule and an index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from irlint.rules import page
from irlint.rules.base import Rule
from irlint.rules.registry import GROUPS


def pages(rules: Iterable[type[Rule]]) -> Iterator[tuple[str, str]]:
    """Return paths below docs/ and their content."""
    rules = sorted(rules, key=lambda rule: rule.code)
    yield "rules/index.md", _index(rules)
    for rule in rules:
        yield f"rules/{rule.name}.md", page.render_markdown(rule)


def _index(rules: list[type[Rule]]) -> str:
    parts = ["# Rules"]
    for letter, title in GROUPS.items():
        rows = [_row(rule) for rule in rules if rule.code.startswith(letter)]
        if rows:
            head = "| Code | Name | Severity | Fix | Formats | What it finds |\n| --- | --- | --- | --- | --- | --- |"
            parts += [f"## {letter}: {title}", "\n".join((head, *rows))]
    return "\n\n".join(parts) + "\n"


def _row(rule: type[Rule]) -> str:
    cells = (
        rule.code,
        f"[{rule.name}]({rule.name}.md)",
        str(rule.severity),
        page.FIXES[rule.fixable].removesuffix(" fix") if rule.fixable else "",
        ", ".join(rule.formats) or "all",
        page.summary(rule).replace("|", r"\|"),
    )
    return f"| {' | '.join(cells)} |"
