"""Verdicts as one HTML file that needs nothing else: a strip of releases for each runtime, and why some do not load the model."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby

from irlint import __version__
from irlint.engine import Result
from irlint.matrix.lines import said
from irlint.matrix.verdicts import TargetVerdict, stretches
from irlint.report.survey import STYLE
from irlint.report.survey.markup import message, text

_KNOWN = {
    "measured": "each release was asked to load small models of each operator",
    "published": "its documentation says so",
    "source": "its source says what came with which release",
}
_OWN = (
    "main { max-width: 1100px; } .strip { display: flex; flex-wrap: wrap; gap: 4px; margin: 10px 0; padding: 0; list-style: none; }"
    " .strip li { padding: 2px 8px; border: 1px solid; border-radius: 6px; font-variant-numeric: tabular-nums; }"
    " .loads { color: var(--clean); } .refused { color: var(--error); font-weight: 600; } .unknown { color: var(--faint); }"
    " .falls-back { color: var(--warning); }"
    " td:first-child { width: 11em; } th:nth-child(2), td:nth-child(2) { width: 7em; } th:first-child { width: 11em; }"
)


def page(result: Result, verdicts: Sequence[TargetVerdict]) -> str:
    """Return the HTML, which shows nothing that it does not hold."""
    digest = b64encode(sha256((STYLE + _OWN).encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = text(f"Where {result.name} loads")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>{STYLE}{_OWN}</style>\n</head>\n<body>\n<header><h1>{title}</h1></header>\n<main>\n"
        f"{''.join(_sections(result, verdicts))}</main>\n<footer>irlint {text(__version__)}</footer>\n</body>\n</html>\n"
    )


def _sections(result: Result, verdicts: Sequence[TargetVerdict]) -> Iterator[str]:
    for target, each in groupby(verdicts, key=lambda one: one.target):
        own = list(each)
        chips = "".join(f'<li class="{_class(one)}">{text(one.release)}</li>' for one in own)
        rows = "".join(_row(result, one.releases, one.last) for one in stretches(own))
        yield (
            f'<section>\n<h2>{text(target.title)}</h2>\n<p class="note">{target.known}: {_KNOWN[target.known]}</p>\n'
            f'<ul class="strip">{chips}</ul>\n<div class="scroll"><table><thead><tr><th>Releases</th><th>Verdict</th><th>Why</th></tr>'
            f"</thead><tbody>{rows}</tbody></table></div>\n</section>\n"
        )


def _row(result: Result, releases: str, verdict: TargetVerdict) -> str:
    why = "; ".join(message(words) for words in said(result, verdict))
    return f'<tr><td>{text(releases)}</td><td class="{_class(verdict)}">{verdict.outcome}</td><td>{why}</td></tr>'


def _class(verdict: TargetVerdict) -> str:
    return verdict.outcome.replace(" ", "-")
