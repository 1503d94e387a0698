// The server's life: it starts when it is needed, restarts when its settings change, and shows its state.
import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient, State } from "vscode-languageclient/node";
import { makeClient } from "./client";
import { LANGUAGES } from "./documents";
import { ModelState, Models } from "./models";

export type OnResult = (command: string, values: unknown[], result: unknown) => Promise<void>;

export class Session {
  /** Takes what a command returns that the server itself offers, such as that of a code lens. */
  onResult: OnResult = async () => {};
  /** Takes the document whose file has another text now. */
  onTextChanged: (uri: vscode.Uri) => void = () => {};
  client: LanguageClient | undefined;
  private readonly status: vscode.LanguageStatusItem;
  private queue: Promise<void> = Promise.resolve();
  private wanted = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly models: Models,
    readonly log: vscode.LogOutputChannel,
  ) {
    this.status = vscode.languages.createLanguageStatusItem("irlint", [...LANGUAGES, "plaintext"]);
    this.status.name = "irlint";
    this.status.command = { command: "irlint.showLog", title: "Show log" };
    this.show("starts with the first model", vscode.LanguageStatusSeverity.Information);
    context.subscriptions.push(this.status);
  }

  /** One restart after the other, however often it is asked for. */
  restart(): Promise<void> {
    this.wanted = true;
    this.queue = this.queue.then(() => this.restartNow());
    return this.queue;
  }

  /** The first start, unless the server was started already. */
  async start(): Promise<void> {
    if (!this.wanted) {
      await this.restart();
    }
  }

  /** A restart if the server was started before. */
  async restartIfStarted(): Promise<void> {
    if (this.wanted) {
      await this.restart();
    }
  }

  async stop(): Promise<void> {
    await this.queue;
    await this.client?.stop();
  }

  /** The text of a file that is not text; the server is started for it. */
  async text(uri: string): Promise<string> {
    await this.start();
    await this.queue;
    if (this.client === undefined) {
      throw new Error("the irlint server does not run");
    }
    return (await this.client.sendRequest<{ text: string }>("irlint/text", { uri })).text;
  }

  /** The result of a command of the server, which is started for it; undefined, and a message, if it fails. */
  async ask(command: string, values: unknown[]): Promise<unknown> {
    await this.start();
    await this.queue;
    try {
      return await this.client?.sendRequest(ExecuteCommandRequest.type, { command, arguments: values });
    } catch (error) {
      this.log.warn(`${command}: ${String(error)}`);
      void vscode.window.showWarningMessage(`irlint: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  private async restartNow(): Promise<void> {
    await this.client?.dispose().catch((error: unknown) => this.log.warn(String(error)));
    this.client = undefined;
    this.models.clear();
    this.show("starting", vscode.LanguageStatusSeverity.Information, true);
    try {
      const client = await makeClient(this.context, this.log, (...result) => this.onResult(...result));
      this.client = client;
      if (client === undefined) {
        this.show("Python 3.10 or newer not found", vscode.LanguageStatusSeverity.Error);
        void vscode.window.showErrorMessage("irlint requires Python 3.10 or newer; set irlint.interpreter.");
        return;
      }
      client.onDidChangeState(({ newState }) => {
        if (newState === State.Stopped) {
          this.show("stopped", vscode.LanguageStatusSeverity.Warning);
        }
      });
      client.onNotification("irlint/model", (state: ModelState) => this.models.tell(state));
      client.onNotification("irlint/textChanged", ({ uri }: { uri: string }) => this.onTextChanged(vscode.Uri.parse(uri)));
      await client.start();
      this.show(`running (${client.initializeResult?.serverInfo?.version ?? "?"})`, vscode.LanguageStatusSeverity.Information);
    } catch (error) {
      this.log.error(String(error));
      this.show("failed to start; see the log", vscode.LanguageStatusSeverity.Error);
    }
  }

  private show(words: string, severity: vscode.LanguageStatusSeverity, busy = false): void {
    this.status.text = `irlint: ${words}`;
    this.status.severity = severity;
    this.status.busy = busy;
  }
}
