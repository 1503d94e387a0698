// VS Code's own support of JSON, schemas and irlint: what is wrong is reported once, whoever has seen it, and can be fixed.
const assert = require("node:assert");
const { mkdirSync, rmSync, writeFileSync } = require("node:fs");
const vscode = require("vscode");
const { at, open, ours, run, until } = require("./tools.js");

const REST = 3000; // milliseconds in which others have reported what they find
const FOLDER = "more/"; // of the models
const isOthers = ({ source }) => source !== "irlint";

/** Two reports of one place. */
function doubled(uri) {
  const all = vscode.languages.getDiagnostics(uri);
  return all.filter((one) => !isOthers(one)).filter((one) => all.some((other) => isOthers(other) && other.range.intersection(one.range)));
}

async function settled(name) {
  const document = await open(name);
  await new Promise((resolve) => setTimeout(resolve, REST));
  return document;
}

const tests = {};
for (const [name, count] of [["wrong-symbol.json", 3], ["wrong-tvm.json", 2], ["wrong-lightnet.json", 2]]) {
  tests[`${name} has each finding once`] = async () => {
    const { uri } = await settled(FOLDER + name);
    await until(`the findings of ${name}`, () => ours(uri).length === count);
    assert.deepEqual(vscode.languages.getDiagnostics(uri).filter(isOthers), [], "only irlint reports them");
  };
}
tests["a configuration has each finding once"] = async () => {
  mkdirSync(at("twice").fsPath);
  writeFileSync(at("twice/irlint.yaml").fsPath, "weights: sometimes\nselekt: [T008]\n");
  const { uri } = await settled("twice/irlint.yaml");
  assert.deepEqual(vscode.languages.getDiagnostics(uri), [], "irlint says it in a message");
  await run("workbench.action.closeActiveEditor");
  rmSync(at("twice").fsPath, { recursive: true });
};
for (const [name, message] of [["comma-symbol.json", /trailing comma/i], ["double-symbol.json", /duplicate object key/i], ["cut-symbol.json", /expected comma/i]]) {
  tests[`${name} is reported by VS Code alone; irlint fixes and explains it`] = async () => {
    const document = await settled(FOLDER + name);
    const { uri } = document;
    await until(`what VS Code says of ${name}`, () => vscode.languages.getDiagnostics(uri).some(isOthers));
    assert.deepEqual(doubled(uri), []);
    assert.equal(ours(uri).length, 0);
    const [other] = vscode.languages.getDiagnostics(uri).filter((one) => message.test(one.message));
    const line = new vscode.Range(other.range.start.line, 0, other.range.end.line + 1, Number.MAX_SAFE_INTEGER);
    const actions = await run("vscode.executeCodeActionProvider", uri, line, "quickfix");
    assert.ok(actions.some((action) => /S0\d\d/.test(action.title)), actions.map((action) => action.title).join());
    if (name === "comma-symbol.json") {
      await vscode.workspace.applyEdit(actions.find((action) => /\(S001\)/.test(action.title)).edit);
      await until("no problem", () => vscode.languages.getDiagnostics(uri).length === 0);
      await run("workbench.action.files.revert");
    }
  };
}
tests["without VS Code's validation irlint reports the syntax"] = async () => {
  const settings = vscode.workspace.getConfiguration("json");
  await settings.update("validate.enable", false, vscode.ConfigurationTarget.Workspace);
  const { uri } = await open(`${FOLDER}comma-symbol.json`);
  await until("irlint's finding", () => ours(uri).length === 1 && vscode.languages.getDiagnostics(uri).length === 1);
  await settings.update("validate.enable", undefined, vscode.ConfigurationTarget.Workspace);
  await until("VS Code's", () => ours(uri).length === 0 && vscode.languages.getDiagnostics(uri).length === 1);
};
exports.tests = tests;
