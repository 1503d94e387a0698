// Waits for the first document that looks like a model.
import * as vscode from "vscode";
import { isOurs } from "./documents";
import { HEAD, looksLikeModel } from "./head";

const PAUSE = 300; // milliseconds without typing before a text is looked at again

/** Calls `found` once, when a document that looks like a model is open. */
export function whenModelOpens(found: () => void): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const parts: vscode.Disposable[] = [];
  const stop = () => {
    clearTimeout(timer);
    parts.splice(0).forEach((part) => part.dispose());
  };
  const look = (document: vscode.TextDocument) => {
    if (isOurs(document) && looksLikeModel(headOf(document))) {
      stop();
      found();
      return true;
    }
    return false;
  };
  if (!vscode.workspace.textDocuments.some(look)) {
    parts.push(
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        clearTimeout(timer);
        timer = setTimeout(() => look(document), PAUSE);
      }),
    );
  }
  return { dispose: stop };
}

function headOf(document: vscode.TextDocument): string {
  return document.getText(new vscode.Range(new vscode.Position(0, 0), document.positionAt(HEAD + 1)));
}
