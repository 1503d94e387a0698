"""Verdicts as one HTML file that needs nothing else: a strip of releases for each runtime, and why some do not load the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from irlint import __version__
from irlint.engine import Result
from irlint.matrix.lines import said
from irlint.matrix.verdicts import TargetVerdict, stretches
from irlint.report.survey import STYLE
from irlint.report.survey.markup import message, opened, text

_KNOWN = {
    "measured": "each release was asked to load small models of each operator",
    "published": "its documentation says so",
    "source": "its source says what came with which release",
}
_OWN = (
    ".strip { display: flex; flex-wrap: wrap; gap: 4px; margin: 10px 0; padding: 0; list-style: none; }"
    " .strip li { padding: 2px 8px; border: 1px solid; border-radius: 6px; font-variant-numeric: tabular-nums; }"
    " .loads { color: var(--clean); } .refused { color: var(--error); font-weight: 600; } .unknown { color: var(--faint); }"
    " .falls-back { color: var(--warning); }"
    " td:first-child { width: 13em; } th:nth-child(2), td:nth-child(2) { width: 7em; } th:first-child { width: 13em; }"
)


def page(result: Result, verdicts: Sequence[TargetVerdict]) -> str:
    """Return the HTML, which shows nothing that it does not hold."""
    title = f"Where {result.name} loads"
    return (
        f"{opened(title, STYLE + _OWN)}<header><h1>{text(title)}</h1></header>\n<main>\n"
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
