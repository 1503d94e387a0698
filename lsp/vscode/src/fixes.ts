// Fixes of documents that show a file: an editor of a read-only text has no light bulb.
import * as vscode from "vscode";

type Action = vscode.CodeAction & { command: vscode.Command };

/** Lets the user choose among the fixes at the cursor, or among all if there are none. */
export async function chooseFix(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { document, selection } = editor;
  const line = document.lineAt(selection.active.line).range;
  const everywhere = new vscode.Range(0, 0, document.lineCount, 0);
  let found: Action[] = [];
  for (const range of [selection, line, everywhere]) {
    found = found.length > 0 ? found : await actions(document.uri, range);
  }
  if (found.length === 0) {
    vscode.window.setStatusBarMessage("irlint: no fixes available", 3000);
    return;
  }
  const items = found.map((action) => ({ label: action.title, detail: action.diagnostics?.[0]?.message, action }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: "Fix, and write the file" });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.action.command.command, ...(chosen.action.command.arguments ?? []));
  }
}

async function actions(uri: vscode.Uri, range: vscode.Range): Promise<Action[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", uri, range);
  return (found ?? []).filter((action): action is Action => action.command?.command === "irlint.rewrite");
}
