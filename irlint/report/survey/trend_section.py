"""The section on what changed since an earlier report."""

from __future__ import annotations

from irlint.report.survey.markup import Cell, Paths, number, rule, section, severity, table, text
from irlint.report.survey.rows import Top
from irlint.report.survey.sections import MOST_SHOWN, model, more
from irlint.report.survey.trend import Trend


def trend(found: Trend, name: str, paths: Paths) -> str:
    figures = (
        (f"+{found.new:,}", "new findings", "bad" if found.new else ""),
        (f"\N{MINUS SIGN}{found.fixed:,}", "fixed findings", "good" if found.fixed else ""),
        (f"{found.added.total:,}", "new objects", ""),
        (f"{found.changed:,}", "changed objects", ""),
        (f"{found.removed.total:,}", "removed objects", ""),
        (f"{found.same:,}", "unchanged objects", ""),
    )
    body = '<dl class="figures small">'
    body += "".join(f'<div class="{kind}"><dt>{words}</dt><dd>{value}</dd></div>' for value, words, kind in figures)
    body += "</dl>"
    if found.new_in_new:
        body += f'<p class="note">{found.new_in_new:,} of the new findings are in new objects.</p>'
    return section(
        "since", "Changes", body + _rules(found) + _objects(found, paths), f"Since <code>{text(name)}</code>."
    )


def _rules(found: Trend) -> str:
    changed = [(key, row) for key, row in found.rules.items() if row.new or row.fixed]
    changed.sort(key=lambda item: (-abs(item[1].new - item[1].fixed), -item[1].new, item[0]))
    rows = [
        (rule(*key, row.url), severity(row.severity), number(row.new), number(row.fixed), _delta(row.new - row.fixed))
        for key, row in changed[:MOST_SHOWN]
    ]
    heads = ("Rule", "Severity", "#New", "#Fixed", "#Change")
    return table("Changes by rule", heads, rows, max(len(changed) - MOST_SHOWN, 0), "rules") if rows else ""


def _delta(value: int) -> Cell:
    sign = "+" if value > 0 else "\N{MINUS SIGN}" if value < 0 else "\N{PLUS-MINUS SIGN}"
    return Cell(
        f'<span class="{"bad" if value > 0 else "good" if value < 0 else "none"}">{sign}{abs(value):,}</span>',
        value,
        "num",
    )


def _objects(found: Trend, paths: Paths) -> str:
    body = ""
    if len(found.worse):
        entries = [model(entry, f'<span class="bad">+{fresh:,}</span>', fresh, paths) for entry, fresh in found.worse]
        body += f'<h3>New findings in objects that were there before</h3><ol class="models">{"".join(entries)}</ol>'
        body += more(found.worse, "objects")
    if len(found.better):
        rows = [(paths.of(url), number(fixed)) for url, fixed in found.better]
        inner = table("Fixed findings", ("Object", "#Fixed"), rows, found.better.more, "objects")
        body += f"<details><summary>Objects with fixed findings: {found.better.total:,}</summary>{inner}</details>"
    if len(found.lost):
        lost = [(paths.of(url), text(why)) for url, why in found.lost]
        inner = table("No longer checked", ("Object", "Reason"), lost, found.lost.more, "objects")
        body += f"<details><summary>No longer checked: {found.lost.total:,}</summary>{inner}</details>"
    return body + _names("New objects", found.added, paths) + _names("Removed objects", found.removed, paths)


def _names(title: str, found: Top[str], paths: Paths) -> str:
    if not len(found):
        return ""
    names = "".join(f"<li>{paths.of(url)}</li>" for url in found)
    return f"<details><summary>{title}: {found.total:,}</summary><ul>{names}</ul>{more(found, 'objects')}</details>"
