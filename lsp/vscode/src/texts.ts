// Binary models as read-only text: documents of the scheme irlint-text, whose text the server makes of the file.
import * as vscode from "vscode";

export const SCHEME = "irlint-text";
export const EDITOR = "irlint.text";

/** The document that shows a file. */
export const textUri = (file: vscode.Uri): vscode.Uri => file.with({ scheme: SCHEME });

/** The file that a document shows, or is. */
export const fileUri = (uri: vscode.Uri): vscode.Uri => (uri.scheme === SCHEME ? uri.with({ scheme: "file" }) : uri);

export type ReadText = (uri: string) => Promise<string>;

export class Texts implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly read: ReadText) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerFileSystemProvider(SCHEME, this, { isReadonly: reason(), isCaseSensitive: true }),
      vscode.window.registerCustomEditorProvider(EDITOR, new Opener(), { supportsMultipleEditorsPerDocument: true }),
    );
  }

  /** Let the editor ask for a text again. */
  refresh(uri: vscode.Uri): void {
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const file = fileUri(uri);
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(file, ".."), name.replace(/[[\]{}*?]/g, "?"));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const refresh = () => this.refresh(uri);
    return vscode.Disposable.from(watcher, watcher.onDidChange(refresh), watcher.onDidCreate(refresh));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { ctime, mtime } = await vscode.workspace.fs.stat(fileUri(uri));
    return { type: vscode.FileType.File, ctime, mtime, size: 0 }; // of the text, which is not made for this
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    try {
      return new TextEncoder().encode(await this.read(uri.toString()));
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(words(error));
    }
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }
}

/** What whoever types into the text of a binary is told. */
function reason(): vscode.MarkdownString {
  const words = new vscode.MarkdownString("Computed from a binary: use [irlint: Fix ...](command:irlint.fix) to change the file");
  words.isTrusted = { enabledCommands: ["irlint.fix"] };
  return words;
}

/** The editor of binary models: it opens their text in its own place. */
class Opener implements vscode.CustomReadonlyEditorProvider {
  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => {} };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const tab = tabOf(uri);
    if (tab === undefined) { // one side of a comparison
      say(panel, "This is a binary model. Open it by itself to see its text.");
      return;
    }
    const options = { viewColumn: panel.viewColumn, preview: tab.isPreview, preserveFocus: !panel.active };
    try {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(textUri(uri)), options);
      panel.dispose();
    } catch (error) {
      say(panel, `irlint cannot show this file as text: ${words(error)}`);
    }
  }
}

function tabOf(uri: vscode.Uri): vscode.Tab | undefined {
  const isOurs = ({ input }: vscode.Tab) => input instanceof vscode.TabInputCustom && input.viewType === EDITOR && input.uri.toString() === uri.toString();
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).find(isOurs);
}

function say(panel: vscode.WebviewPanel, message: string): void {
  const text = message.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  panel.webview.html = `<!DOCTYPE html><html lang="en"><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><body><p>${text}</p></body></html>`;
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
