// The models among the open documents, as the server knows them, and the one that commands are about.
import * as vscode from "vscode";
import { isOurs } from "./documents";

/** The params of the server's notification irlint/model. */
export interface ModelState {
  uri: string;
  isModel: boolean;
  format?: string;
  dialect?: string;
  calls: number; // of operators, as the summary counts them
  errors: number;
  warnings: number;
  others: number;
}

const PATIENCE = 15_000; // milliseconds for the first answer about a document
const HINT = "Open a model first: ONNX (.onnx), OpenVINO IR (.xml), an MXNet or NNVM graph (.json), an ncnn param file (.param), a LightNet model (.json) or a Glacier listing (.txt).";

export class Models implements vscode.Disposable {
  private readonly states = new Map<string, ModelState>();
  private recent: string[] = []; // the last active first
  private readonly changed = new vscode.EventEmitter<ModelState | undefined>();
  private readonly parts: vscode.Disposable[];
  /** A model was opened, linted or closed, or another one is active. */
  readonly onDidChange = this.changed.event;

  constructor() {
    this.parts = [
      this.changed,
      vscode.window.onDidChangeActiveTextEditor(() => this.update()),
      vscode.window.tabGroups.onDidChangeTabs(() => this.update()),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.states.delete(document.uri.toString());
        this.update();
      }),
    ];
    this.update();
  }

  dispose(): void {
    this.parts.forEach((part) => part.dispose());
  }

  /** Take what the server says of a document. */
  tell(state: ModelState): void {
    const key = vscode.Uri.parse(state.uri).toString();
    this.states.set(key, { ...state, uri: key });
    this.update(this.states.get(key));
  }

  /** Forget what a server said that has ended. */
  clear(): void {
    this.states.clear();
    this.update();
  }

  /** What is known of a document. */
  state(uri: string): ModelState | undefined {
    return this.states.get(uri);
  }

  /** The number of findings in a document. */
  count(uri: vscode.Uri): number {
    const { errors, warnings, others } = this.states.get(uri.toString()) ?? { errors: 0, warnings: 0, others: 0 };
    return errors + warnings + others;
  }

  /** The active model, else the last one that was active and is still open. */
  get current(): string | undefined {
    const active = activeUri();
    return active !== undefined && this.isModel(active) ? active : this.recent.find((uri) => isOpen(uri));
  }

  /** The model for a command: `asked`, the active one, or the last; without one the user is told what to open. */
  async pick(asked?: vscode.Uri): Promise<string | undefined> {
    const first = asked?.toString() ?? activeUri();
    if (first !== undefined && this.states.get(first) === undefined) {
      await this.answered(first);
    }
    const found = first !== undefined && this.isModel(first) ? first : this.current;
    if (found === undefined) {
      void vscode.window.showInformationMessage(HINT);
    }
    return found;
  }

  private isModel(uri: string): boolean {
    return this.states.get(uri)?.isModel === true;
  }

  /** Wait until the server has said what a document is, if it is told of it at all. */
  private async answered(uri: string): Promise<void> {
    const document = vscode.workspace.textDocuments.find((other) => other.uri.toString() === uri);
    if (document === undefined || !isOurs(document)) {
      return;
    }
    await new Promise<void>((resolve) => {
      const listening = this.onDidChange(() => this.states.has(uri) && end());
      const timer = setTimeout(() => end(), PATIENCE);
      const end = () => {
        clearTimeout(timer);
        listening.dispose();
        resolve();
      };
    });
  }

  private update(state?: ModelState): void {
    const active = activeUri();
    if (active !== undefined && this.isModel(active)) {
      this.recent = [active, ...this.recent.filter((uri) => uri !== active)];
    }
    this.recent = this.recent.filter((uri) => this.isModel(uri));
    const paths = [...this.states.values()].filter((known) => known.isModel).map(({ uri }) => vscode.Uri.parse(uri).fsPath);
    void vscode.commands.executeCommand("setContext", "irlint.models", paths);
    void vscode.commands.executeCommand("setContext", "irlint.hasModel", this.current !== undefined);
    this.changed.fire(state);
  }
}

function activeUri(): string | undefined {
  return vscode.window.activeTextEditor?.document.uri.toString();
}

function isOpen(uri: string): boolean {
  const inTab = (tab: vscode.Tab) =>
    (tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri) ||
    (tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.toString() === uri);
  return vscode.window.tabGroups.all.some((group) => group.tabs.some(inTab));
}
