// Panels with tables about models. A panel belongs to a command and a model, and follows the model's edits.
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import * as vscode from "vscode";
import { ModelState, Models } from "./models";
import { Choice, FromView, Page, ToView } from "./page";
import { fileUri } from "./texts";

export const VIEW = "irlint.table";
const PAUSE = 500; // milliseconds without a lint before a panel is brought up to date

export type Ask = (command: string, values: unknown[]) => Promise<unknown>;

export class Tables implements vscode.Disposable {
  private readonly panels = new Map<string, Panel>();
  private readonly parts: vscode.Disposable[];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly ask: Ask,
    models: Models,
  ) {
    this.parts = [models.onDidChange((state) => state && this.follow(state))];
  }

  dispose(): void {
    this.parts.forEach((part) => part.dispose());
    [...this.panels.values()].forEach((panel) => panel.dispose());
  }

  /** Asks the server for the page of a command about a model, and shows it. */
  async show(command: string, uri: string, values: unknown[] = []): Promise<void> {
    const choice: Choice | undefined = command === "irlint.ngrams" ? { n: 3, along: "order" } : undefined;
    const given = choice && values.length === 0 ? [choice.n, choice.along] : values;
    const page = await this.ask(command, [uri, ...given]);
    if (isPage(page)) {
      this.take(command, uri, given, page, choice);
    }
  }

  /** Shows a page that the server has returned. */
  take(command: string, uri: string, values: unknown[], page: Page, choice?: Choice): void {
    const key = `${command} ${uri}`;
    let panel = this.panels.get(key);
    if (panel === undefined) {
      const column = [...this.panels.values()][0]?.column ?? vscode.ViewColumn.Beside;
      panel = new Panel(this.extension, uri, column, (given) => this.ask(command, [uri, ...given]));
      panel.onDidDispose(() => this.panels.delete(key));
      this.panels.set(key, panel);
    } else {
      panel.reveal();
    }
    panel.show(page, values, choice);
  }

  private follow(state: ModelState): void {
    for (const panel of this.panels.values()) {
      if (panel.uri === state.uri) {
        panel.outdate();
      }
    }
  }
}

export function isPage(value: unknown): value is Page {
  return typeof value === "object" && value !== null && Array.isArray((value as Page).tables);
}

class Panel {
  private readonly panel: vscode.WebviewPanel;
  private page: Page | undefined;
  private values: unknown[] = [];
  private choice: Choice | undefined;
  private stale = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    readonly uri: string,
    column: vscode.ViewColumn,
    private readonly ask: (values: unknown[]) => Promise<unknown>,
  ) {
    const roots = ["dist", "media"].map((name) => vscode.Uri.joinPath(extension, name));
    const options = { enableScripts: true, enableFindWidget: true, localResourceRoots: roots };
    this.panel = vscode.window.createWebviewPanel(VIEW, "irlint", column, options);
    this.panel.iconPath = vscode.Uri.joinPath(extension, "images", "icon.png");
    this.panel.webview.onDidReceiveMessage((message: FromView) => this.receive(message));
    this.panel.onDidChangeViewState(() => this.stale && this.outdate());
    this.panel.onDidDispose(() => clearTimeout(this.timer));
    this.panel.webview.html = this.html();
  }

  get column(): vscode.ViewColumn | undefined {
    return this.panel.viewColumn;
  }

  get onDidDispose(): vscode.Event<void> {
    return this.panel.onDidDispose;
  }

  dispose(): void {
    this.panel.dispose();
  }

  reveal(): void {
    this.panel.reveal(undefined);
  }

  show(page: Page, values: unknown[], choice?: Choice): void {
    this.page = page;
    this.values = values;
    this.choice = choice;
    this.panel.title = `${page.title || "irlint"}: ${this.file}`;
    this.send();
  }

  /** The model was linted again: ask for the page again, once the panel is visible and nobody types. */
  outdate(): void {
    this.stale = true;
    clearTimeout(this.timer);
    if (this.panel.visible) {
      this.timer = setTimeout(() => void this.refresh(), PAUSE);
    }
  }

  private async refresh(): Promise<void> {
    this.stale = false;
    const page = await this.ask(this.values);
    if (isPage(page)) {
      this.show(page, this.values, this.choice);
    }
  }

  private get file(): string {
    return basename(vscode.Uri.parse(this.uri).path);
  }

  private send(): void {
    if (this.page !== undefined) {
      const message: ToView = { type: "page", page: this.page, file: this.file, choice: this.choice };
      void this.panel.webview.postMessage(message);
    }
  }

  private async receive(message: FromView): Promise<void> {
    if (message.type === "ready") {
      this.send();
    } else if (message.type === "reveal") {
      await reveal(vscode.Uri.parse(this.uri), message.line);
    } else if (message.type === "copy") {
      await vscode.env.clipboard.writeText(message.text);
      vscode.window.setStatusBarMessage("irlint: table copied as CSV", 3000);
    } else if (message.type === "save") {
      await this.save(message.text);
    } else if (message.type === "choose") {
      this.choice = message.choice;
      this.values = [message.choice.n, message.choice.along];
      await this.refresh();
    }
  }

  private async save(text: string): Promise<void> {
    const model = fileUri(vscode.Uri.parse(this.uri));
    const stem = this.file.replace(/\.[^.]*$/, "");
    const name = `${stem}-${(this.page?.title ?? "table").toLowerCase().replace(/[^a-z0-9]+/g, "-")}.csv`;
    const folder = model.scheme === "file" ? vscode.Uri.joinPath(model, "..") : vscode.workspace.workspaceFolders?.[0]?.uri;
    const target = await vscode.window.showSaveDialog({
      defaultUri: folder && vscode.Uri.joinPath(folder, name),
      filters: { "CSV": ["csv"] },
    });
    if (target !== undefined) {
      await vscode.workspace.fs.writeFile(target, Buffer.from(text, "utf8"));
    }
  }

  private html(): string {
    const { webview } = this.panel;
    const nonce = randomBytes(16).toString("base64");
    const script = webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "dist", "table.js"));
    const style = webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "media", "table.css"));
    const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${style}">
<title>irlint</title>
</head>
<body><main id="page"></main><script nonce="${nonce}" src="${script}"></script></body>
</html>`;
  }
}

/** Shows a line of a model, in the editor that has it already, if there is one. */
async function reveal(uri: vscode.Uri, line: number): Promise<void> {
  const at = new vscode.Position(Math.max(line - 1, 0), 0);
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  const editor = await vscode.window.showTextDocument(uri, {
    viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
    selection: new vscode.Range(at, at),
  });
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
