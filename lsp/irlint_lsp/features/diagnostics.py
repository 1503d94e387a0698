"""textDocument/publishDiagnostics and textDocument/diagnostic: findings for editors."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.codes import R
from irlint.findings import Finding, Related, Severity
from irlint.rules.registry import documented, url
from irlint.text.base import Span
from irlint_lsp.documents import Analysis, OpenDocument, range_in, text_uri_of, uri_of
from irlint_lsp.text import Encoding, Text

if TYPE_CHECKING:
    from irlint_lsp.server import Server

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.PEDANTIC: types.DiagnosticSeverity.Information,  # asked for, and VS Code lists no hints among its problems
}
MOST_RELATED = 20  # places of one finding that are sent to an editor
UNNECESSARY = frozenset(
    (
        R.unreachable_node.name,
        R.unused_output.name,
        R.unused_weights.name,
        R.ignored_attribute.name,
        R.duplicate_attribute.name,
    )
)


def register(server: Server) -> None:
    options = types.DiagnosticOptions(
        identifier="irlint", inter_file_dependencies=False, workspace_diagnostics=True, work_done_progress=True
    )

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        document = ls.documents.get(params.text_document.uri)
        if document is None or not await ls.linter.fresh(document, saved=True):
            return types.RelatedFullDocumentDiagnosticReport([])
        if params.previous_result_id == document.result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(document.result_id)
        return types.RelatedFullDocumentDiagnosticReport(diagnostics(ls, document), result_id=document.result_id)


def publish(server: Server, document: OpenDocument) -> None:
    """Push the findings of the current text."""
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(document.uri, diagnostics(server, document), document.version)
    )


def diagnostics(server: Server, document: OpenDocument) -> list[types.Diagnostic]:
    analysis = document.analysis
    if analysis is None or not (analysis.is_model or document.known):
        return []
    format_ = analysis.result.format
    related = server.client_has("text_document", "publish_diagnostics", "related_information") or server.pulls
    return [
        diagnostic(document.uri, analysis, finding, server.encoding, format_, related)
        for finding in analysis.result.findings
    ] + [found for found_there in document.mirrored.values() for found in found_there]


def mirror(server: Server, document: OpenDocument) -> None:
    """Show what a companion contradicts in the open documents of the models that it is about, too."""
    result = document.analysis.result if document.analysis is not None else None
    for other in server.documents.values():
        path = None if other.path is None else os.path.normpath(other.path)
        findings = result.findings if result is not None and path in document.reads else []
        found = [
            types.Diagnostic(
                _range(related, server.encoding),
                finding.message,
                SEVERITIES[finding.severity],
                finding.code,
                source="irlint",
                related_information=[_information(document.uri, document.text, finding.span, "here", server.encoding)],
            )
            for finding in findings
            for related in finding.related
            if related.document is not None and os.path.normpath(related.file) == path
        ]
        if found != other.mirrored.get(document.uri, []):
            other.mirrored[document.uri] = found
            if server.pulls:
                server.ask_to_pull()
            else:
                publish(server, other)


def _range(related: Related, encoding: Encoding) -> types.Range:
    assert related.document is not None
    return range_in(Text.of(related.document.text), related.span, encoding)


def _information(
    uri: str, text: Text, span: Span, words: str, encoding: Encoding
) -> types.DiagnosticRelatedInformation:
    return types.DiagnosticRelatedInformation(types.Location(uri, range_in(text, span, encoding)), words)


def _related(uri: str, text: Text, related: Related, encoding: Encoding) -> types.DiagnosticRelatedInformation:
    """Return a note; one in another file leads there."""
    if related.document is None:
        return _information(uri, text, related.span, related.message, encoding)
    there = text_uri_of(related.file) if related.document.is_binary else uri_of(related.file)
    return types.DiagnosticRelatedInformation(types.Location(there, _range(related, encoding)), related.message)


def diagnostic(
    uri: str, analysis: Analysis, finding: Finding, encoding: Encoding, format_: str | None, related: bool = True
) -> types.Diagnostic:
    text = analysis.text
    linked = finding.name in documented(format_)
    return types.Diagnostic(
        range=range_in(text, finding.span, encoding),
        message=finding.message,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(url(finding.name, format_)) if linked else None,
        source="irlint",
        tags=[types.DiagnosticTag.Unnecessary] if finding.name in UNNECESSARY else None,
        related_information=[_related(uri, text, other, encoding) for other in finding.related[:MOST_RELATED]]
        if related and finding.related
        else None,
        data={"rule": finding.name, "node": finding.node},
    )
