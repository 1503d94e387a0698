// The commands: tables about the current model, explanations of rules, users of a node.
import * as vscode from "vscode";
import { showPage } from "./explain";
import { chooseFix } from "./fixes";
import { showGraph } from "./graph";
import { Models } from "./models";
import { Session } from "./session";
import { Tables, isPage } from "./tables";

const TABLES: Record<string, string> = {
  "irlint.showSummary": "irlint.summary",
  "irlint.showDryRun": "irlint.dryRun",
  "irlint.showFlat": "irlint.flatten",
  "irlint.showNgrams": "irlint.ngrams",
};

export function registerCommands(session: Session, models: Models, tables: Tables): vscode.Disposable {
  const show = async (command: string, asked: unknown) => {
    const uri = await models.pick(asked instanceof vscode.Uri ? asked : undefined);
    if (uri !== undefined) {
      await tables.show(command, uri);
    }
  };
  const commands: Record<string, (...values: never[]) => unknown> = {
    "irlint.restart": () => session.restart(),
    "irlint.showLog": () => session.log.show(),
    "irlint.showGraph": (asked?: unknown) => graph(session, models, asked),
    "irlint.fix": () => chooseFix(session, models),
    "irlint.explainRule": () => explain(session),
    "irlint.showConsumers": showConsumers,
  };
  for (const [name, command] of Object.entries(TABLES)) {
    commands[name] = (asked?: unknown) => show(command, asked);
  }
  session.onResult = async (command, values, result) => {
    if (command === "irlint.explain" && typeof result === "string") {
      await showPage(String(values[0]), result);
    } else if (isPage(result)) {
      tables.take(command, String(values[0]), values.slice(1), result);
    }
  };
  return vscode.Disposable.from(...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run)));
}

async function graph(session: Session, models: Models, asked: unknown): Promise<void> {
  const uri = await models.pick(asked instanceof vscode.Uri ? asked : undefined);
  if (uri !== undefined && session.client !== undefined) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    await showGraph(() => session.client, document);
  }
}

async function explain(session: Session): Promise<void> {
  const rule = (await vscode.window.showInputBox({ prompt: "Code or name of a rule", placeHolder: "R003" }))?.trim();
  if (rule) {
    const text = await session.ask("irlint.explain", [rule]);
    if (typeof text === "string") {
      await showPage(rule, text);
    }
  }
}

async function showConsumers(...[uri, line, character]: never[]): Promise<void> {
  const where = vscode.Uri.parse(uri as string);
  const position = new vscode.Position(line as number, character as number);
  const found = await vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", where, position);
  await vscode.commands.executeCommand("editor.action.showReferences", where, position, found ?? []);
}
