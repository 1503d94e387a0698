// Finds a Python for the server: the user's setting, the Python extension's choice, what is on the PATH.
import { execFile } from "node:child_process";
import * as vscode from "vscode";

const CHECK = "import sys; sys.exit(sys.version_info < (3, 10))";

export async function findPython(configured: string[], log: vscode.LogOutputChannel): Promise<string[] | undefined> {
  if (configured.length > 0) {
    return configured;
  }
  const candidates = [await fromPythonExtension(), ["python3"], ["python"], ["py", "-3"]];
  for (const candidate of candidates) {
    if (candidate !== undefined && (await isNewEnough(candidate))) {
      log.info(`Python: ${candidate.join(" ")}`);
      return candidate;
    }
  }
  return undefined;
}

async function fromPythonExtension(): Promise<string[] | undefined> {
  const extension = vscode.extensions.getExtension("ms-python.python");
  if (extension === undefined || !vscode.workspace.isTrusted) {
    return undefined;
  }
  try {
    const api = await extension.activate();
    const active = api?.environments?.getActiveEnvironmentPath?.();
    const resolved = active && (await api.environments.resolveEnvironment(active));
    const path = resolved?.executable?.uri?.fsPath;
    return path ? [path] : undefined;
  } catch {
    return undefined;
  }
}

function isNewEnough([program, ...rest]: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...rest, "-c", CHECK], { timeout: 10_000 }, (error) => resolve(error === null));
  });
}
