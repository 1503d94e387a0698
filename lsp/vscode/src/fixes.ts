// The command that fixes a model: it lists the fixes at the cursor, or all, and makes the one that is chosen.
// An editor of a read-only text has no light bulb.
import { basename } from "node:path";
import * as vscode from "vscode";
import { CodeActionRequest, CodeActionTriggerKind } from "vscode-languageclient/node";
import { Models } from "./models";
import { Session } from "./session";

type Item = vscode.QuickPickItem & { action?: vscode.CodeAction };

const SUPPRESS = vscode.CodeActionKind.QuickFix.append("suppress");

/** Lets the user choose among the fixes at the cursor, or among all if there are none. */
export async function chooseFix(session: Session, models: Models): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { document } = editor;
  const name = basename(document.uri.path);
  const found = await busy(`irlint: looking for fixes of ${name}`, true, (token) => offered(session, editor, token));
  if (found === undefined) {
    return;
  }
  const fixes = found.filter((action) => !isSuppression(action));
  const count = models.count(document.uri);
  if (fixes.length === 0 && !(await wantsSuppressions(name, count, found.length > 0))) {
    return;
  }
  const chosen = await choose(name, fixes, found.filter(isSuppression));
  if (chosen !== undefined) {
    await busy(`irlint: ${chosen.title}: ${name}`, false, () => make(chosen));
    vscode.window.setStatusBarMessage(`irlint: ${name}: ${chosen.title}: done`, 5000);
  }
}

/** The actions that change the document, at the cursor, in its line, or else anywhere; undefined if the user does not wait for them. */
async function offered(session: Session, { document, selection }: vscode.TextEditor, token: vscode.CancellationToken): Promise<vscode.CodeAction[] | undefined> {
  const line = document.lineAt(selection.active.line).range;
  const everywhere = new vscode.Range(0, 0, document.lineCount, 0);
  let found: vscode.CodeAction[] = [];
  for (const range of [selection, line, everywhere]) {
    if (!found.some(isOfFinding)) {
      found = await actions(session, document, range, token).catch((error: unknown) => {
        if (token.isCancellationRequested) {
          return [];
        }
        throw error;
      });
    }
  }
  return token.isCancellationRequested ? undefined : found;
}

/** What the server offers; asked directly, since VS Code's own command leaves out what an action is about. */
async function actions({ client }: Session, document: vscode.TextDocument, range: vscode.Range, token: vscode.CancellationToken): Promise<vscode.CodeAction[]> {
  if (client === undefined) {
    return [];
  }
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  const context = { diagnostics: [], triggerKind: CodeActionTriggerKind.Invoked };
  const asked = { textDocument, range: client.code2ProtocolConverter.asRange(range), context };
  const answer = (await client.sendRequest(CodeActionRequest.type, asked, token)) ?? [];
  const found = await client.protocol2CodeConverter.asCodeActionResult(answer, token);
  return found.filter((one): one is vscode.CodeAction => one instanceof vscode.CodeAction && changes(one));
}

/** Nothing can be fixed: says so, and whether the user wants the suppressions that there are. */
async function wantsSuppressions(name: string, count: number, some: boolean): Promise<boolean> {
  if (count === 0) {
    void vscode.window.showInformationMessage(`irlint: nothing to fix in ${name}: it has no findings.`);
    return false;
  }
  const which = count === 1 ? "the finding" : `any of the ${count.toLocaleString("en-US")} findings`;
  const words = `irlint: nothing to fix in ${name}: there is no fix for ${which}.`;
  const answer = "Ignore findings...";
  return (await vscode.window.showInformationMessage(words, ...(some ? [answer] : []))) === answer;
}

/** The list has no row in front, whatever is typed: an Enter that was meant for the text chooses nothing. */
function choose(name: string, fixes: vscode.CodeAction[], suppressions: vscode.CodeAction[]): Promise<vscode.CodeAction | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  const separator: Item = { label: "Leave it as it is", kind: vscode.QuickPickItemKind.Separator };
  pick.title = `irlint: fix ${name}`;
  pick.placeholder = "Choose with the arrow keys or the mouse: Enter alone changes nothing";
  pick.matchOnDetail = true;
  pick.items = [...fixes.map(item), ...(suppressions.length > 0 ? [separator, ...suppressions.map(item)] : [])];
  pick.activeItems = [];
  return new Promise((resolve) => {
    pick.onDidChangeValue(() => (pick.activeItems = []));
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) {
        resolve(chosen.action);
        pick.hide();
      }
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function item(action: vscode.CodeAction): Item {
  return { label: action.title, detail: action.diagnostics?.[0]?.message, action };
}

async function make({ edit, command }: vscode.CodeAction): Promise<void> {
  if (edit !== undefined) {
    await vscode.workspace.applyEdit(edit);
  }
  if (command !== undefined) {
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
  }
}

function busy<T>(title: string, cancellable: boolean, work: (token: vscode.CancellationToken) => Promise<T>): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable };
  return vscode.window.withProgress(options, (_, token) => work(token));
}

function changes({ command, edit }: vscode.CodeAction): boolean {
  return edit !== undefined || command?.command === "irlint.rewrite";
}

const isOfFinding = (action: vscode.CodeAction) => action.diagnostics !== undefined && !isSuppression(action);

function isSuppression({ kind }: vscode.CodeAction): boolean {
  return kind !== undefined && SUPPRESS.contains(kind);
}
