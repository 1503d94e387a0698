"""A rule's page: its docstring, split into sections and rendered for a terminal, as Markdown and as JSON."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from functools import cache
from inspect import cleandoc
from typing import Any

from irlint.findings import GRADES, Safety, Severity
from irlint.fixes import UNREADABLE
from irlint.rules import advisories, examples
from irlint.rules.base import Rule
from irlint.rules.registry import GROUPS, listed, shared_rules, url
from irlint.text.words import joined
from irlint.text.wrap import fitted, table

HEADINGS = ("What it does", "Why is this bad", "Example", "Use instead", "Fix safety", "References")
WIDTH = 80

_SAFETY = "Fix safety"
_COMPARING = "B"  # how codes begin of rules about two models
_SEARCHED = "fix: proven if a search finds one"
_WHERE_PROVEN = (
    "For an error, irlint tries small changes to what the finding is about: another name, number, shape or type. The only likely one"
    " after which nothing is wrong is proven, and is made by `--fix`."
)

_BY_WORD = {heading.lower(): heading for heading in HEADINGS}
_COLORS = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;34",
    "pedantic": "36",
    "bold": "1",
    "heading": "1;36",
    "code": "36",
    "dim": "2",
}
_LINK = re.compile(r"\[([^\]\[]+)\]\(([^)(\s]+)\)")
_NAME = re.compile(r"\b(?:\w*[A-Z]\w*[A-Z]\w*|ncnn|pnnx|Glacier)\b")  # of a format, in a title
_OF_FORMAT = re.compile(r"(?:\w+: )?(?:in|for) (?:an? |the )?(\w+)", re.IGNORECASE)
_LIST_ITEM = re.compile(r"(?:[-*]|\d+\.) +")


def formats_of(rule: type[Rule]) -> tuple[str, ...]:
    """Return the formats in which a rule occurs: those that it declares, or of a rule for any format those of irlint's own that list
    it. Empty: all.
    """
    if rule.formats or rule not in shared_rules():
        return rule.formats
    from irlint.formats.base import shown_order

    found = tuple(name for name in shown_order() if rule.code in listed().get(name, ()))
    return () if len(found) == len(listed()) else found


def grades(rule: type[Rule]) -> list[Safety]:
    """Return how safe the fixes of a rule may be. Of an error that is searched, a guess becomes proven if nothing else fits."""
    own: set[str] = {"mixed": {"safe", "unsafe"}, None: set()}.get(rule.fixable, {rule.fixable or ""})
    if "unsafe" in own and _is_searched(rule):
        own.add("proven")
    return [grade for grade in GRADES if grade in own]


def _is_searched(rule: type[Rule]) -> bool:
    """Return whether irlint tries changes of what the rule reports: not of text that cannot be read, nor of a model that was compared."""
    return rule.severity == Severity.ERROR and rule.name not in UNREADABLE and not rule.code.startswith(_COMPARING)


def fixes(rule: type[Rule]) -> str:
    """Return the words for the fixes of a rule."""
    if found := grades(rule):
        return f"fix: {joined(found, 'or')}"
    return _SEARCHED if _is_searched(rule) else "no fix"


def sections(rule: type[Rule], format_name: str | None = None) -> dict[str, str]:
    """Return the page by heading, in Markdown, with the example of a format: without one, of the first that has any. Text before the
    first heading belongs to "What it does"."""
    found: dict[str, list[str]] = {HEADINGS[0]: []}
    current, fence = found[HEADINGS[0]], ""
    lines = cleandoc(rule.__doc__ or "").split("\n")
    for at, line in enumerate(lines):
        if fence or line.lstrip().startswith("```"):
            fence = "" if fence and line.strip() == fence else fence or "```"
            current.append(line)
        elif (heading := _heading(line)) is not None:
            current = found.setdefault(heading, [])
        elif not (at and _is_underline(line) and _heading(lines[at - 1]) is not None):
            current.append(line)
    page = {heading: textwrap.dedent("\n".join(body)).strip("\n") for heading, body in found.items()}
    page = _for_format(page, format_name)
    page |= {**_safety(rule, page), **_example(rule, format_name)}
    page["Security"] = advisories.markdown(rule.code)
    order = [*HEADINGS, *page]
    found_pages = sorted(page.items(), key=lambda item: order.index(item[0]))
    return {heading: body for heading, body in found_pages if body.strip()}


def _for_format(page: Mapping[str, str], format_name: str | None) -> dict[str, str]:
    """Return a page without the paragraphs that begin with the name of another format; None: all of it."""
    own = _names_of(format_name)
    others = _names_of(None) - own

    def left(body: str) -> str:
        each = ((paragraph, _OF_FORMAT.match(paragraph)) for paragraph in body.split("\n\n"))
        return "\n\n".join(paragraph for paragraph, match in each if match is None or match[1] not in others)

    return {heading: left(body) for heading, body in page.items()}


@cache
def _names_of(format_name: str | None) -> set[str]:
    """Return what texts call a format, or all formats: the names in its title."""
    from irlint.formats.base import all_formats

    titles = [one.title for name, one in all_formats().items() if format_name in (None, name)]
    return {word for title in titles for word in _NAME.findall(title)} - {"JSON", "IR"}


def _safety(rule: type[Rule], page: Mapping[str, str]) -> dict[str, str]:
    """Return the section about fixes of a rule of which a search may prove one."""
    own = page.get(_SAFETY)
    is_said = fixes(rule) == _SEARCHED or (own is not None and "proven" in grades(rule))
    return {_SAFETY: "\n\n".join(filter(None, (own, _WHERE_PROVEN)))} if is_said else {}


def _heading(line: str) -> str | None:
    """Return the heading in a line: a known one, plain or with marks, or any that starts with `##`."""
    if line[:1].isspace():
        return None
    word = line.strip("# \t").rstrip(":?")
    return _BY_WORD.get(word.lower()) or (word if line.startswith("##") else None)


def _is_underline(line: str) -> bool:
    return len(line) > 2 and set(line) in ({"-"}, {"="})


def _example(rule: type[Rule], format_name: str | None) -> dict[str, str]:
    """Return the sections of the example in a format."""
    known = examples.examples(rule.code)
    if not known:
        return {}
    shown = known[_shown(known, format_name) or ""]
    return {"Example": shown.example, "Use instead": shown.instead}


def _shown(known: Mapping[str, object], format_name: str | None) -> str | None:
    """Return the format whose example is shown."""
    return format_name if format_name in known else next(iter(known), None)


def section(rule: type[Rule], heading: str) -> str:
    return sections(rule).get(heading, "")


def summary(rule: type[Rule]) -> str:
    """Return the first sentence of the page, in one line."""
    paragraph = " ".join(section(rule, HEADINGS[0]).split("\n\n")[0].split())
    end = re.search(r"\.(?= [A-Z`]|$)", paragraph)
    return paragraph[: end.start() + 1] if end else paragraph


def as_json(rule: type[Rule], format_name: str | None = None) -> dict[str, Any]:
    """Return the rule's page and metadata as JSON, with the example of a format and the names of all that have one."""
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": str(rule.severity),
        "group": GROUPS.get(rule.code[:1]),
        "formats": list(formats_of(rule)),
        "fixable": rule.fixable,
        "summary": summary(rule),
        "sections": sections(rule, format_name),
        "examples": list(examples.examples(rule.code)),
        "advisories": advisories.as_json(rule.code),
        "url": url(rule.name, format_name),
    }


def _facts(rule: type[Rule]) -> list[str]:
    formats = ", ".join(formats_of(rule)) or "all formats"
    return [str(rule.severity), formats, fixes(rule)]


def render_markdown(rule: type[Rule], format_name: str | None = None) -> str:
    """Return the page for editors and for SARIF viewers."""
    parts = [f"# {rule.name} ({rule.code})", " · ".join(_facts(rule))]
    for heading, body in sections(rule, format_name).items():
        parts += [f"## {heading}", body]
    return "\n\n".join(parts) + "\n"


def render_text(
    rule: type[Rule], color: bool = False, columns: int | None = None, format_name: str | None = None
) -> str:
    """Return the page for a terminal of so many columns; code is wrapped only if the terminal is too narrow."""

    def style(name: str, text: str) -> str:
        return f"\x1b[{_COLORS[name]}m{text}\x1b[0m" if color else text

    lines = [
        f"{style(str(rule.severity), rule.code)} {style('bold', rule.name)}",
        *fitted([", ".join(_facts(rule))], columns),
    ]
    prose = min(WIDTH, columns or WIDTH)
    known = examples.examples(rule.code)
    shown = _shown(known, format_name)
    for heading, body in sections(rule, format_name or shown).items():
        lines += ["", style("heading", heading)]
        for text, is_code in _text_lines(body, prose):
            lines += [style("code", line) if is_code and line else line for line in fitted([text], columns)]
    if others := [name for name in known if name != shown]:
        lines += ["", *fitted([f"Examples in other formats (--format): {', '.join(others)}"], columns)]
    return "\n".join((*lines, "", style("dim", url(rule.name, shown)))) + "\n"


def _text_lines(body: str, columns: int) -> Iterable[tuple[str, bool]]:
    """Yield the lines of a section for a terminal, each with whether it is code: prose refilled, code unchanged."""
    fence = ""
    paragraph: list[str] = []
    for line in body.split("\n"):
        mark = line.strip()
        if fence:
            if mark == fence:
                fence = ""
            else:
                yield f"    {line}".rstrip(), True
            continue
        if mark and line.startswith("    ") and not paragraph:
            yield line.rstrip(), True
            continue
        if not mark or mark.startswith("```") or _LIST_ITEM.match(mark):
            yield from ((text, False) for text in _filled(paragraph, columns))
            paragraph = []
        if mark.startswith("```"):
            fence = mark[: len(mark) - len(mark.lstrip("`"))]
        elif mark:
            paragraph.append(mark)
        else:
            yield "", False
    yield from ((text, False) for text in _filled(paragraph, columns))


def _filled(paragraph: list[str], columns: int) -> list[str]:
    text = _LINK.sub(r"\1 <\2>", " ".join(paragraph))
    hang = _LIST_ITEM.match(text)
    return textwrap.wrap(
        text,
        columns,
        initial_indent="  ",
        subsequent_indent="  " + " " * (hang.end() if hang else 0),
        break_long_words=False,
        break_on_hyphens=False,
    )


def render_list(rules: Iterable[type[Rule]], color: bool = False, columns: int | None = None) -> str:
    """Return a row per rule: code, name, severity, fix, formats, summary; one line each unless the terminal is too narrow."""
    rows = [(rule.code, rule.name, *_row(rule), summary(rule)) for rule in rules]
    head = ("code", "name", "severity", "fix", "formats", "what it finds")
    colors = {rule_code: severity for rule_code, _, severity, *_ in rows} | {head[0]: "bold"}
    lines = table([head, *rows], columns, has_prose=True)
    if color:
        lines = [_colored(line, colors) for line in lines]
    return "\n".join(lines) + "\n"


def _colored(line: str, colors: Mapping[str, str]) -> str:
    """Return a line of the table with its first cell in its colour, if it has one."""
    code, blank, rest = line.partition(" ")
    return f"\x1b[{_COLORS[colors[code]]}m{code}\x1b[0m{blank}{rest}" if code in colors else line


def _row(rule: type[Rule]) -> tuple[str, str, str]:
    return str(rule.severity), ",".join(grades(rule)) or "-", ",".join(formats_of(rule)) or "all"
