// The irlint extension: starts and restarts the language server, and shows its state.
import * as vscode from "vscode";
import { LanguageClient, State } from "vscode-languageclient/node";
import { makeClient } from "./client";
import { showGraph } from "./graph";
import * as text from "./text";

const RESTART = ["path", "interpreter", "importStrategy", "args"].map((name) => `irlint.${name}`);

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;
let status: vscode.LanguageStatusItem;
let queue: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("irlint", { log: true });
  status = vscode.languages.createLanguageStatusItem("irlint", ["json", "jsonc", "jsonl", "xml", "plaintext"]);
  status.name = "irlint";
  status.command = { command: "irlint.showLog", title: "Show log" };
  const commands: Record<string, (...values: never[]) => unknown> = {
    "irlint.restart": () => restart(context),
    "irlint.showLog": () => log.show(),
    "irlint.showGraph": graph,
    "irlint.showDryRun": () => ask("irlint.dryRun"),
    "irlint.showFlat": () => ask("irlint.flatten"),
    "irlint.showNgrams": () => ask("irlint.ngrams"),
    "irlint.explainRule": explain,
    "irlint.showConsumers": showConsumers,
  };
  context.subscriptions.push(
    log,
    status,
    text.register(),
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => restart(context)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (RESTART.some((name) => change.affectsConfiguration(name))) {
        void restart(context);
      }
    }),
  );
  await restart(context);
}

export async function deactivate(): Promise<void> {
  await queue;
  await client?.stop();
}

/** One restart after the other, however often it is asked for. */
function restart(context: vscode.ExtensionContext): Promise<void> {
  queue = queue.then(() => restartNow(context));
  return queue;
}

async function restartNow(context: vscode.ExtensionContext): Promise<void> {
  await client?.dispose().catch((error: unknown) => log.warn(String(error)));
  client = undefined;
  show("starting", vscode.LanguageStatusSeverity.Information, true);
  try {
    client = await makeClient(context, log);
    if (client === undefined) {
      show("Python 3.10 or newer not found", vscode.LanguageStatusSeverity.Error);
      void vscode.window.showErrorMessage("irlint requires Python 3.10 or newer; set irlint.interpreter.");
      return;
    }
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped) {
        show("stopped", vscode.LanguageStatusSeverity.Warning);
      }
    });
    await client.start();
    show(`running (${client.initializeResult?.serverInfo?.version ?? "?"})`, vscode.LanguageStatusSeverity.Information);
  } catch (error) {
    log.error(String(error));
    show("failed to start; see the log", vscode.LanguageStatusSeverity.Error);
  }
}

function show(words: string, severity: vscode.LanguageStatusSeverity, busy = false): void {
  status.text = `irlint: ${words}`;
  status.severity = severity;
  status.busy = busy;
}

async function ask(command: string): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined) {
    await vscode.commands.executeCommand(command, document.uri.toString());
  }
}

async function graph(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && client !== undefined) {
    await showGraph(client, document);
  }
}

async function explain(): Promise<void> {
  const rule = await vscode.window.showInputBox({ prompt: "Code or name of a rule", placeHolder: "R003" });
  if (rule) {
    await vscode.commands.executeCommand("irlint.explain", rule);
  }
}

async function showConsumers(...[uri, line, character]: never[]): Promise<void> {
  const where = vscode.Uri.parse(uri as string);
  const position = new vscode.Position(line as number, character as number);
  const found = await vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", where, position);
  await vscode.commands.executeCommand("editor.action.showReferences", where, position, found ?? []);
}
