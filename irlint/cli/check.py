"""Check model files: find what is wrong, say where and why, and repair it where asked."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from irlint import engine
from irlint.findings import Finding, Severity
from irlint.text.base import Lines, Span


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH")
    parser.add_argument("--output-format", choices=("concise", "json"), default="concise")
    parser.add_argument("--as", dest="as_format", metavar="FORMAT[:DIALECT]")


def run(args: argparse.Namespace) -> int:
    status, rows = 0, []
    for name in args.paths:
        path = Path(name)
        try:
            data = path.read_bytes()
        except OSError as error:
            print(f"irlint: {name}: {error.strerror}", file=sys.stderr)
            status = max(status, 2)
            continue
        result = engine.lint_bytes(data, name, as_format=args.as_format, path=path)
        lines = result.document.lines if result.document else Lines(data.decode("utf-8", "surrogateescape"))
        for finding in result.findings:
            rows.append(_record(result, finding, lines))
            if finding.severity == Severity.ERROR:
                status = max(status, 1)
    if args.output_format == "json":
        print(json.dumps(rows, indent=2))
    else:
        for row in rows:
            print("{file}:{line}:{column}: {code} {message}".format(**row))
    return status


def _span(lines: Lines, span: Span) -> dict[str, int]:
    start, end = lines.position(span.start), lines.position(span.end)
    return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column}


def _record(result: engine.Result, finding: Finding, lines: Lines) -> dict[str, Any]:
    fix = finding.fix and {
        "safety": finding.fix.safety,
        "title": finding.fix.title,
        "edits": [{**_span(lines, edit.span), "text": edit.text} for edit in finding.fix.edits],
    }
    return {
        "file": result.name,
        "format": result.format,
        "dialect": result.dialect,
        "code": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "message": finding.message,
        **_span(lines, finding.span),
        "pointer": finding.pointer,
        "node": finding.node,
        "fix": fix,
        "related": [{"message": r.message, **_span(lines, r.span)} for r in finding.related],
        "url": None,
    }
