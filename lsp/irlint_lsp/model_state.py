"""What a document is and how it fares: the params of the notification irlint/model."""

from __future__ import annotations

from typing import Any

from irlint.findings import Severity
from irlint_lsp.documents import OpenDocument

METHOD = "irlint/model"


def state(document: OpenDocument) -> dict[str, Any]:
    analysis = None if document.left_out else document.analysis
    if analysis is None or not (analysis.is_model or document.known):
        return {"uri": document.uri, "isModel": False}
    result, model = analysis.result, analysis.result.model
    levels = [finding.severity for finding in result.findings]
    return {
        "uri": document.uri,
        "isModel": True,
        "format": result.format,
        "dialect": result.dialect,
        "nodes": sum(len(graph.nodes) for graph in model.graph.walk()) if model is not None else 0,
        "errors": levels.count(Severity.ERROR),
        "warnings": levels.count(Severity.WARNING),
        "others": sum(level not in (Severity.ERROR, Severity.WARNING) for level in levels),
    }
