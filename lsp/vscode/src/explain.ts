// Shows the page of a rule, rendered.
import * as vscode from "vscode";

const SCHEME = "irlint";
const pages = new Map<string, string>();

export function registerPages(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => pages.get(uri.path) ?? "",
  });
}

export async function showPage(rule: string, text: string): Promise<void> {
  const path = `/${rule}.md`;
  pages.set(path, text);
  const uri = vscode.Uri.from({ scheme: SCHEME, path });
  try {
    await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
  } catch { // Markdown's own extension may be disabled
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }
}
