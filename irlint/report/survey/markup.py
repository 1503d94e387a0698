"""HTML of texts, numbers and tables. Every text of a file goes through `text`, which leaves no markup in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from irlint.flat import units
from irlint.records import NamedTuple
from irlint.report.survey.tally import STATES
from irlint.rules.links import SITE
from irlint.text.safe import brief, visible

_LONGEST = 300  # characters of a name or message


class Cell(NamedTuple):
    """A cell of a table: HTML, and the number by which it is sorted."""

    html: str
    value: int | float | None = None
    kind: str = ""  # class names


Row = tuple[Cell | str, ...]


def text(value: str, limit: int = _LONGEST) -> str:
    return escape(visible(brief(value, limit)), quote=True)


def message(words: str) -> str:
    """Return a finding's message; what is in backticks is code."""
    return _CODE.sub(r"<code>\1</code>", text(words))


_CODE = re.compile(r"`([^`]+)`")


def number(value: int) -> Cell:
    return Cell(f"{value:,}" if value else '<span class="none">0</span>', value, "num")


def size(value: int) -> Cell:
    return Cell(units.size(value), value, "num")


def percent(part: int, whole: int) -> str:
    """Return a share that is 0 or 100 % only if it is."""
    if not whole or part in (0, whole):
        return "100%" if whole and part else "0%"
    return f"{min(max(100 * part / whole, 0.1), 99.9):.1f}%"


def table(name: str, heads: Sequence[str], rows: Iterable[Row], more: int = 0, what: str = "") -> str:
    """Return a table. A heading that begins with `#` is one of numbers; `more` rows were left out."""
    head = "".join(
        f'<th scope="col" class="num">{text(word[1:])}</th>'
        if word[:1] == "#"
        else f'<th scope="col">{text(word)}</th>'
        for word in heads
    )
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in rows)
    left = f'<p class="more">and {more:,} more {text(what)}</p>' if more else ""
    return (
        f'<div class="scroll"><table aria-label="{text(name)}"><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>'
        f"{left}\n"
    )


def _cell(cell: Cell | str) -> str:
    if isinstance(cell, str):
        return f"<td>{cell}</td>"
    kind = f' class="{cell.kind}"' if cell.kind else ""
    value = "" if cell.value is None else f' data-value="{cell.value}"'
    return f"<td{kind}{value}>{cell.html}</td>"


def section(name: str, title: str, body: str, note: str = "") -> str:
    said = f'<p class="note">{note}</p>' if note else ""
    return f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>{said}\n{body}</section>\n'


def rule(code: str, name: str, url: str | None) -> str:
    """Return a rule's name, as a link to its page if that is irlint's own."""
    words = f'<code>{text(code, 40)}</code> <span class="rule">{text(name, 80)}</span>'
    return f'<a href="{text(url)}">{words}</a>' if url is not None and url.startswith(SITE) else words


def severity(word: str) -> str:
    known = word if word in STATES else "info"
    return f'<span class="sev {known}">{text(word)}</span>'


class Paths:
    """Names of objects without the beginning that all have in common."""

    def __init__(self, common: str) -> None:
        self.root = common[: common.rfind("/") + 1]

    def of(self, url: str, line: int | None = None) -> str:
        """Return an object's name; its folder is faint."""
        inner = url[len(self.root) :] if url.startswith(self.root) else url
        folder, slash, name = inner.rstrip("/").rpartition("/")
        name += inner[len(folder) + len(slash) + len(name) :]
        at = "" if not line else f'<span class="line">:{line}</span>'
        before = f'<span class="folder">{text(folder)}/</span><wbr>' if slash else ""
        return f'<span class="path" title="{text(url, 1000)}">{before}{text(name)}{at}</span>'


def state_bar(states: Mapping[str, int]) -> str:
    """Return models by their most severe finding as one bar."""
    total = sum(states.values())
    if not total:
        return ""
    at, parts = 0.0, []
    for state in STATES:
        wide = 100 * states[state] / total
        if wide:
            parts.append(f'<rect class="{state}" x="{at:.2f}" width="{wide:.2f}" height="8"/>')
        at += wide
    words = ", ".join(f"{states[state]:,} {LEGEND[state]}" for state in STATES if states[state])
    return (
        f'<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="{words}"><title>{words}</title>'
        f"{''.join(parts)}</svg>"
    )


LEGEND = {"error": "with errors", "warning": "with warnings", "info": "with infos only", "clean": "without findings"}


def share_bar(part: int, most: int, kind: str = "share") -> str:
    wide = 100 * part / most if most else 0.0
    return (
        f'<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="{kind}" width="{wide:.2f}" height="8"/></svg>'
    )
