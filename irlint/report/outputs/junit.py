"""JUnit XML: a suite per file, a test case per finding (one for similar ones), a passed one for a clean file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from irlint.report.alike import Group, grouped, more
from irlint.report.base import FileReport, Options
from irlint.text.safe import emit, visible


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    emit(stream, '<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="irlint">\n')
    for file in files:
        emit(stream, _suite(file, list(grouped(file.entries, options.show_all))))
    emit(stream, "</testsuites>\n")


def _suite(file: FileReport, groups: Sequence[Group]) -> str:
    """Return a test case; findings below --fail-on are skipped tests, which CI systems show without failing."""
    name = visible(file.name)
    failures = sum(group.entry.finding.severity >= file.fail_on for group in groups)
    counts = f'tests="{max(1, len(groups))}" failures="{failures}" errors="0" skipped="{len(groups) - failures}"'
    cases = [_case(file, group) for group in groups]
    if not cases:
        cases = [f'    <testcase name="irlint" classname={_attribute(name)} time="0"/>\n']
    return f"  <testsuite name={_attribute(name)} {counts}>\n{''.join(cases)}  </testsuite>\n"


def _case(file: FileReport, group: Group) -> str:
    finding, at = group.entry.finding, group.entry.at
    name = visible(file.name)
    place = f"{at.line}:{at.column}"
    title = f"{finding.code} {finding.name} {place}"
    message = visible(finding.message) + (f"; {more(group)}" if group.lines else "")
    outcome = "failure" if finding.severity >= file.fail_on else "skipped"
    return (
        f'    <testcase name={_attribute(title)} classname={_attribute(name)} time="0">\n'
        f'      <{outcome} type="{finding.severity}" message={_attribute(message)}>'
        f"{_ascii(escape(f'{name}:{place}: {finding.code}[{finding.name}] {message}'))}</{outcome}>\n"
        "    </testcase>\n"
    )


def _attribute(text: str) -> str:
    return _ascii(quoteattr(text))


def _ascii(xml: str) -> str:
    """Return the text in ASCII, other characters as references."""
    return xml.encode("ascii", "xmlcharrefreplace").decode("ascii")
