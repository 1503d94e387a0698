"""JUnit XML: a suite per file, a failed test case per finding, a passed one for a clean file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from irlint.report.base import Entry, FileReport, Options
from irlint.text.safe import visible


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    stream.write('<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="irlint">\n')
    for file in files:
        stream.write(_suite(file))
    stream.write("</testsuites>\n")


def _suite(file: FileReport) -> str:
    name = visible(file.name)
    failures = len(file.entries)
    lines = [f'  <testsuite name={_attribute(name)} tests="{max(1, failures)}" failures="{failures}" errors="0">']
    lines += [_case(name, entry) for entry in file.entries]
    if not failures:
        lines.append(f'    <testcase name="irlint" classname={_attribute(name)} time="0"/>')
    return "\n".join((*lines, "  </testsuite>\n"))


def _case(name: str, entry: Entry) -> str:
    finding, at = entry.finding, entry.at
    message = visible(finding.message)
    place = f"{name}:{at.line}:{at.column}"
    return (
        f"    <testcase name={_attribute(f'{finding.code} {finding.name} {at.line}:{at.column}')}"
        f' classname={_attribute(name)} time="0">\n'
        f'      <failure type="{finding.severity}" message={_attribute(message)}>'
        f"{_ascii(escape(f'{place}: {finding.code}[{finding.name}] {message}'))}</failure>\n"
        f"    </testcase>"
    )


def _attribute(text: str) -> str:
    return _ascii(quoteattr(text))


def _ascii(xml: str) -> str:
    """Any stream can take ASCII; all else goes as character references."""
    return xml.encode("ascii", "xmlcharrefreplace").decode("ascii")
