// The status bar item of the model that commands are about: format, dialect, nodes, problems; a click shows its summary.
import * as vscode from "vscode";
import { Models } from "./models";
import { statusText, statusWords } from "./status_text";
import { fileUri } from "./texts";

export function showStatus(models: Models): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("irlint.model", vscode.StatusBarAlignment.Right, 100);
  item.name = "irlint: model";
  item.command = "irlint.showSummary";
  const update = () => {
    const uri = isAbout(models) ? models.current : undefined;
    const state = uri === undefined ? undefined : models.state(uri);
    if (state === undefined) {
      item.hide();
      return;
    }
    item.text = statusText(state);
    const file = vscode.workspace.asRelativePath(fileUri(vscode.Uri.parse(state.uri)));
    item.tooltip = `irlint: ${file}: ${statusWords(state)}. Click to show the summary.`;
    item.accessibilityInformation = { label: statusWords(state) };
    item.show();
  };
  update();
  return vscode.Disposable.from(item, models.onDidChange(update));
}

/** A model is active, or one of our tables, which are about a model. */
function isAbout(models: Models): boolean {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  if (active !== undefined) {
    return models.state(active)?.isModel === true;
  }
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputWebview && input.viewType.includes("irlint.");
}
