"""The sections of the page but for models and changes, each from the figures that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irlint.report.survey.duplicates import LEAST, AlikeGroups, Duplicates
from irlint.report.survey.markup import (
    LEGEND,
    SEVERITY_HEADS,
    Paths,
    Row,
    TableCell,
    by_severity,
    fragment,
    number,
    rule,
    section,
    size,
    state_bar,
    table,
    text,
)
from irlint.report.survey.rows import TableRows
from irlint.report.survey.tally import BOUNDS, Folders, RuleCount, RuleGroup, Tally
from irlint.text import words
from irlint.text.words import count

MOST_SHOWN = 200  # rows of a table


def rules(tally: Tally, paths: Paths) -> str:
    found = sorted(tally.rules.items(), key=lambda item: ([-models for models in item[1].models.values()], item[0]))
    if not found:
        return ""
    most = max(row.total for _, row in found)
    rows: list[Row] = [
        (
            rule(*key, row.url),
            _models(key[0], row),
            TableCell(state_bar(row.models, most), row.total, "wide"),
            *by_severity(row.findings),
            TableCell(_examples(row, paths), None, "examples"),
        )
        for key, row in found[:MOST_SHOWN]
    ]
    heads = ("Rule", "Models|num", "|wide", *SEVERITY_HEADS, "Examples|examples")
    more = max(len(found) - MOST_SHOWN, 0)
    what = "rules or even more" if tally.rules.rest else "rules"
    return section(
        "rules", "Rules", table("Rules", heads, rows, more, what), "Follow the number of models to list them."
    )


def _models(code: str, row: RuleCount) -> TableCell:
    return TableCell(f'<a href="#{fragment("rule", code)}">{row.total:,}</a>', row.total, "num")


def _examples(row: RuleCount, paths: Paths) -> str:
    return "".join(paths.of(*example) for example in row.examples)


def folders(tally: Tally, paths: Paths) -> str:
    body = ""
    first, second = tally.folders
    heads = _heads(tally)
    if len(first.top):
        body += _folders(first, paths, heads)
    if second.top.total > first.top.total:
        title = f"{second.top.total:,} folders at the second level"
        body += f"<details><summary>{title}</summary>{_folders(second, paths, heads)}</details>"
    note = "Those with the most failing models first. Follow a folder to list its models with findings."
    return section("folders", "Folders", body, note) if body else ""


def _folders(found: Folders, paths: Paths, heads: tuple[str, ...]) -> str:
    rows: list[Row] = [(paths.folder(name), *_figures(group, heads)) for name, group in found.top]
    return table("Folders", ("Folder", *heads), rows, found.top.more, "folders")


def _heads(tally: Tally) -> tuple[str, ...]:
    """Return the headings of what is known of groups of models."""
    failing, warned = (LEGEND[state].capitalize() for state in ("error", "warning"))
    return (
        "Models|num",
        "|wide",
        f"{failing}|num",
        f"{warned}|num minor",
        "Findings|num minor",
        *(() if tally.unsized else ("Size|num size",)),
    )


def _figures(group: RuleGroup, heads: tuple[str, ...]) -> tuple[TableCell, ...]:
    errors = group.states["error"]
    found = (
        number(group.models),
        TableCell(state_bar(group.states, group.models), errors / group.models if group.models else 0, "wide"),
        number(errors),
        number(group.states["warning"])._replace(kind="num minor"),
        number(group.findings)._replace(kind="num minor"),
        size(group.size),
    )
    return found[: len(heads)]


def formats(tally: Tally) -> str:
    heads = _heads(tally)
    of_format = ((f"{a}:{b}" if b else a or "not recognized", group) for (a, b), group in tally.formats.items())
    body = _groups("Format", of_format, heads)
    opsets = [(_operators(*key), group) for key, group in tally.opsets.items() if key[1]]
    if opsets:
        body += "<h3>Operators</h3>" + _groups("Version of operators", opsets, heads)
    producers = [(name, group) for name, group in tally.producers.items() if name]
    if producers:
        body += "<h3>Producers</h3>" + _groups("Producer", producers, heads, tally.producers)
    return section("formats", "Formats, operators and producers", body) if tally.models.models else ""


def _operators(format: str, version: str) -> str:
    return f"{format} opset {version}" if version.isdecimal() else f"{format} {version}"


def _groups(
    head: str,
    found: Iterable[tuple[str, RuleGroup]],
    heads: tuple[str, ...],
    all_: TableRows[str, RuleGroup] | None = None,
) -> str:
    ordered = sorted(found, key=lambda item: (-item[1].models, item[0]))
    rows: list[Row] = [(text(name), *_figures(group, heads)) for name, group in ordered[:MOST_SHOWN]]
    if all_ is not None and all_.rest is not None:
        rows.append(('<span class="none">all others</span>', *_figures(all_.rest, heads)))
    return table(head, (head, *heads), rows, max(len(ordered) - MOST_SHOWN, 0), "rows")


def unread(tally: Tally, paths: Paths) -> str:
    if not tally.unread.total:
        return ""
    rows = [(paths.of(url), f"{'internal error: ' if failed else ''}{text(why)}") for url, why, failed in tally.unread]
    body = table("Objects that were not checked", ("Object", "Reason"), rows, tally.unread.more, "objects")
    return section(
        "unread", "Not checked", body, f"{count(tally.unread.total, 'object')} could not be read or checked."
    )


def duplicates(found: Duplicates, paths: Paths) -> str:
    large = f"Models with at least {LEAST >> 10} KiB of weights"
    same = "the same operators, attributes, connections and input types"
    body = _alike("Copies", found.copies(), "The same graph and weights, or the same file.", "", paths)
    body += _alike("One graph, several weights", found.graphs(), f"{large} and {same}.", "Weights|num long", paths)
    often = "Often versions of one model, converted or edited."
    body += _alike("Same weights, several graphs", found.weights(), f"{large}. {often}", "Graphs|num long", paths)
    return section("duplicates", "Duplicates and variants", body) if body else ""


def _alike(title: str, found: AlikeGroups, note: str, variants: str, paths: Paths) -> str:
    """Return the groups of a kind; `variants` is the heading of what differs in a group of models that are not copies."""
    if not found.groups:
        return ""
    rows = []
    for group in found.shown:
        names = [paths.of(url) for url in group.urls]
        if group.more:
            names.append(f'<span class="more">and {group.more:,} more</span>')
        figure = number(group.variants) if variants else size(group.redundant)
        rows.append(("".join(names), number(group.models), figure))
    rest = f"; all but one of each take {words.size(found.redundant)}" if found.redundant and not variants else ""
    said = f'<p class="note">{note} {count(found.groups, "group")}, {count(found.models, "model")}{rest}.</p>'
    heads = ("Models", "Number|num long", variants or "Redundant|num size")
    return f"<h3>{title}</h3>{said}{table(title, heads, rows, found.groups - len(found.shown), 'groups')}"


def sizes(tally: Tally, paths: Paths) -> str:
    if tally.unsized or not tally.models.models:
        return ""
    rows = [(paths.of(url), text(format), size(bytes_)) for url, format, bytes_ in tally.largest]
    body = f"{histogram(tally.histogram)}<h3>Largest models</h3>"
    body += table("Largest models", ("Model", "Format|word", "Size|num size"), rows, tally.largest.more, "models")
    return section("sizes", "Sizes", body, "Models by size, with the weights next to them.")


_WIDE, _HIGH, _LEFT, _RIGHT, _BELOW, _ABOVE = 720, 220, 66, 40, 28, 12
_EACH = 5  # powers of two: one bound in so many has a label
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def histogram(counts: Sequence[int]) -> str:
    """Return how many models there are of which size. `counts` are those below each bound, and above the last."""
    used = [k for k, count in enumerate(counts) if count]
    if not used:
        return ""
    low, high = max(used[0] - 1, 0), min(used[-1] + 2, len(counts))
    shown = counts[low:high]
    most = max(shown)
    step = (_WIDE - _LEFT - _RIGHT) / len(shown)
    floor = _HIGH - _BELOW
    parts = [_grid(most, floor)]
    for k, models in enumerate(shown, low):
        x = _LEFT + (k - low) * step
        tall = (floor - _ABOVE) * models / most
        if models:
            tall = max(tall, 1.5)
            parts.append(
                f'<rect class="share" x="{x + 1:.1f}" y="{floor - tall:.1f}" width="{max(step - 2, 1):.1f}" height="{tall:.1f}"'
                f' rx="1"><title>{_range(k)}: {models:,}</title></rect>'
            )
        if k < len(BOUNDS) and (BOUNDS[k].bit_length() - 1) % _EACH == 0:
            parts.append(f'<text x="{x + step:.1f}" y="{_HIGH - 8}" text-anchor="middle">{unit(BOUNDS[k])}</text>')
    return f'<svg class="chart" viewBox="0 0 {_WIDE} {_HIGH}" role="img" aria-label="Number of models by size">{"".join(parts)}</svg>\n'


def _grid(most: int, floor: int) -> str:
    lines = []
    for part in (0.0, 0.5, 1.0):
        if part == 0.5 and most < 4:
            continue
        y = floor - (floor - _ABOVE) * part
        lines.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{round(most * part):,}</text>'
        )
    return "".join(lines)


def _range(k: int) -> str:
    if k == 0:
        return f"less than {unit(BOUNDS[0])}"
    return f"{unit(BOUNDS[-1])} and more" if k == len(BOUNDS) else f"{unit(BOUNDS[k - 1])} to {unit(BOUNDS[k])}"


def unit(bound: int) -> str:
    power = (bound.bit_length() - 1) // 10
    return f"{bound >> 10 * power} {_UNITS[power]}"
