"""The sections of the page, each from the figures that it shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from irlint.flat import units
from irlint.report.survey.charts import histogram
from irlint.report.survey.duplicates import AlikeGroups, Duplicates
from irlint.report.survey.markup import (
    Cell,
    Paths,
    Row,
    message,
    number,
    rule,
    section,
    severity,
    share_bar,
    size,
    state_bar,
    table,
    text,
)
from irlint.report.survey.rows import Rows, Top
from irlint.report.survey.tally import Folders, Group, ModelEntry, RuleCount, Tally
from irlint.text.words import count

MOST_SHOWN = 200  # rows of a table
_ORDER = {"error": 0, "warning": 1, "info": 2, "pedantic": 2, "clean": 3}


def rules(tally: Tally, paths: Paths) -> str:
    found = sorted(tally.rules.items(), key=lambda item: (_ORDER[item[1].severity], -item[1].objects, item[0]))
    if not found:
        return ""
    most = max(row.objects for _, row in found)
    rows = [
        (
            rule(*key, row.url),
            Cell(severity(row.severity), _ORDER[row.severity]),
            number(row.objects),
            Cell(share_bar(row.objects, most, row.severity), row.objects, "wide"),
            number(row.findings),
            Cell(_examples(row, paths), None, "examples"),
        )
        for key, row in found[:MOST_SHOWN]
    ]
    heads = ("Rule", "Severity", "#Models", "", "#Findings", "Examples")
    return section("rules", "Rules", table("Rules", heads, rows, *_left(found, tally.rules.rest, "rules")))


def _examples(row: RuleCount, paths: Paths) -> str:
    more = row.objects - len(row.examples)
    left = f'<span class="more">and {more:,} more</span>' if more else ""
    return "<br>".join([paths.of(*example) for example in row.examples] + ([left] if left else []))


def _left(found: list[tuple[tuple[str, str], RuleCount]], rest: object, what: str) -> tuple[int, str]:
    return max(len(found) - MOST_SHOWN, 0), f"{what} or even more" if rest else what


def folders(tally: Tally, paths: Paths) -> str:
    body = ""
    first, second = tally.folders
    if len(first.top):
        body += _folders(first, paths)
    if second.top.total > first.top.total:
        title = f"{second.top.total:,} folders at the second level"
        body += f"<details><summary>{title}</summary>{_folders(second, paths)}</details>"
    return section("folders", "Folders", body, "Those with the most failing models first.") if body else ""


def _folders(found: Folders, paths: Paths) -> str:
    rows: list[Row] = [
        (paths.of(name) if name != paths.root else _root(name), *_figures(group)) for name, group in found.top
    ]
    return table("Folders", ("Folder", *_HEADS), rows, found.top.more, "folders")


def _root(name: str) -> str:
    return f'<span class="path">{text(name)}</span>' if name else '<span class="none">(top level)</span>'


_HEADS = ("#Models", "", "#With errors", "#With warnings", "#Findings", "#Size")


def _figures(group: Group) -> tuple[Cell, ...]:
    errors = group.states["error"]
    return (
        number(group.models),
        Cell(state_bar(group.states), errors / group.models if group.models else 0, "wide"),
        number(errors),
        number(group.states["warning"]),
        number(group.findings),
        size(group.size),
    )


def formats(tally: Tally) -> str:
    body = _groups("Format", ((f"{a}:{b}" if b else a, group) for (a, b), group in tally.formats.items()))
    opsets = [(f"{a} {b}", group) for (a, b), group in tally.opsets.items() if b]
    if opsets:
        body += "<h3>Operator sets</h3>" + _groups("Operator set", opsets)
    producers = [(name, group) for name, group in tally.producers.items() if name]
    if producers:
        body += "<h3>Producers</h3>" + _groups("Producer", producers, tally.producers)
    return section("formats", "Formats, operator sets and producers", body) if tally.models.models else ""


def _groups(head: str, found: Iterable[tuple[str, Group]], all_: Rows[str, Group] | None = None) -> str:
    ordered = sorted(found, key=lambda item: (-item[1].models, item[0]))
    rows: list[Row] = [
        (text(name) or '<span class="none">unknown</span>', *_figures(group)) for name, group in ordered[:MOST_SHOWN]
    ]
    if all_ is not None and all_.rest is not None:
        rows.append(('<span class="none">all others</span>', *_figures(all_.rest)))
    return table(head, (head, *_HEADS), rows, max(len(ordered) - MOST_SHOWN, 0), f"{head.lower()}s")


def worst(tally: Tally, paths: Paths) -> str:
    entries = [model(entry, _counted(entry), sum(entry.counts.values()), paths) for entry in tally.worst]
    body = f'<ol class="models">{"".join(entries)}</ol>{more(tally.worst, "models with findings")}'
    return section("worst", "Models with the most errors", body) if entries else ""


def _counted(entry: ModelEntry) -> str:
    return " ".join(f'<span class="sev {word}">{found:,}</span>' for word, found in entry.counts.items() if found)


def model(entry: ModelEntry, said: str, total: int, paths: Paths) -> str:
    """Return a model with the first of so many findings."""
    findings = "".join(
        f'<li>{severity(grade)} <code>{text(code, 40)}</code> <span class="line">line {line:,}</span> {message(words)}</li>'
        for grade, code, _, line, words in entry.first
    )
    left = f'<li class="more">and {total - len(entry.first):,} more</li>' if total > len(entry.first) else ""
    return f'<li><div class="head">{paths.of(entry.url)}<span class="said">{said}</span></div><ul>{findings}{left}</ul></li>\n'


def more(found: Top[Any], what: str) -> str:
    return f'<p class="more">and {found.more:,} more {what}</p>' if found.more else ""


def unread(tally: Tally, paths: Paths) -> str:
    if not tally.unread.total:
        return ""
    rows = [(paths.of(url), f"{'internal error: ' if failed else ''}{text(why)}") for url, why, failed in tally.unread]
    body = table("Objects that were not checked", ("Object", "Reason"), rows, tally.unread.more, "objects")
    return section(
        "unread", "Not checked", body, f"{count(tally.unread.total, 'object')} could not be read or checked."
    )


def duplicates(found: Duplicates, paths: Paths) -> str:
    kinds = (
        ("Copies", found.copies(), "Same graph and same weights, or the same file."),
        ("One graph, several weights", found.graphs(), "The same operators, attributes, wiring and input types."),
        ("Same weights, several graphs", found.weights(), "Often versions of one model, converted or edited."),
    )
    body = "".join(_alike(title, groups, note, paths) for title, groups, note in kinds if groups.groups)
    return section("duplicates", "Duplicates and variants", body) if body else ""


def _alike(title: str, found: AlikeGroups, note: str, paths: Paths) -> str:
    is_copy = title == "Copies"
    what = {"Copies": "", "One graph, several weights": "#Weights", "Same weights, several graphs": "#Graphs"}[title]
    rows = []
    for group in found.shown:
        names = [paths.of(url) for url in group.urls]
        if group.more:
            names.append(f'<span class="more">and {group.more:,} more</span>')
        figure = size(group.spare) if is_copy else number(group.variants)
        rows.append((Cell("<br>".join(names), None, "examples"), number(group.models), figure))
    spare = f" Without the copies: {units.size(found.spare)} less." if is_copy and found.spare else ""
    said = f'<p class="note">{note} {count(found.groups, "group")}, {count(found.models, "model")}.{spare}</p>'
    heads = ("Models", "#Number", "#Spare" if is_copy else what)
    return f"<h3>{title}</h3>{said}{table(title, heads, rows, found.groups - len(found.shown), 'groups')}"


def sizes(tally: Tally, paths: Paths) -> str:
    if tally.unsized or not tally.models.models:
        return ""
    rows = [(paths.of(entry.url), text(entry.format or ""), size(entry.size or 0)) for entry in tally.largest]
    body = f"{histogram(tally.histogram)}<h3>Largest models</h3>"
    body += table("Largest models", ("Model", "Format", "#Size"), rows, tally.largest.more, "models")
    note = "Of the objects themselves, without files of weights next to them."
    return section("sizes", "Sizes", body, note)
