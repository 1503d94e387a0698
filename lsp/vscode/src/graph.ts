// The graph view beside an editor: the viewer's scripts come from the server, so that both are of one version.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { fileUri } from "./texts";

const DELAY = 120; // milliseconds after a change of the text or of its diagnostics

interface Answer {
  key: string;
  scene?: unknown;
  findings?: unknown;
  boxes?: unknown;
}

interface Message {
  type: "ready" | "goto" | "details" | "export";
  line: number;
  keepFocus?: boolean;
  box: number;
  name: string;
  data: number[];
}

const panels = new Map<string, GraphPanel>();

/** Shows the graph of a document, or brings it to the front. */
export async function showGraph(client: () => LanguageClient | undefined, document: vscode.TextDocument): Promise<void> {
  const key = document.uri.toString();
  const shown = panels.get(key);
  if (shown !== undefined) {
    shown.panel.reveal(undefined, true);
    return;
  }
  const viewer = await client()?.sendRequest<{ script: string; style: string }>("irlint/graphViewer", {});
  if (viewer === undefined) {
    return;
  }
  panels.set(key, new GraphPanel(client, document, viewer));
}

class GraphPanel {
  readonly panel: vscode.WebviewPanel;
  private readonly watching: vscode.Disposable[] = [];
  private known: string | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: () => LanguageClient | undefined, // another one after a restart
    private readonly document: vscode.TextDocument,
    viewer: { script: string; style: string },
  ) {
    const title = `Graph of ${document.uri.path.split("/").pop()}`;
    const options = { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] };
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.panel = vscode.window.createWebviewPanel("irlint.graph", title, column, options);
    this.panel.webview.onDidReceiveMessage((message: Message) => void this.receive(message));
    this.panel.onDidDispose(() => this.dispose());
    this.panel.webview.html = page(viewer.script, viewer.style);
    const uri = document.uri.toString();
    this.watching.push(
      vscode.languages.onDidChangeDiagnostics((change) => {
        if (change.uris.some((each) => each.toString() === uri)) {
          this.later();
        }
      }),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === document) {
          this.later();
        }
      }),
      vscode.window.onDidChangeTextEditorSelection((change) => {
        if (change.textEditor.document === document && change.kind !== undefined) {
          this.point(change.textEditor);
        }
      }),
    );
  }

  private dispose(): void {
    clearTimeout(this.timer);
    panels.delete(this.document.uri.toString());
    this.watching.forEach((each) => each.dispose());
  }

  /** Selects what is at the cursor of an editor. */
  private point(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined) {
      void this.panel.webview.postMessage({ type: "select", line: editor.selection.active.line + 1 });
    }
  }

  private editor(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find((editor) => editor.document === this.document);
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.update(), DELAY);
  }

  private async update(): Promise<void> {
    const uri = this.document.uri.toString();
    const answer = await this.client()?.sendRequest<Answer | null>("irlint/graph", { uri, key: this.known });
    if (answer === null || answer === undefined) {
      return; // the text cannot be read now: the last graph stays
    }
    this.known = answer.key;
    await this.panel.webview.postMessage({ type: answer.scene === undefined ? "findings" : "scene", ...answer });
  }

  private async receive(message: Message): Promise<void> {
    const uri = this.document.uri.toString();
    if (message.type === "ready") {
      this.known = undefined;
      await this.update();
      this.point(this.editor());
    } else if (message.type === "goto") {
      await this.reveal(message.line, message.keepFocus ?? false);
    } else if (message.type === "details") {
      const found = await this.client()?.sendRequest<object | null>("irlint/graphBox", { uri, box: message.box });
      await this.panel.webview.postMessage({ type: "details", ...found });
    } else if (message.type === "export") {
      const beside = vscode.Uri.joinPath(fileUri(this.document.uri), "..", message.name);
      const target = await vscode.window.showSaveDialog({ defaultUri: beside });
      if (target !== undefined) {
        await vscode.workspace.fs.writeFile(target, Uint8Array.from(message.data));
      }
    }
  }

  private async reveal(line: number, preserveFocus: boolean): Promise<void> {
    const viewColumn = this.editor()?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(this.document, { viewColumn, preserveFocus });
    const start = new vscode.Position(Math.max(line - 1, 0), 0);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

/** The page holds nothing of the model; only scripts with the nonce run. */
function page(script: string, style: string): string {
  const nonce = randomBytes(16).toString("base64");
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data: blob:`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
}
