"""The models with findings: a table of them all, which rules and folders link to, and a list of a few."""

from __future__ import annotations

from collections.abc import Iterable

from irlint.report.survey.markup import (
    CLOSING,
    SEVERITY_HEADS,
    Paths,
    Row,
    TableCell,
    by_severity,
    cells,
    fragment,
    message,
    opening,
    section,
    severity,
    text,
)
from irlint.report.survey.rows import Top
from irlint.report.survey.tally import ModelEntry
from irlint.text.words import count


def models(found: Top[ModelEntry], paths: Paths) -> str:
    if not len(found):
        return ""
    rows = "".join(_row(entry, paths) for entry in found)
    note = "Those with the most errors first. Open a model for its URL and its findings."
    if found.more:
        note += f" {count(found.more, 'more model')} with fewer findings are in the JSON lines only."
    heads = ("Model", "Rules|codes", *SEVERITY_HEADS)
    return section("models", "Models with findings", f"{opening('Models with findings', heads)}{rows}{CLOSING}", note)


def _row(entry: ModelEntry, paths: Paths) -> str:
    codes = " ".join(f'<a href="#{fragment("rule", code)}">{text(code, 40)}</a>' for code in entry.codes)
    name = (
        f'<details><summary class="path">{paths.name(entry.url)}</summary>'
        f'<p class="url"><code>{text(entry.url, 2000)}</code></p><ul>{_findings(entry)}</ul></details>'
    )
    row: Row = (name, TableCell(codes, None, "codes"), *by_severity(dict(entry.counts)))
    return f'<tr id="{paths.fragment("model", entry.url)}">{cells(row)}</tr>\n'


def listed(found: Iterable[tuple[ModelEntry, int]], paths: Paths) -> str:
    """Return models with the number of their new findings, and the first of these."""
    entries = (
        f'<li><div class="head">{paths.of(entry.url)}<span class="bad">+{fresh:,}</span></div><ul>{_findings(entry)}</ul></li>\n'
        for entry, fresh in found
    )
    return f'<ol class="models">{"".join(entries)}</ol>'


def _findings(entry: ModelEntry) -> str:
    lines = []
    for grade, code, line, words, alike in entry.groups:
        rest = f' <span class="more">and {alike:,} more like this</span>' if alike else ""
        lines.append(
            f'<li>{severity(grade)} <code>{text(code, 40)}</code> <span class="line">line {line:,}</span> {message(words)}{rest}</li>'
        )
    if entry.left:
        lines.append(f'<li class="more">and {count(entry.left, "other finding")}</li>')
    return "".join(lines)
