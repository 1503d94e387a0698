// Runs inside the extension host; the extension under test is the installed .vsix.
const vscode = require("vscode");
const assert = require("node:assert");

const binaries = require("./binaries.js");
const commands = require("./commands.js");
const schemas = require("./schemas.js");
const twice = require("./twice.js");
const { at, open, ours, place, run, servers, TooSlow, until } = require("./tools.js");

const REST = 2000; // milliseconds in which a server would have started

const tests = {
  async "no server runs for files that are no models"() {
    const extension = vscode.extensions.getExtension("irlint.irlint");
    for (const name of ["package.json", "plain.json", "pom.xml", "notes.txt"]) await open(name);
    await until("the extension", () => extension.isActive);
    await new Promise((resolve) => setTimeout(resolve, REST));
    assert.equal(servers(), 0);
    const document = await vscode.workspace.openTextDocument({ language: "json", content: "" });
    await vscode.window.showTextDocument(document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '{"nodes": [], "arg_nodes": [], "heads": []}');
    await vscode.workspace.applyEdit(edit);
    await until("a server", () => servers() === 1);
    await run("workbench.action.revertAndCloseActiveEditor");
  },
  async "the extension starts and lints"() {
    const document = await open("toy-symbol.json");
    const extension = vscode.extensions.getExtension("irlint.irlint");
    assert.ok(extension, "installed");
    await extension.activate();
    const [found] = await until("a finding", () => ours(document.uri).length && ours(document.uri));
    assert.equal(found.code.value, "A005");
    assert.match(found.code.target.toString(), /^https:/);
    assert.equal(document.getText(found.range), '"rleu"');
  },
  async "hover, definition, references, hints, lenses, symbols, hierarchy"() {
    const document = await open("toy-symbol.json");
    const hovers = await run("vscode.executeHoverProvider", document.uri, place(document, "Activation", 2));
    assert.ok(hovers.some((hover) => hover.contents.some((text) => /Activation/.test(text.value))));
    const entry = place(document, "[\n          1,", 14);
    const [target] = await run("vscode.executeDefinitionProvider", document.uri, entry);
    assert.equal(document.getText(target.range ?? target.targetRange), '"act1"');
    const readers = await run("vscode.executeReferenceProvider", document.uri, place(document, '"act1"', 2));
    assert.ok(readers.length >= 2);
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await run("vscode.executeInlayHintProvider", document.uri, whole);
    assert.ok(hints.some((hint) => String(hint.label).includes("act1")));
    const lenses = await run("vscode.executeCodeLensProvider", document.uri);
    assert.ok(lenses.some((lens) => lens.command.title === "1 consumer"));
    const symbols = await run("vscode.executeDocumentSymbolProvider", document.uri);
    assert.ok(JSON.stringify(symbols).includes("act2"));
    const [item] = await run("vscode.prepareCallHierarchy", document.uri, place(document, '"act1"', 2));
    const [call] = await run("vscode.provideIncomingCalls", item);
    assert.equal(call.from.name, "act2");
  },
  async "completion of operators"() {
    const document = await open("toy-symbol.json");
    const list = await run("vscode.executeCompletionItemProvider", document.uri, place(document, '"Activation"', 2));
    assert.ok(list.items.some((item) => item.label === "Activation" || item.label.label === "Activation"));
  },
  async "rename"() {
    const document = await open("toy-symbol.json");
    const edit = await run("vscode.executeDocumentRenameProvider", document.uri, place(document, '"act1"', 2), "fresh");
    assert.equal(edit.get(document.uri).length, 1);
  },
  async "a quick fix removes its finding"() {
    const document = await open("toy-symbol.json");
    const [found] = ours(document.uri);
    const actions = await run("vscode.executeCodeActionProvider", document.uri, found.range, "quickfix");
    const fix = actions.find((action) => action.edit && action.title.includes("A005"));
    await vscode.workspace.applyEdit(fix.edit);
    await until("no finding", () => ours(document.uri).length === 0);
    assert.ok(document.isDirty);
    await run("workbench.action.files.revert");
    await until("the finding again", () => ours(document.uri).length === 1);
  },
  async "settings reach the server"() {
    const document = await open("toy-symbol.json");
    const settings = vscode.workspace.getConfiguration("irlint");
    await settings.update("lint.ignore", ["A005"], vscode.ConfigurationTarget.Workspace);
    await until("no finding", () => ours(document.uri).length === 0);
    await settings.update("lint.ignore", undefined, vscode.ConfigurationTarget.Workspace);
    await until("the finding again", () => ours(document.uri).length === 1);
  },
  async "a restart brings everything back"() {
    const document = await open("toy-symbol.json");
    await run("irlint.restart");
    await until("the finding", () => ours(document.uri).length === 1);
  },
  async "edges of an IR lead to layers"() {
    const document = await open("toy.xml");
    const edge = place(document, 'to-layer="1"', 11);
    const found = await until("a definition", async () => {
      const targets = await run("vscode.executeDefinitionProvider", document.uri, edge);
      return targets.length && targets;
    });
    assert.equal(document.getText(found[0].range ?? found[0].targetRange), "relu1");
  },
  async "a foreign file is left alone"() {
    const document = await open("plain.json");
    assert.equal(ours(document.uri).length, 0);
  },
  ...binaries.tests,
  ...commands.tests,
  ...schemas.tests,
  ...twice.tests,
};

exports.run = async () => {
  for (const [name, test] of Object.entries(tests)) {
    const started = Date.now();
    try {
      await test();
    } catch (error) {
      console.log(`${error instanceof TooSlow ? "too slow" : "failed"}: ${name}`);
      throw error;
    }
    console.log(`passed: ${name} (${Date.now() - started} ms)`);
  }
};
