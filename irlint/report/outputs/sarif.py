"""SARIF 2.1.0 for GitHub code scanning and SARIF viewers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from irlint import __version__
from irlint.findings import Fix, Severity
from irlint.report.base import FileReport, LineRange, Options, ReportedFinding, said_of_lines
from irlint.report.paths import Fingerprints, uri
from irlint.rules import advisories, page, registry
from irlint.rules.advisories import Advisory
from irlint.text.safe import has_surrogates, put_json, visible

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT_ID = "%SRCROOT%"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
    Severity.PEDANTIC: "note",
}


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    """Write results as they come, then their rules."""
    first: dict[str, ReportedFinding] = {}  # finding of each rule, in the order of the list of rules
    known: dict[str, dict[Advisory, None]] = {}  # what is known of the findings of each rule
    indices: dict[str, int] = {}
    fingerprints = Fingerprints(options)
    encode = json.JSONEncoder().encode
    put_json(stream, f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{"results": [')
    separator = "\n"
    shown: dict[str, None] = {}  # what formats say of the lines of binaries
    for file in files:
        written: set[int] = set()  # fixes, by their `id`: one that many results share is in the first of them
        said = said_of_lines(file) if file.entries else None
        if said is not None:
            shown[said] = None
        for entry in file.entries:
            code, fix = entry.finding.code, entry.finding.fix
            first.setdefault(code, entry)
            index = indices.setdefault(code, len(indices))
            result = _result(file, entry, index, fingerprints, options)
            if held := list(advisories.of_finding(code, file.format, entry.finding.pointer, entry.token)):
                known.setdefault(code, {}).update(dict.fromkeys(held))
                result |= {"properties": {"cve": cve}} if (cve := _cve(held)) else {}
            if fix is not None and said is not None:  # edits of a text that is not in the file
                result["properties"] = {**result.get("properties", {}), "fix": _titled(fix)}
            elif fix is not None and id(fix) not in written:
                written.add(id(fix))
                result |= _fixes(fix, entry, file, options)
            put_json(stream, separator + encode(result))
            separator = ",\n"
    rest = {
        "tool": {"driver": _driver(first.values(), known)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT_ID: {"description": {"text": "The working directory of irlint."}}},
        **({"properties": {"regions": list(shown)}} if shown else {}),
    }
    put_json(stream, "\n], " + encode(rest)[1:] + "]}\n")


def _cve(rows: Iterable[Advisory]) -> list[str]:
    return list(dict.fromkeys(row.cve for row in rows if row.cve))


def _driver(found: Iterable[ReportedFinding], known: Mapping[str, Iterable[Advisory]]) -> dict[str, Any]:
    return {
        "name": "irlint",
        "version": __version__,
        "semanticVersion": __version__,
        "informationUri": registry.SITE,
        "rules": [_rule(entry, list(known.get(entry.finding.code, ()))) for entry in found],
    }


def _rule(entry: ReportedFinding, known: Sequence[Advisory]) -> dict[str, Any]:
    finding = entry.finding
    descriptor: dict[str, Any] = {"id": finding.code, "name": finding.name}
    if entry.url is not None:
        descriptor["helpUri"] = entry.url
    rule = registry.find(finding.code)
    if rule is None:
        return descriptor | {"shortDescription": {"text": finding.name}}
    return descriptor | {
        "shortDescription": {"text": page.summary(rule) or rule.name},
        "fullDescription": {"text": page.section(rule, "What it does") or rule.name},
        "help": {"text": page.render_text(rule, color=False), "markdown": page.render_markdown(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": _properties(rule.code, known),
    }


def _properties(code: str, known: Sequence[Advisory]) -> dict[str, Any]:
    """Return tags of a rule. GitHub takes its findings for vulnerabilities by these: only what this report holds decides."""
    tags, cve = [registry.GROUPS.get(code[0], "other")], _cve(known)
    if known:
        numbers = sorted({number for row in known for number in row.cwe})
        tags += ["security", *(f"external/cwe/cwe-{number}" for number in numbers)]
    return {"tags": tags, "cve": cve} if cve else {"tags": tags}


def _result(
    file: FileReport, entry: ReportedFinding, index: int, fingerprints: Fingerprints, options: Options
) -> dict[str, Any]:
    finding = entry.finding
    artifact = _artifact(file.name, options)
    location: dict[str, Any] = {"physicalLocation": _physical(artifact, entry.at)}
    if finding.pointer is not None:
        logical = {"fullyQualifiedName": visible(finding.pointer)}
        if finding.node is not None:
            logical["name"] = visible(finding.node)
        location["logicalLocations"] = [logical]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": _message(finding.message),
        "locations": [location],
        "partialFingerprints": {"irlint/v1": fingerprints.of(file, entry)},
    }
    if finding.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "physicalLocation": _physical(_artifact(related.file, options) if related.file else artifact, at),
                "message": _message(related.message),
            }
            for number, (related, (at, _)) in enumerate(zip(finding.related, entry.related, strict=True))
        ]
    return result


def _fixes(fix: Fix, entry: ReportedFinding, file: FileReport, options: Options) -> dict[str, Any]:
    if not fix.edits or any(has_surrogates(edit.text) for edit in fix.edits):
        return {}  # an edit that JSON cannot say
    replacements = [
        {"deletedRegion": _region(at), "insertedContent": {"text": edit.text}}
        for edit, at in zip(fix.edits, entry.edits, strict=True)
    ]
    changes = [{"artifactLocation": _artifact(file.name, options), "replacements": replacements}]
    return {"fixes": [{"description": _message(_titled(fix)), "artifactChanges": changes}]}


def _titled(fix: Fix) -> str:
    return visible(f"{fix.title} ({fix.safety} fix)")


def _artifact(name: str, options: Options) -> dict[str, Any]:
    address, is_relative = uri(name, options.root)
    return {"uri": address, "uriBaseId": ROOT_ID} if is_relative else {"uri": address}


def _physical(artifact: dict[str, Any], at: LineRange) -> dict[str, Any]:
    return {"artifactLocation": artifact, "region": _region(at)}


def _region(at: LineRange) -> dict[str, int]:
    return {"startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column}


def _message(text: str) -> dict[str, str]:
    """Return plain text without [x](y), which viewers turn into a link, some even if it is escaped."""
    return {"text": visible(text).replace("](", "] (")}
