"""What the page asks of irlint, as JSON: the findings of one model, its fixes, and views of it."""

from __future__ import annotations

import json
import shutil
from bisect import bisect_left
from collections import Counter
from itertools import takewhile
from operator import eq
from pathlib import Path
from re import finditer
from time import perf_counter

import irlint
from irlint import engine, offers
from irlint.codes import R
from irlint.config import Overrides, UnknownSelector
from irlint.config.find import Configurations
from irlint.config.source import ConfigError
from irlint.findings import Severity
from irlint.formats.base import all_formats
from irlint.records import replace
from irlint.report import cells
from irlint.report.base import locate
from irlint.report.excerpt import ExcerptPart
from irlint.report.outputs.json import records
from irlint.rules.base import Weights
from irlint.text.base import Lines, Span, apply, decode, encode
from irlint.text.safe import visible
from irlint.text.sniff import is_binary
from irlint.tools.installed import missing_package

FOLDER = Path("/model")  # the model's own folder, with the files next to it and its configuration
PASSED = Path("/passed")  # bytes that come from the page or go to it
MOST = 1000  # findings that the page lists, and lines that a fix shows
BEFORE, WIDTH = 60, 160  # of a long line, so many characters before a change and in all are shown
CONFIGURATION = "irlint.yaml"
BINARY = "binary"  # instead of an encoding: the text is that of the model which `decode` was given


class Refused(Exception):
    """Why a view cannot be shown."""


class Session:
    """One model at a time."""

    def __init__(self) -> None:
        self.result = engine.Result("", [])
        self.settings = Configurations.isolated().only.settings("")
        self.as_format: str | None = None
        self.encoding = "utf-8"
        self.binary = self.result  # of the file that is not text, as it was opened
        self.is_alone = (
            False  # no file is next to the model, and the configuration does not say whether weights must be
        )
        self.absent: list[str] = []  # what is said of weights that a model which is alone lacks

    def about(self) -> dict:
        formats = {name: [dialect.name for dialect in each.dialects] for name, each in all_formats().items()}
        return {"version": irlint.__version__, "formats": formats}

    def place(self, names: list[str], sizes: list[int]) -> None:
        """Put files next to the model, instead of those that were there."""
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir()
        data, at = PASSED.read_bytes(), 0
        for name, size in zip(names, sizes, strict=True):
            (FOLDER / Path(name).name).write_bytes(data[at : at + size])
            at += size

    def decode(self, name: str) -> dict:
        """Return the text of a file; of a binary model, whose bytes are kept, what it shows."""
        data = PASSED.read_bytes()
        path = FOLDER / Path(name).name
        if engine.opened(data, path.name) is not None:
            self.binary = engine.lint_bytes(data, path.name, path=path)
            return {"text": self.binary.lines.text, "encoding": BINARY, "binary": False}
        text, encoding = decode(data)
        return {"text": text, "encoding": encoding, "binary": is_binary(text, 0.02)}

    def encode(self, text: str, encoding: str) -> None:
        try:
            PASSED.write_bytes(encode(text, encoding) if encoding != BINARY else self.binary.document.encoded(text))
        except ValueError as error:
            raise Refused(str(error)) from error

    def lint(self, name: str, text: str, encoding: str, as_format: str | None, configuration: str) -> dict:
        began = perf_counter()
        if self.result.known is not None:
            self.result.known.take_apart()
        self.path = FOLDER / Path(name).name
        self.as_format, self.encoding = as_format, encoding
        self.trouble = self._configure(configuration)
        self.result = self._linted(text)
        self.absent = self._take_absent()
        report = self._report(began, is_confirmed=False)
        report["unconfirmed"] = any(f.fix or f.severity == Severity.ERROR for f in self.result.findings)
        return report

    def _linted(self, text: str) -> engine.Result:
        request = engine.Request(self.path.name, self.settings, self.as_format, self.path)
        if self.encoding != BINARY:
            return engine.linted(text, replace(request, encoding=self.encoding))
        shown = self.binary.document
        if text == shown.text:
            return engine.linted_bytes(shown.encode(), request)
        return engine.linted(text, replace(request, shown=self.binary))

    def _take_absent(self) -> list[str]:
        """Return what is said of weights that are not here, which is no finding of a model that is alone."""
        if not self.is_alone:
            return []
        found = [one for one in self.result.findings if one.code == R.missing_weights.code]
        self.result.findings = [one for one in self.result.findings if one not in found]
        return [visible(one.message) for one in found]

    def confirm(self) -> dict:
        """Return the report again, with the fixes that are offered: to try them takes longer than to find what is wrong."""
        began = perf_counter()
        offers.confirm(self.result)
        return self._report(began, is_confirmed=True)

    def _report(self, began: float, is_confirmed: bool) -> dict:
        result = self.result
        report = locate(result)
        at = Utf16(result.lines.text)
        shown = [
            _shown(entry, members, result.lines, at, is_confirmed)
            for entry, members in zip(report.entries[:MOST], records(report), strict=False)
        ]
        grades = Counter(finding.fix.safety for finding in result.findings if finding.fix is not None and is_confirmed)
        return {
            "format": result.format,
            "dialect": result.dialect,
            "why": visible(result.why),
            "certain": result.certain,
            "configuration": self.trouble,
            "absent": self.absent[:1],
            "severities": Counter(str(finding.severity) for finding in result.findings),
            "grades": grades,
            "total": len(result.findings),
            "findings": shown,
            "seconds": perf_counter() - began,
        }

    def _configure(self, text: str) -> str | None:
        """Read the configuration; return its errors, with which the one from before holds."""
        file = FOLDER / CONFIGURATION
        FOLDER.mkdir(exist_ok=True)
        file.unlink(missing_ok=True)
        # Whoever pastes a model does not have its weights at hand.
        self.is_alone = not any(FOLDER.iterdir())
        if text.strip():
            file.write_text(text)
        try:
            config = Configurations().of_folder(str(FOLDER))
        except (ConfigError, UnknownSelector) as error:
            return str(error).replace(f"{FOLDER}/", "")
        self.is_alone &= not config.missing_weights
        weights: Weights | None = "required" if self.is_alone else None
        settings = config.settings(str(self.path), Overrides(missing_weights=weights))
        mild = ((R.missing_weights.code, Severity.INFO),) if self.is_alone else ()
        self.settings = replace(settings, severities=(*settings.severities, *mild))
        return None

    def fix(self, unsafe: bool) -> dict:
        """Return the edits that `irlint --fix` makes."""
        from irlint import fixes

        result, document = self.result, self.result.document
        if document is None or not result.certain:
            return {"edits": [], "fixed": 0}
        fresh = self._linted(document.text)
        bench = offers.TrialLinter(fresh)
        fixed = fixes.fix(document.text, bench.lint, unsafe, bench.search)
        at = Utf16(document.text)
        return {"edits": [at.edit(edit) for edit in fixed.edits], "fixed": len(fixed.applied)}

    def graph(self) -> dict:
        from irlint.order import CycleError
        from irlint.view import annotate
        from irlint.view.draw import sketch

        model = self._model()
        try:
            scene, builder = sketch(model, self.result.name, self.result.findings, self.result.lines)
            annotate.details(scene.boxes, builder, budget=0)  # the values of weights would take numpy
            annotate.heat(scene, builder)
            return scene.json()
        except CycleError as error:
            raise Refused(str(error)) from error

    def flat(self) -> str:
        from irlint.inspection import NODE_TYPES, Flat, listing
        from irlint.order import CycleError

        wrong = [f for f in self.result.findings if f.severity == Severity.ERROR and f.code[0] in "SR"]
        if wrong:
            raise Refused(f"fix {wrong[0].code} first: {visible(wrong[0].message)}")
        model = self._model()
        try:
            return listing(Flat(model.graph, NODE_TYPES), model.document)
        except CycleError as error:
            raise Refused(f"no topological order: {error}") from error

    def shapes(self) -> list[list]:
        """Return name, operator, types and offset of each node that outputs something."""
        from irlint.formats.base import by_name
        from irlint.inspection.types import known_types, typed_nodes

        model = self._model()
        format_ = by_name(model.format)
        mapping = format_.dryrun(model) if format_ else None
        if mapping is None:
            raise Refused(f"irlint does not infer the shapes of {model.format}")
        at = Utf16(self.result.lines.text)
        return [
            [visible(node.name), visible(node.op), visible(types), at(model.document.whole(node.path).start)]
            for node, types in typed_nodes(model.graph, known_types(model, mapping))
        ]

    def _model(self):
        model = self.result.model
        if model is None or not model.graph.nodes:
            found = self.result.findings
            raise Refused(f"there is no graph to show: {visible(found[0].message if found else self.result.why)}")
        return model


class Utf16:
    """Offsets in UTF-16 code units, in which JavaScript counts, of offsets in code points."""

    def __init__(self, text: str) -> None:
        is_wide = not text.isascii() and max(text) > "\uffff"
        self.wide = [found.start() for found in finditer("[\U00010000-\U0010ffff]", text)] if is_wide else []

    def __call__(self, offset: int) -> int:
        return offset + bisect_left(self.wide, offset)

    def span(self, span: Span) -> list[int]:
        return [self(span.start), self(span.end)]

    def edit(self, edit) -> list:
        return [*self.span(edit.span), edit.text]


def _shown(entry, members: dict, lines: Lines, at: Utf16, has_fix: bool) -> dict:
    """Return a finding: the object of the JSON report, and what the page shows of it."""
    finding = entry.finding
    fix = finding.fix if has_fix else None
    return {
        "record": members if has_fix else {**members, "fix": None},
        "message": visible(finding.message),
        "span": at.span(finding.span),
        "excerpt": _rows(entry.excerpt),
        "edits": [at.edit(edit) for edit in fix.edits] if fix else [],
        "title": visible(fix.title) if fix else "",
        "diff": _diff(lines, fix.edits) if fix else [],
        "related": [
            [visible(related.message), at.span(related.span), _rows(excerpt)]
            for related, (_, excerpt) in zip(finding.related, entry.related, strict=True)
        ],
    }


def _rows(excerpt) -> list[list]:
    """Return number, text, and the mark's start and end of each line; no mark where they are equal to -1."""
    rows = excerpt.rows() if isinstance(excerpt, ExcerptPart) else excerpt
    found = []
    for row in rows:
        line = cells.line(row)
        found.append([row.number, line.text, line.start if row.start >= 0 else -1, line.end if row.start >= 0 else -1])
    return found


def _diff(lines: Lines, edits) -> list[list]:
    """Return sign, number and text of the lines that a fix removes and adds."""
    blocks: list[tuple[int, int, list]] = []
    for edit in sorted(edits):
        first, last = (each.line for each in lines.positions(*edit.span))
        if blocks and first <= blocks[-1][1]:
            first, _, same = blocks.pop()
            blocks.append((first, last, [*same, edit]))
        else:
            blocks.append((first, last, [edit]))
    return [row for block in blocks for row in _block(lines, *block)][:MOST]


def _block(lines: Lines, first: int, last: int, edits) -> list[list]:
    start = lines.start(first)
    end = lines.start(last + 1) if last < lines.count else len(lines.text)
    old = lines.text[start:end].splitlines()
    moved = [edit._replace(span=Span(edit.span.start - start, edit.span.end - start)) for edit in edits]
    new = apply(lines.text[start:end], moved).splitlines()
    same = _alike(old, new)
    tail = _alike(old[same:][::-1], new[same:][::-1])
    old, new = old[same : len(old) - tail], new[same : len(new) - tail]
    at = _alike(old[0], new[0]) if old and new else 0
    return [
        [sign, first + same + k, _cut(line, at)]
        for sign, each in (("-", old), ("+", new))
        for k, line in enumerate(each)
    ]


def _alike(old, new) -> int:
    """Return how many items, or letters, both begin with."""
    return sum(takewhile(bool, map(eq, old, new)))


def _cut(line: str, at: int) -> str:
    """Return a line, without what is far from the change if it is long."""
    if len(line) > WIDTH:
        low = max(0, min(at - BEFORE, len(line) - WIDTH))
        line = "…" * (low > 0) + line[low : low + WIDTH] + "…" * (low + WIDTH < len(line))
    return visible(line.replace("\t", cells.TAB))


_session = Session()


def call(name: str, arguments: str) -> str:
    """Call a method with a JSON list of arguments; return its result, or why there is none, as JSON."""
    try:
        return json.dumps({"result": getattr(_session, name)(*json.loads(arguments))})
    except Refused as refusal:
        return json.dumps({"refused": str(refusal)})
    except ImportError as error:
        if (package := missing_package(error)) is None:
            raise
        return json.dumps({"refused": f"this takes {package.name}, which this page does not have"})
