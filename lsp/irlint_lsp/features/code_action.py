"""textDocument/codeAction: repairs, one by one or all at once; silence; explanations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint import fixes
from irlint.findings import Finding
from irlint.text.base import Edit, Span
from irlint_lsp.documents import View
from irlint_lsp.features.diagnostics import diagnostic
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
        view = await ls.fresh(params.text_document.uri)
        if view is None:
            return []
        only = params.context.only
        span = view.span(params.range)
        actions: list[types.CodeAction] = []
        if _asked(only, QUICK):
            met = [f for f in view.result.findings if f.span.start <= span.end and span.start <= f.span.end]
            for finding in met[:50]:
                actions += _for_finding(ls, view, finding)
        if _asked(only, FIX_ALL) and (only is not None or any(f.fix for f in view.result.findings)):
            edits = chosen_edits(view.result.findings)
            if edits:
                actions.append(
                    types.CodeAction(
                        "irlint: make all safe repairs", kind=FIX_ALL, edit=workspace_edit(ls, view, edits)
                    )
                )
        return actions


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
    is_syntax = finding.code.startswith("S")  # a comment would not be read where the text itself is wrong
    silence = None if is_syntax else navigation(view).suppression(model_of(view), finding.span, finding.code)
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
