"""textDocument/codeAction: repairs, one by one or all at once; silence; explanations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from irlint import fixes
from irlint.findings import Finding, Severity
from irlint.text.base import Edit, Span
from irlint_lsp.documents import Token, View
from irlint_lsp.features.diagnostics import diagnostic
from irlint_lsp.linting import lint
from irlint_lsp.paced import ATTEMPTS
from irlint_lsp.protocol import CONTENT_MODIFIED
from irlint_lsp.shown import model_of, navigation
from irlint_lsp.text import Text

if TYPE_CHECKING:
    from irlint_lsp.server import Server

FIX_ALL = "source.fixAll.irlint"
QUICK = types.CodeActionKind.QuickFix.value


def register(server: Server) -> None:
    options = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        only = params.context.only
        is_asked = params.context.trigger_kind != types.CodeActionTriggerKind.Automatic
        repairs: list[Edit] | None = None
        for _ in range(ATTEMPTS):
            view = await ls.fresh(params.text_document.uri)
            if view is None:
                return []
            repairs = await _repairs(ls, view) if _asked(only, FIX_ALL) and (only is not None or is_asked) else []
            if repairs is not None:
                break
        view = await ls.fresh(params.text_document.uri)  # the same text, perhaps read again
        if view is None:
            return []
        if repairs is None:
            raise JsonRpcException("the text changes all the time", code=CONTENT_MODIFIED)
        span = view.span(params.range)
        actions: list[types.CodeAction] = []
        if _asked(only, QUICK):
            met = [f for f in view.result.findings if f.span.start <= span.end and span.start <= f.span.end]
            for finding in met[:50]:
                actions += _for_finding(ls, view, finding)
        if repairs:
            edit = workspace_edit(ls, view, repairs)
            actions.append(types.CodeAction("irlint: make all safe repairs", kind=FIX_ALL, edit=edit))
        return actions


async def _repairs(ls: Server, view: View) -> list[Edit] | None:
    """What `irlint check --fix` does: round by round, and nothing that leaves the text worse. None: the text has changed."""
    document, result, text = view.document, view.result, view.analysis.text.string
    if not chosen_edits(result.findings):
        return []
    edits, settings = document.edits, ls.configured.settings(document.path, ls.settings)
    path = Path(document.path) if document.path else None
    token = Token()

    def lint_text(fixed: str) -> list[Finding]:
        token.superseded = document.edits != edits or document.analysis is None
        return result.findings if fixed is text else lint(fixed, result.name, settings, path, token).findings

    found = await ls.linter.in_thread(lambda: fixes.fix(text, lint_text).edits)
    if document.edits != edits or document.analysis is None:
        return None
    if isinstance(found, Exception):
        raise found
    return found or []


def _asked(only: Sequence[str] | None, kind: str) -> bool:
    return only is None or any(not word or kind == word or kind.startswith(f"{word}.") for word in only)


def _for_finding(ls: Server, view: View, finding: Finding) -> Iterator[types.CodeAction]:
    shown = [diagnostic(view.uri, view.analysis, finding, ls.encoding, view.result.format)]
    if finding.fix is not None and finding.fix.edits:
        yield types.CodeAction(
            f"{finding.fix.title} ({finding.code})",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=shown,
            is_preferred=finding.fix.safety == "safe",
            edit=workspace_edit(ls, view, finding.fix.edits),
        )
        same = [f for f in view.result.findings if f.code == finding.code and f.fix is not None]
        if len(same) > 1 and (edits := chosen_edits(same, unsafe=True)):
            yield types.CodeAction(
                f"Repair all {len(same)} findings of {finding.code} {finding.name}",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=shown,
                edit=workspace_edit(ls, view, edits),
            )
    silence = None
    if not finding.code.startswith("S") and not _is_unreadable(view):  # where the text is wrong no comment is read
        silence = navigation(view).suppression(model_of(view), finding.span, finding.code)
    if silence is not None:
        yield types.CodeAction(
            f"Silence {finding.code} here",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=shown,
            edit=workspace_edit(ls, view, [silence]),
        )
    yield types.CodeAction(
        f"Explain {finding.code} {finding.name}",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=shown,
        command=types.Command("Explain", "irlint.explain", arguments=[finding.code]),
    )


def _is_unreadable(view: View) -> bool:
    return any(f.name in fixes.UNREADABLE and f.severity == Severity.ERROR for f in view.result.findings)


def chosen_edits(findings: list[Finding], unsafe: bool = False) -> list[Edit]:
    """Edits of the findings' fixes that do not touch each other."""
    return sorted({edit for f in fixes.choose(findings, unsafe) if f.fix for edit in f.fix.edits})


def workspace_edit(ls: Server, view: View, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    """The edits of a view of the present text, tied to its version where the client can."""
    document = view.document
    made = [types.TextEdit(document.range(edit.span), edit.text) for edit in sayable(document.text, edits)]
    if ls.client_has("workspace", "workspace_edit", "document_changes"):
        versioned = types.OptionalVersionedTextDocumentIdentifier(view.uri, document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(versioned, list(made))])
    return types.WorkspaceEdit(changes={view.uri: made})


def sayable(text: Text, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, none of which begins or ends between the two halves of a CRLF: the protocol has no position there."""

    def splits(offset: int) -> bool:
        return offset > 0 and text.slice(offset - 1, offset + 1) == "\r\n"

    found: list[Edit] = []
    for edit in sorted(edits):
        if found and found[-1].span.end == edit.span.start and splits(edit.span.start):
            last = found.pop()
            edit = Edit(Span(last.span.start, edit.span.end), last.text + edit.text)
        found.append(edit)
    return [
        Edit(
            Span(start - splits(start), end + splits(end)),
            "\r" * splits(start) + new + "\n" * splits(end),
        )
        for (start, end), new in found
    ]
