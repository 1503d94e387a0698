"""textDocument/codeAction: fixes, one by one or all at once; suppressions; explanations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from irlint import fixes, offers
from irlint.findings import GRADES, Finding, Safety, Severity
from irlint.records import replace
from irlint.settings import Settings
from irlint.text.base import Edit, Span
from irlint_lsp.documents import CurrentView, Superseded
from irlint_lsp.features.diagnostics import diagnostic
from irlint_lsp.features.shown_text import REWRITE, rewriting
from irlint_lsp.paced import ATTEMPTS
from irlint_lsp.protocol import CONTENT_MODIFIED
from irlint_lsp.text import Text

if TYPE_CHECKING:
    from irlint_lsp.server import Server

FIX_ALL = "source.fixAll.irlint"
QUICK = types.CodeActionKind.QuickFix.value
SUPPRESS = f"{QUICK}.suppress"
MOST = 50  # findings at the cursor that get actions


def register(server: Server) -> None:
    options = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        only = params.context.only
        is_asked = params.context.trigger_kind != types.CodeActionTriggerKind.Automatic
        wants_all = _asked(only, FIX_ALL) and (only is not None or is_asked)
        for _ in range(ATTEMPTS):
            view = await ls.fresh(params.text_document.uri)
            if view is None:
                return []
            span = view.span(params.range)
            met = _met(view, span) if _asked(only, QUICK) else []
            found = await _tried(ls, view, met, wants_all)
            if found is not None:
                return _actions(ls, view, found)
        raise JsonRpcException("the text keeps changing", code=CONTENT_MODIFIED)


class AlikeFindings(NamedTuple):
    """The fixes of all findings of a rule."""

    edits: list[Edit]
    safety: Safety  # of the most doubtful one


class Tried(NamedTuple):
    """The results of trying fixes of a text."""

    findings: list[Finding]  # those at the cursor, each with its fix only if that would be applied
    alike: dict[str, AlikeFindings]  # the fixes of all findings of a rule, by its code
    everything: list[Edit]  # what --fix does


def _met(view: CurrentView, span: Span) -> list[Finding]:
    findings = view.result.findings
    return [f for f in findings if f.span.start <= span.end and span.start <= f.span.end][:MOST]


def _actions(ls: Server, view: CurrentView, tried: Tried) -> list[types.CodeAction]:
    actions: list[types.CodeAction] = []
    repairs: dict[object, types.CodeAction] = {}
    for finding in tried.findings:
        actions += _for_finding(ls, view, finding, tried.alike.get(finding.code), repairs)
    if tried.everything:
        actions.append(_action(ls, view, "irlint: Apply all safe and proven fixes", FIX_ALL, tried.everything))
    return actions


async def _tried(ls: Server, view: CurrentView, met: list[Finding], wants_all: bool) -> Tried | None:
    """Try the fixes of some findings, and with `wants_all` what --fix does; None if the text has changed meanwhile."""
    document, result, text = view.document, view.result, view.analysis.text.string
    tried = [*met, *(result.findings if wants_all else ())]
    if not any(f.fix or f.severity == Severity.ERROR for f in tried):
        return Tried(met, {}, [])
    edits, settings = document.edits, ls.configured.settings(document.path, ls.settings)

    def is_over() -> bool:  # an edit has come, or another analysis: the one of this view is taken apart
        return document.edits != edits or document.analysis is not view.analysis

    def checkpoint() -> None:
        if is_over():
            raise Superseded

    bench = offers.TrialLinter(result, replace(result.request, settings=settings, checkpoint=checkpoint))

    def work() -> Tried:
        repaired = dict(zip(map(id, met), bench.search(text, met), strict=True))
        others = [repaired.get(id(f)) or replace(f, fix=None) for f in result.findings]
        kept = [
            new
            for old, new in zip(result.findings, fixes.offered(text, others, bench.lint), strict=True)
            if id(old) in repaired
        ]
        unsafe = {(f.code, f.fix.needs_flag) for f in kept if f.fix is not None}
        alike = {
            code: found
            for code in {code for code, _ in unsafe}
            if (found := _alike(text, result.findings, code, (code, True) in unsafe, bench.lint)) is not None
        }
        return Tried(kept, alike, _everything(text, settings, bench) if wants_all else [])

    found = await ls.linter.in_thread(work)
    if is_over():
        return None
    if isinstance(found, Exception):
        raise found
    return found


def _everything(text: str, settings: Settings, bench: offers.TrialLinter) -> list[Edit]:
    """Return the edits of `irlint check --fix`, which, unlike an editor, leaves mild findings alone."""
    on_command = replace(settings, repairs_from=Severity.WARNING)

    def repaired(changed: str) -> list[Finding]:
        return [
            f if on_command.repairs(f.code, f.name, f.severity) else replace(f, fix=None) for f in bench.lint(changed)
        ]

    return fixes.fix(text, repaired, search=bench.search).edits


def _alike(text: str, findings: list[Finding], code: str, unsafe: bool, lint: fixes.Lint) -> AlikeFindings | None:
    """Return the fixes of all findings of a rule, if it has several; unsafe ones only if one of those is at the cursor."""
    if sum(f.code == code and f.fix is not None for f in findings) < 2:
        return None

    def only(changed: str) -> list[Finding]:
        return [f if f.code == code else replace(f, fix=None) for f in lint(changed)]

    made = fixes.fix(text, only, unsafe)
    grades = [GRADES.index(fix.safety) for fix in made.made.values()]
    return AlikeFindings(made.edits, GRADES[max(grades)]) if len(made.applied) > 1 else None


def _asked(only: Sequence[str] | None, kind: str) -> bool:
    return only is None or any(not word or kind == word or kind.startswith(f"{word}.") for word in only)


def _for_finding(
    ls: Server,
    view: CurrentView,
    finding: Finding,
    alike: AlikeFindings | None,
    repairs: dict[object, types.CodeAction],
) -> Iterator[types.CodeAction]:
    """Yield the actions for a finding. An action that several findings share is one action with a diagnostic for each."""
    shown = [diagnostic(view.uri, view.analysis, finding, ls.encoding, view.result.format)]
    fix, code = finding.fix, finding.code
    if fix is not None and fix.edits:
        repairing: list[tuple[object, str, Sequence[Edit], bool | None]] = [
            (id(fix), _graded(f"{fix.title} ({code})", fix.safety), fix.edits, not fix.needs_flag)
        ]
        if alike is not None:
            title = _graded(f"Fix all {code} ({finding.name}) findings", alike.safety)
            repairing.append((code, title, alike.edits, None))
        for key, title, edits, is_preferred in repairing:
            if (action := repairs.get(key)) is not None:
                action.diagnostics = [*(action.diagnostics or ()), *shown]
                continue
            action = repairs[key] = _action(ls, view, title, QUICK, edits, shown)
            action.is_preferred = is_preferred
            yield action
    silence = None
    if not finding.code.startswith("S") and not _is_unreadable(view):  # where the text is wrong no comment is read
        silence = view.navigation.suppression(view.model, finding.span, finding.code)
    if silence is not None:
        yield _action(ls, view, f"Ignore {finding.code} here", SUPPRESS, [silence], shown)
    yield types.CodeAction(
        f"Explain {finding.code} ({finding.name})",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=shown,
        command=types.Command("Explain", "irlint.explain", arguments=[finding.code]),
    )


def _graded(title: str, safety: Safety) -> str:
    """Return a title with the grade of what it does, unless that is safe."""
    return title if safety == "safe" else f"{title} ({safety})"


def _action(
    ls: Server,
    view: CurrentView,
    title: str,
    kind: types.CodeActionKind | str,
    edits: Sequence[Edit],
    diagnostics: list[types.Diagnostic] | None = None,
) -> types.CodeAction:
    """Return an action that makes edits. If the document shows a file, the server makes them in the file."""
    action = types.CodeAction(title, kind=kind, diagnostics=diagnostics)
    if view.document.shows_file:
        action.command = types.Command(title, REWRITE, arguments=rewriting(view.document, edits))
    else:
        action.edit = workspace_edit(ls, view, edits)
    return action


def _is_unreadable(view: CurrentView) -> bool:
    return any(f.name in fixes.UNREADABLE and f.severity == Severity.ERROR for f in view.result.findings)


def workspace_edit(ls: Server, view: CurrentView, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    """Return the edits of a view of the current text, tied to its version if the client supports that."""
    document = view.document
    made = [types.TextEdit(document.range(edit.span), edit.text) for edit in sayable(document.text, edits)]
    if ls.client_has("workspace", "workspace_edit", "document_changes"):
        versioned = types.OptionalVersionedTextDocumentIdentifier(view.uri, document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(versioned, list(made))])
    return types.WorkspaceEdit(changes={view.uri: made})


def sayable(text: Text, edits: Sequence[Edit]) -> list[Edit]:
    """Return edits that do not begin or end inside a CRLF: the protocol has no position there."""

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
