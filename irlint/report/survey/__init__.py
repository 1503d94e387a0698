"""A survey of many models: figures that take little memory however many there are, and the page that shows them.

The page is one HTML file that needs nothing else, and whose policy allows no request to anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from irlint import __version__
from irlint.report.objects import Record, is_model
from irlint.report.objects.files import paired
from irlint.report.survey import sections
from irlint.report.survey.duplicates import AlikeGroups, Duplicates
from irlint.report.survey.markup import LEGEND, Paths, figures, opened, percent, state_bar, text
from irlint.report.survey.models_section import models
from irlint.report.survey.tally import STATES, Tally
from irlint.report.survey.trend import Trend, changes_since
from irlint.text.safe import emit
from irlint.text.words import count, size

_FOLDER = Path(__file__).parent
STYLE = (_FOLDER / "page.css").read_text(encoding="utf-8")
_PIECE = 1 << 16  # characters that are written at once: the table of models is long
_NAVIGATION = {
    "since": "Changes",
    "rules": "Rules",
    "folders": "Folders",
    "models": "Models",
    "formats": "Formats",
    "unread": "Not checked",
    "duplicates": "Duplicates",
    "sizes": "Sizes",
}


def write(
    records: Iterable[Record],
    stream: TextIO,
    title: str,
    then: Iterable[Record] | None = None,
    since: str = "",
    left_out: Callable[[], Iterable[str]] = tuple,
) -> None:
    """Write the page of objects in the order of their URLs. `then` are those of an earlier run, whose file is called `since`.

    `left_out` returns what the figures do not count, once all records have been read.
    """
    tally, found = Tally(), Duplicates()
    change = Trend() if then is not None else None
    try:
        for now, before in paired(records, then or ()):
            if change is not None:
                change.add(now, before)
            if now is not None:
                tally.add(now)
                if is_model(now):
                    found.add(now)
        tally.end()
        found.end()
        paths = Paths(tally.common or "", {entry.url for entry in tally.worst})
        parts = {
            "since": changes_since(change, since, paths) if change is not None else "",
            "rules": sections.rules(tally, paths),
            "folders": sections.folders(tally, paths),
            "models": models(tally.worst, paths),
            "formats": sections.formats(tally),
            "unread": sections.unread(tally, paths),
            "duplicates": sections.duplicates(found, paths),
            "sizes": sections.sizes(tally, paths),
        }
        head = _head(title, tally, found.copies(), paths, left_out())
    finally:
        found.close()
    for part in _page(title, head, {name: part for name, part in parts.items() if part}):
        for at in range(0, len(part), _PIECE):  # for streams of any encoding
            emit(stream, part[at : at + _PIECE].encode("ascii", "xmlcharrefreplace").decode())


def _page(title: str, head: str, parts: dict[str, str]) -> Iterator[str]:
    script = (_FOLDER / "page.js").read_text(encoding="utf-8")
    links = "".join(f'<li><a href="#{name}">{_NAVIGATION[name]}</a></li>' for name in parts)
    yield (f'{opened(title, STYLE, script)}{head}<nav aria-label="Sections"><ul>{links}</ul></nav>\n<main>\n')
    yield from parts.values()
    yield (f"</main>\n<footer>irlint {text(__version__)}</footer>\n<script>{script}</script>\n</body>\n</html>\n")


def _head(title: str, tally: Tally, copies: AlikeGroups, paths: Paths, left_out: Iterable[str]) -> str:
    states, total = tally.models.states, tally.models.models
    what = "file" if tally.unsized else "object"  # files that are checked where they are have no sizes in reports
    found = _figures(tally, what)
    if not tally.unsized and total:
        found.append((size(tally.size), "models and weights", ""))
    if copies.redundant:
        found.append((size(copies.redundant), "in redundant copies", ""))
    legend = "".join(
        f'<li class="{state}"><b>{states[state]:,}</b> {LEGEND[state]}</li>' for state in STATES if states[state]
    )
    bar = f'<div class="states">{state_bar(states, total)}<ul class="legend">{legend}</ul></div>\n' if total else ""
    others = f" ({tally.others:,} not models)" if tally.others else ""
    said = "".join(f'<p class="note">{text(words, 1000)}</p>\n' for words in left_out)
    where = f"<code>{text(paths.root)}</code> · " if paths.root else ""
    return (
        f'<header>\n<h1>{text(title)}</h1>\n<p class="root">{where}{count(tally.objects, what)}{others}</p>\n'
        f"{figures(found)}\n{bar}{said}</header>\n"
    )


def _figures(tally: Tally, what: str) -> list[tuple[str, str, str]]:
    """Return the numbers of models and findings, each with its words and color."""
    states, total, counts = tally.models.states, tally.models.models, tally.counts
    numbers = [  # each with what it is of, and the color that it has unless it is zero
        (total, f"{total:,}", "model" if total == 1 else "models", ""),
        (states["error"], f"{states['error']:,}", "models with errors", "error"),
        (states["clean"], percent(states["clean"], total), "of models without findings", "clean"),
        (counts["error"], f"{counts['error']:,}", "errors found", "error"),
        (counts["warning"], f"{counts['warning']:,}", "warnings found", "warning"),
    ]
    minor = (
        (counts["info"] - tally.pedantic, "info", "infos"),
        (tally.pedantic, "pedantic finding", "pedantic findings"),
    )
    numbers += [(found, f"{found:,}", one if found == 1 else many, "") for found, one, many in minor if found]
    if tally.unread.total or not tally.unsized:
        numbers.append((tally.unread.total, f"{tally.unread.total:,}", f"{what}s not checked", "error"))
    return [(shown, words, color if number else "") for number, shown, words, color in numbers]
