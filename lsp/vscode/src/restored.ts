// Binary models in tabs that were there before this extension: VS Code shows their raw bytes, we show their text.
import * as vscode from "vscode";
import { EDITOR } from "./texts";

const NAME = /\.onnx$/i; // as in the manifest

/** Opens such models as text, each once its tab is in front. Tabs that are opened later have the editor that was asked for. */
export function showRestored(): vscode.Disposable {
  const waiting = new Set(tabs().filter(isRaw).map(key));
  const show = (some: readonly vscode.Tab[]) => {
    for (const tab of some.filter((one) => one.isActive && isRaw(one))) {
      if (waiting.delete(key(tab))) {
        void replace(tab);
      }
    }
  };
  show(tabs());
  return vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => show([...opened, ...changed]));
}

async function replace(tab: vscode.Tab): Promise<void> {
  const { uri } = tab.input as vscode.TabInputText;
  const options = { viewColumn: tab.group.viewColumn, preview: tab.isPreview, preserveFocus: !tab.group.isActive };
  await vscode.commands.executeCommand("vscode.openWith", uri, EDITOR, options);
  const old = tabs().find((one) => isRaw(one) && key(one) === key(tab));
  if (old !== undefined) {
    await vscode.window.tabGroups.close(old, true);
  }
}

/** A model in the editor for text, unless the user's settings say so, or it is edited. */
function isRaw({ input, isDirty }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputText && !isDirty && input.uri.scheme === "file" && NAME.test(input.uri.path) && !isChosen();
}

function isChosen(): boolean {
  const editors = vscode.workspace.getConfiguration("workbench").get<Record<string, string>>("editorAssociations", {});
  return Object.entries(editors).some(([pattern, editor]) => NAME.test(pattern) && editor === "default");
}

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);

const key = (tab: vscode.Tab) => `${tab.group.viewColumn} ${(tab.input as vscode.TabInputText).uri}`;
