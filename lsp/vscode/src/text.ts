// Shows the result of a command in a read-only editor.
import * as vscode from "vscode";

const SCHEME = "irlint";
const texts = new Map<string, string>();

export function register(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => texts.get(uri.path) ?? "",
  });
}

export async function showText(command: string, text: string): Promise<void> {
  const title = command.replace(/^irlint\./, "");
  const isPage = title === "explain";
  const path = `/${title} ${texts.size + 1}${isPage ? ".md" : ".txt"}`;
  texts.set(path, text);
  const uri = vscode.Uri.from({ scheme: SCHEME, path });
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}
