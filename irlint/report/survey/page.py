"""The page of a survey: one HTML file that needs nothing else, and whose policy allows no request to anywhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import TextIO

from irlint import __version__
from irlint.flat import units
from irlint.report.object_files import paired
from irlint.report.objects import Record
from irlint.report.survey import sections
from irlint.report.survey.duplicates import AlikeGroups, Duplicates
from irlint.report.survey.markup import LEGEND, Paths, percent, state_bar, text
from irlint.report.survey.tally import STATES, Tally
from irlint.report.survey.trend import Trend
from irlint.report.survey.trend_section import trend

_FOLDER = Path(__file__).parent
_NAVIGATION = {
    "since": "Changes",
    "rules": "Rules",
    "folders": "Folders",
    "formats": "Formats",
    "worst": "Models",
    "unread": "Not checked",
    "duplicates": "Duplicates",
    "sizes": "Sizes",
}


def write(
    records: Iterable[Record], stream: TextIO, title: str, then: Iterable[Record] | None = None, since: str = ""
) -> None:
    """Write the page of objects in the order of their URLs. `then` are those of an earlier run, whose file is called `since`."""
    tally, found = Tally(), Duplicates()
    change = Trend() if then is not None else None
    try:
        for now, before in paired(records, then or ()):
            if change is not None:
                change.add(now, before)
            if now is not None:
                tally.add(now)
                found.add(now)
        tally.end()
        found.end()
        paths = Paths(tally.common or "")
        parts = {
            "since": trend(change, since, paths) if change is not None else "",
            "rules": sections.rules(tally, paths),
            "folders": sections.folders(tally, paths),
            "formats": sections.formats(tally),
            "worst": sections.worst(tally, paths),
            "unread": sections.unread(tally, paths),
            "duplicates": sections.duplicates(found, paths),
            "sizes": sections.sizes(tally, paths),
        }
        head = _head(title, tally, found.copies(), paths)
    finally:
        found.close()
    written = _page(title, head, {name: part for name, part in parts.items() if part})
    stream.write(written.encode("ascii", "xmlcharrefreplace").decode())  # for streams of any encoding


def _page(title: str, head: str, parts: dict[str, str]) -> str:
    style = (_FOLDER / "page.css").read_text(encoding="utf-8")
    script = (_FOLDER / "page.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    links = "".join(f'<li><a href="#{name}">{_NAVIGATION[name]}</a></li>' for name in parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{head}"
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n<main>\n{"".join(parts.values())}</main>\n'
        f"<footer>irlint {text(__version__)}</footer>\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _head(title: str, tally: Tally, copies: AlikeGroups, paths: Paths) -> str:
    states, models, counts = tally.models.states, tally.models.models, tally.counts
    figures = [
        (f"{models:,}", "model" if models == 1 else "models", ""),
        (percent(states["clean"], models), "without findings", "clean" if states["clean"] else ""),
        (f"{states['error']:,}", "with errors", "error" if states["error"] else ""),
        (f"{counts['error']:,}", "errors", "error" if counts["error"] else ""),
        (f"{counts['warning']:,}", "warnings", "warning" if counts["warning"] else ""),
        (f"{tally.unread.total:,}", "not checked", "error" if tally.unread.total else ""),
    ]
    if not tally.unsized and models:
        figures.append((units.size(tally.size), "in models", ""))
    if copies.spare:
        figures.append((units.size(copies.spare), "in copies", ""))
    shown = "".join(f'<div class="{kind}"><dt>{words}</dt><dd>{value}</dd></div>' for value, words, kind in figures)
    legend = "".join(
        f'<li class="{state}"><b>{states[state]:,}</b> {LEGEND[state]}</li>' for state in STATES if states[state]
    )
    bar = f'<div class="states">{state_bar(states)}<ul class="legend">{legend}</ul></div>\n' if models else ""
    others = f" ({tally.others:,} not models)" if tally.others else ""
    where = f"<code>{text(paths.root)}</code> · " if paths.root else ""
    return (
        f'<header>\n<h1>{text(title)}</h1>\n<p class="root">{where}{tally.objects:,} objects{others}</p>\n'
        f'<dl class="figures">{shown}</dl>\n{bar}</header>\n'
    )


def _hash(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
