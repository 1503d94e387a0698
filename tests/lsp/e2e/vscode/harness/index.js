// Runs inside the extension host; the extension under test is the installed .vsix.
const vscode = require("vscode");
const assert = require("node:assert");

const run = (name, ...values) => vscode.commands.executeCommand(name, ...values);

class TooSlow extends Error {}

async function until(what, look, patience = 60000, pause = 50) {
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
}

const at = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
const ours = (uri) => vscode.languages.getDiagnostics(uri).filter((d) => d.source === "irlint");

async function open(name) {
  const document = await vscode.workspace.openTextDocument(at(name));
  await vscode.window.showTextDocument(document);
  return document;
}

const place = (document, needle, plus = 0) => document.positionAt(document.getText().indexOf(needle) + plus);

const tests = {
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
  async "commands show what they answer"() {
    await open("toy-symbol.json");
    await run("irlint.showDryRun");
    await until("a text", () => vscode.window.activeTextEditor?.document.uri.scheme === "irlint");
    assert.match(vscode.window.activeTextEditor.document.getText(), /Activation/);
    await run("workbench.action.closeActiveEditor");
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
