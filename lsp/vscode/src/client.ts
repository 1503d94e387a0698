// Creates the language client from the settings.
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, TransportKind } from "vscode-languageclient/node";
import { SELECTOR } from "./documents";
import { collections } from "./problems";
import { findPython } from "./python";
import type { OnResult } from "./session";

export async function makeClient(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  onResult: OnResult,
): Promise<LanguageClient | undefined> {
  const server = await command(context, log);
  if (server === undefined) {
    return undefined;
  }
  const [program, ...args] = server;
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const options: ServerOptions = { command: program, args, transport: TransportKind.stdio, options: { cwd } };
  const client: LanguageClientOptions = {
    documentSelector: SELECTOR,
    diagnosticCollectionProvider: collections,
    outputChannel: log,
    traceOutputChannel: log,
    initializationOptions: { settings: vscode.workspace.getConfiguration("irlint"), modelStates: true },
    synchronize: { configurationSection: "irlint" },
    middleware: {
      executeCommand: async (name, values, next) => {
        const result = await next(name, values);
        await onResult(name, values, result);
        return result;
      },
    },
  };
  return new LanguageClient("irlint", "irlint", options, client);
}

async function command(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<string[] | undefined> {
  const settings = vscode.workspace.getConfiguration("irlint");
  const trusted = vscode.workspace.isTrusted;
  const path = settings.get<string[]>("path", []);
  const more = trusted ? settings.get<string[]>("args", []) : [];
  if (trusted && path.length > 0) {
    return [...path, ...more];
  }
  const python = await findPython(settings.get<string[]>("interpreter", []), log);
  if (python === undefined) {
    return undefined;
  }
  const launcher = vscode.Uri.joinPath(context.extensionUri, "bundled", "server.py").fsPath;
  const environment = trusted && settings.get("importStrategy") === "fromEnvironment" ? ["--from-environment"] : [];
  return [...python, "-I", launcher, ...environment, "--stdio", ...more];
}
