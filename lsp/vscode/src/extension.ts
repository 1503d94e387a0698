// The irlint extension: puts its parts together. The server starts with the first document that looks like a model.
import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { registerPages } from "./explain";
import { Models } from "./models";
import { showRestored } from "./restored";
import { Session } from "./session";
import { showStatus } from "./status";
import { Tables } from "./tables";
import { Texts } from "./texts";
import { whenModelOpens } from "./watch";

const RESTART = ["path", "interpreter", "importStrategy", "args"].map((name) => `irlint.${name}`);

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("irlint", { log: true });
  const models = new Models();
  const ours = (session = new Session(context, models, log));
  const texts = new Texts((uri) => ours.text(uri));
  ours.onTextChanged = (uri) => texts.refresh(uri);
  const tables = new Tables(context.extensionUri, (command, values) => ours.ask(command, values), models);
  context.subscriptions.push(
    log,
    models,
    tables,
    texts.register(),
    registerPages(),
    registerCommands(ours, models, tables),
    showStatus(models),
    showRestored(),
    vscode.workspace.onDidGrantWorkspaceTrust(() => ours.restartIfStarted()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (RESTART.some((name) => change.affectsConfiguration(name))) {
        void ours.restartIfStarted();
      }
    }),
  );
  if (vscode.workspace.getConfiguration("irlint").get("startServer") === "always") {
    await ours.restart();
  } else {
    context.subscriptions.push(whenModelOpens(() => void ours.start()));
  }
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
