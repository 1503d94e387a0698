"""HTML of texts, numbers, tables and names of objects. Every text of a file goes through `text`, which leaves no markup in it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Container, Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from urllib.parse import quote

from irlint.records import NamedTuple
from irlint.report.survey.tally import SEVERITIES, STATES
from irlint.rules.registry import SITE
from irlint.text import words
from irlint.text.safe import brief, visible

_LONGEST = 300  # characters of a name or message


class TableCell(NamedTuple):
    """A cell of a table: HTML, and the number by which it is sorted."""

    html: str
    value: int | float | None = None
    kind: str = ""  # class names


Row = tuple[TableCell | str, ...]


def text(value: str, limit: int = _LONGEST) -> str:
    return escape(visible(brief(value, limit)), quote=True)


def opened(title: str, style: str, script: str = "") -> str:
    """Return the beginning of a page up to its body, with the policy that allows this style and this script, and no request to anywhere."""
    allowed = f"script-src {_hash(script)}; " if script else ""
    policy = f"default-src 'none'; {allowed}style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )


def _hash(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"


def message(words: str) -> str:
    """Return a finding's message; what is in backticks is code."""
    return _CODE.sub(r"<code>\1</code>", text(words))


_CODE = re.compile(r"`([^`]+)`")


def breakable(escaped: str) -> str:
    """Return a path that is broken between words, where a line has to be broken."""
    return _SEAM.sub(r"\g<0><wbr>", escaped)


_SEAM = re.compile(r"[/_=](?=\w)")


def number(value: int) -> TableCell:
    return TableCell(f"{value:,}" if value else '<span class="none">0</span>', value, "num")


def size(value: int) -> TableCell:
    return TableCell(words.size(value), value, "num")


def percent(part: int, whole: int) -> str:
    """Return a share that is 0 or 100 % only if it is."""
    if not whole or part in (0, whole):
        return "100%" if whole and part else "0%"
    return f"{min(max(100 * part / whole, 0.1), 99.9):.1f}%"


def table(name: str, heads: Sequence[str], rows: Iterable[Row], more: int = 0, what: str = "") -> str:
    """Return a table. `more` rows were left out."""
    body = "".join(f"<tr>{cells(row)}</tr>\n" for row in rows)
    return f"{opening(name, heads)}{body}{CLOSING}{left_out(more, what)}\n"


def opening(name: str, heads: Sequence[str]) -> str:
    """Return the beginning of a table. Behind a bar, a heading has class names, which set the width of its column."""
    parts = (head.partition("|") for head in heads)
    head = "".join(f'<th scope="col" class="{kind}">{text(words)}</th>' for words, _, kind in parts)
    return f'<div class="scroll"><table aria-label="{text(name)}"><thead><tr>{head}</tr></thead>\n<tbody>\n'


CLOSING = "</tbody></table></div>"


def cells(row: Row) -> str:
    return "".join(map(_cell, row))


def _cell(cell: TableCell | str) -> str:
    if isinstance(cell, str):
        return f"<td>{cell}</td>"
    kind = f' class="{cell.kind}"' if cell.kind else ""
    value = "" if cell.value is None else f' data-value="{cell.value}"'
    return f"<td{kind}{value}>{cell.html}</td>"


def left_out(count: int, what: str) -> str:
    return f'<p class="more">and {count:,} more {text(what)}</p>' if count else ""


def section(name: str, title: str, body: str, note: str = "") -> str:
    said = f'<p class="note">{note}</p>' if note else ""
    return f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>{said}\n{body}</section>\n'


def figures(found: Iterable[tuple[str, str, str]], kind: str = "") -> str:
    """Return large numbers: each with what it counts, and the name of its color."""
    body = "".join(
        f'<div class="{color}"><dt>{words}</dt><dd>{_UNIT.sub(_small, value)}</dd></div>'
        for value, words, color in found
    )
    return f'<dl class="figures {kind}">{body}</dl>'


_UNIT = re.compile(r" ?(?:%|[KMGT]?i?B)$")


def _small(unit: re.Match[str]) -> str:
    return f"<small>{unit[0]}</small>"


def rule(code: str, name: str, url: str | None) -> str:
    """Return a rule's name, as a link to its page if that is irlint's own."""
    words = f'<code>{text(code, 40)}</code> <span class="rule">{breakable(text(name, 80))}</span>'
    return f'<a href="{text(url)}">{words}</a>' if url is not None and url.startswith(SITE) else words


def severity(word: str, words: str | None = None) -> str:
    """Return words, else the severity itself, in the color of a severity."""
    known = word if word in STATES else "info"
    return f'<span class="sev {known}">{text(word) if words is None else words}</span>'


def by_severity(counts: Mapping[str, int]) -> tuple[TableCell, ...]:
    """Return a cell for each of SEVERITY_HEADS."""
    return tuple(
        TableCell(severity(state, f"{counts[state]:,}"), counts[state], "num") if counts[state] else number(0)
        for state in SEVERITIES
    )


SEVERITY_HEADS = ("Errors|num", "Warnings|num long", "Infos, pedantic|num long")


def state_bar(states: Mapping[str, int], total: int) -> str:
    """Return models by their most severe finding as one bar, which is full for `total` models."""
    at, parts = 0.0, []
    for state, found in states.items():
        wide = 100 * found / total if total else 0.0
        if wide:
            parts.append(f'<rect class="{state}" x="{at:.2f}" width="{wide:.2f}" height="8"/>')
        at += wide
    words = ", ".join(f"{found:,} {LEGEND[state]}" for state, found in states.items() if found)
    return (
        f'<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="{words}"><title>{words}</title>'
        f"{''.join(parts)}</svg>"
    )


LEGEND = {
    "error": "with errors",
    "warning": "warnings only",
    "info": "infos or pedantic findings only",
    "clean": "without findings",
}


_PLAIN = "/:@!,;~"  # characters that need no escape in a fragment


def fragment(kind: str, value: str) -> str:
    """Return what page.js reads behind the # of an address."""
    return f"{kind}={quote(value, _PLAIN, errors='replace')}"


class Paths:
    """Names of objects without the beginning that all have in common. `listed` are those in the table of models."""

    def __init__(self, common: str, listed: Container[str] = ()) -> None:
        self.root = common[: common.rfind("/") + 1]
        self._listed = listed

    def of(self, url: str, line: int | None = None) -> str:
        """Return an object's name, as a link to its row in the table of models if it has one; its folder is faint."""
        at = "" if not line else f'<span class="line">:{line}</span>'
        if url in self._listed:
            return f'<a class="path" href="#{self.fragment("model", url)}">{self.name(url)}{at}</a>'
        return f'<span class="path" title="{text(url, 1000)}">{self.name(url)}{at}</span>'

    def name(self, url: str) -> str:
        folder, slash, name = self._inner(url).rstrip("/").rpartition("/")
        name += self._inner(url)[len(folder) + len(slash) + len(name) :]
        before = f'<span class="folder">{breakable(text(folder))}/</span><wbr>' if slash else ""
        return f"{before}{breakable(text(name))}"

    def fragment(self, kind: str, url: str) -> str:
        return fragment(kind, self._inner(url))

    def folder(self, url: str) -> str:
        """Return a folder's name, as a link to its models."""
        if url == self.root:
            return (
                f'<span class="path">{breakable(text(url))}</span>' if url else '<span class="none">(top level)</span>'
            )
        return f'<a class="path" href="#{self.fragment("folder", url)}">{breakable(text(self._inner(url)))}</a>'

    def _inner(self, url: str) -> str:
        return url[len(self.root) :] if url.startswith(self.root) else url
