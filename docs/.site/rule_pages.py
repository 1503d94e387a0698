"""A page for each rule, their index, and the tables of formats."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from playground_link import link

from irlint.formats.base import all_formats, shown_order
from irlint.rules import page
from irlint.rules.base import Rule
from irlint.rules.examples import Example, examples
from irlint.rules.page import formats_of
from irlint.rules.registry import GROUPS, all_rules
from irlint.text.words import joined

SEVERITIES = ("error", "warning", "info", "pedantic")
FIXES = {"safe": "safe fix", "proven": "proven fix", "unsafe": "unsafe fix", "none": "no fix, or by search"}

_HEAD = "| Code | Name | Severity | Fix | Formats | What it finds |\n| --- | --- | --- | --- | --- | --- |"
_INDEX = """\
---
title: Rules
description: Every rule of irlint, by format, severity and fix.
hide: [navigation, toc]
scripts: [assets/rules.js]
---

# Rules

irlint has {number} rules. `irlint rule CODE` shows the page of a rule in the terminal, with the example in the format that
`--format` names (`irlint rule R001 --format onnx`).

<form class="rule-filter" role="search" aria-label="Rules" hidden>
<label>Text<input type="search" name="text" placeholder="code, name or words" autocomplete="off"></label>
<label>Format<select name="format"><option value="">all</option>{formats}</select></label>
<label>Severity<select name="severity"><option value="">all</option>{severities}</select></label>
<label>Fix<select name="fix"><option value="">all</option>{fixes}</select></label>
<button type="reset">Clear</button>
<output aria-live="polite"></output>
</form>
"""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the paths of the pages below docs/ and their content."""
    rules = _rules()
    yield "rules/index.md", _index(rules)
    for rule in rules:
        yield f"rules/{rule.name}.md", _page(rule)


def number() -> str:
    return str(len(_rules()))


def table_of(format_name: str) -> str:
    """Return the rules for one format only, and a link to all that apply to it."""
    apply = sum(format_name in (formats_of(rule) or [format_name]) for rule in _rules())
    own = [rule for rule in _rules() if formats_of(rule) == (format_name,)]
    link_to_all = f'<a href="../../rules/?format={format_name}">{apply} rules apply to this format</a>'
    if not own:
        return f"{link_to_all}. None of them is for this format only.\n"
    return f"{link_to_all}. {len(own)} of them are for this format only:\n\n{_section(_table(own, '../rules/'))}"


def _rules() -> list[type[Rule]]:
    """Return irlint's own rules: plug-ins that happen to be installed have no page."""
    return [rule for rule in all_rules().values() if rule.__module__.startswith("irlint.")]


def _index(rules: list[type[Rule]]) -> str:
    parts = [
        _INDEX.format(
            number=len(rules),
            formats=_options({name: name for name in shown_order()}),
            severities=_options({name: name for name in SEVERITIES}),
            fixes=_options(FIXES),
        )
    ]
    for letter, title in GROUPS.items():
        if found := [rule for rule in rules if rule.code.startswith(letter)]:
            parts.append(_section(f"## {letter}: {title}\n\n{_table(found, '')}"))
    return "\n\n".join(parts) + "\n"


def _options(titles: dict[str, str]) -> str:
    return "".join(f'<option value="{value}">{title}</option>' for value, title in titles.items())


def _section(body: str) -> str:
    """Return what a phone shows as cards."""
    return f'<section class="rules" markdown>\n\n{body}\n\n</section>'


def _table(rules: Iterable[type[Rule]], folder: str) -> str:
    return "\n".join((_HEAD, *(_row(rule, folder) for rule in rules)))


def _row(rule: type[Rule], folder: str) -> str:
    cells = (
        rule.code,
        f"[{rule.name}]({folder}{rule.name}.md)",
        _severity(rule),
        joined(page.grades(rule) or ["none"], "or"),
        ", ".join(formats_of(rule)) or "all",
        page.summary(rule).replace("|", r"\|"),
    )
    return f"| {' | '.join(cells)} |"


def _severity(rule: type[Rule]) -> str:
    return f'<span class="severity {rule.severity}">{rule.severity}</span>'


def _page(rule: type[Rule]) -> str:
    formats = ", ".join(f"[{name}](../formats/{name}.md)" for name in formats_of(rule)) or "all formats"
    parts = [
        f"---\ndescription: {json.dumps(page.summary(rule).replace('`', ''))}\n---",
        f"# {rule.name} ({rule.code})",
        f"{_severity(rule)} · {formats} · {page.fixes(rule)}",
    ]
    for heading, body in page.sections(rule).items():
        if heading == "Example" and (shown := examples(rule.code)):
            parts += ["## Examples", *(part for example in shown.values() for part in _example(rule, example))]
            parts += [f'<span id="{name}"></span>' for name in formats_of(rule) or all_formats() if name not in shown]
        elif heading != "Use instead" or not examples(rule.code):
            parts += [f"## {heading}", body]
    return "\n\n".join(parts) + "\n"


def _example(rule: type[Rule], example: Example) -> Iterator[str]:
    """Yield the parts of a format's example; its anchor is the name of the format."""
    yield f"### {all_formats()[example.format].title} {{ #{example.format} }}"
    yield example.example
    if found := link(example.broken, example.format, rule.code):
        yield f'<a class="try" href="{found}">Open this model in the playground</a>'
    yield "Use instead:"
    yield example.instead
