// What the tests in the extension host share.
const { readFileSync, readdirSync } = require("node:fs");
const vscode = require("vscode");

exports.run = (name, ...values) => vscode.commands.executeCommand(name, ...values);

class TooSlow extends Error {}
exports.TooSlow = TooSlow;

exports.until = async (what, look, patience = 60000, pause = 50) => {
  const end = Date.now() + patience;
  for (let looks = 1; ; looks++) {
    const value = await look();
    if (value) return value;
    if (Date.now() > end) {
      const slow = looks < patience / pause / 4; // then others have kept this machine busy
      throw new (slow ? TooSlow : Error)(`waited in vain: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
};

exports.at = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
exports.ours = (uri) => vscode.languages.getDiagnostics(uri).filter((d) => d.source === "irlint");

exports.open = async (name) => {
  const document = await vscode.workspace.openTextDocument(exports.at(name));
  await vscode.window.showTextDocument(document);
  return document;
};

exports.place = (document, needle, plus = 0) => document.positionAt(document.getText().indexOf(needle) + plus);

/** The Python processes that the extension host has started for the server. */
exports.servers = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const parent = readFileSync(`/proc/${name}/stat`, "utf8").replace(/^.*\) \S+ (\d+) .*$/s, "$1");
        return Number(parent) === process.pid && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("server.py");
      } catch {
        return false; // it has ended meanwhile
      }
    }).length;
