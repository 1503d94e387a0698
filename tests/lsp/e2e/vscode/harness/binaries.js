// Binary models as text: read-only, with all that text has, and with fixes that are written to the file.
const assert = require("node:assert");
const { readFileSync, writeFileSync } = require("node:fs");
const vscode = require("vscode");
const { at, ours, place, run, until } = require("./tools.js");

const shownUri = (name) => at(name).with({ scheme: "irlint-text" });
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
const closeAll = () => run("workbench.action.closeAllEditors");

/** Opens a binary as a user does; the document that shows it. */
async function open(name) {
  await run("vscode.open", at(name));
  const uri = shownUri(name).toString();
  const editor = await until(`the text of ${name}`, () => {
    const active = vscode.window.activeTextEditor;
    return active?.document.uri.toString() === uri && active;
  });
  return editor.document;
}

async function finding(document) {
  const [found] = await until("a finding", () => ours(document.uri).length && ours(document.uri));
  return found;
}

exports.tests = {
  async "a binary model opens as text, with its findings"() {
    await closeAll();
    const document = await open("digits.onnx");
    assert.equal(document.languageId, "onnx");
    assert.match(document.getText(), /features = Conv <kernal_shape: ints = \[3, 3\]/);
    assert.equal(document.getText((await finding(document)).range), "kernal_shape");
    await until("one tab", () => tabs().length === 1);
    assert.ok(tabs()[0].input instanceof vscode.TabInputText);
    await closeAll();
    const selection = new vscode.Range(13, 0, 13, 3);
    await run("vscode.open", document.uri, { selection }); // as the Problems view does
    assert.ok(tabs()[0].input instanceof vscode.TabInputText);
    assert.ok(vscode.window.activeTextEditor.selection.isEqual(selection));
    await run("type", { text: "x" });
    assert.ok(!document.isDirty);
  },
  async "hover, definition, references, symbols, folds and the graph of a binary"() {
    const document = await open("digits.onnx");
    const hovers = await run("vscode.executeHoverProvider", document.uri, place(document, "Conv", 1));
    assert.ok(hovers.some((hover) => hover.contents.some((text) => /Convolution.*opset/s.test(text.value))));
    const use = place(document, "Relu (features)", 7);
    const [target] = await run("vscode.executeDefinitionProvider", document.uri, use);
    assert.equal((target.range ?? target.targetRange).start.line, use.line - 1);
    assert.equal((await run("vscode.executeReferenceProvider", document.uri, use)).length, 2);
    const symbols = await run("vscode.executeDocumentSymbolProvider", document.uri);
    assert.ok(["image", "conv.weight", "scores"].every((name) => symbols.some((symbol) => symbol.name === name)));
    assert.ok((await run("vscode.executeFoldingRangeProvider", document.uri)).length >= 2);
    await run("irlint.showGraph");
    await until("the graph", () => tabs().some((tab) => tab.input instanceof vscode.TabInputWebview && tab.label.endsWith("digits.onnx")));
    await closeAll();
  },
  async "a fix is written to the binary, and the text follows the file"() {
    const document = await open("digits.onnx");
    const before = readFileSync(at("digits.onnx").fsPath);
    const actions = await run("vscode.executeCodeActionProvider", document.uri, (await finding(document)).range, "quickfix");
    const { command } = actions.find((action) => action.command?.command === "irlint.rewrite");
    await run(command.command, ...command.arguments);
    assert.ok(readFileSync(at("digits.onnx").fsPath).includes("kernel_shape"));
    await until("the new text", () => document.getText().includes("kernel_shape"));
    await until("no finding", () => ours(document.uri).length === 0);
    await assert.rejects(async () => run(command.command, ...command.arguments));
    writeFileSync(at("digits.onnx").fsPath, before); // somebody else
    await until("the old text", () => document.getText().includes("kernal_shape"));
    await finding(document);
    await closeAll();
  },
  async "a model of 46 MB opens at once"() {
    const started = Date.now();
    const document = await open("large.onnx");
    console.log(`large.onnx: ${Date.now() - started} ms to its text, ${document.getText().length} characters`);
    await finding(document);
    console.log(`large.onnx: ${Date.now() - started} ms to its findings`);
    await closeAll();
  },
  async "what cannot be shown says why"() {
    await run("vscode.open", at("broken.onnx"));
    await until("the editor of broken.onnx", () => tabs().some((tab) => tab.input instanceof vscode.TabInputCustom));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    assert.equal(tabs().length, 1);
    assert.ok(tabs()[0].input instanceof vscode.TabInputCustom);
    await closeAll();
  },
  async "problems are those of the command line, with their severities, and fixes say how sure they are"() {
    const said = JSON.parse(readFileSync(at("more/counts.txt").fsPath, "utf8"));
    const levels = { error: 0, warning: 1, info: 2, pedantic: 2 };
    for (const name of ["more/imperfect.onnx", "more/all/everything.onnx"]) {
      const document = await open(name);
      const expected = said.filter(({ file }) => file === name).map(({ severity }) => levels[severity]);
      await until(`all findings of ${name}`, () => ours(document.uri).length === expected.length);
      assert.deepEqual(ours(document.uri).map(({ severity }) => severity).sort(), expected.sort());
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      const actions = await run("vscode.executeCodeActionProvider", document.uri, whole, "quickfix");
      const titles = actions.map((action) => action.title);
      assert.ok(titles.includes("Rename to `kernel_shape` (A001) (proven)"), titles.join());
    }
    await closeAll();
  },
  async "the text of a model can be edited"() {
    const document = await vscode.workspace.openTextDocument(at("digits.onnxtxt"));
    await vscode.window.showTextDocument(document);
    assert.equal(document.languageId, "onnx");
    const list = await run("vscode.executeCompletionItemProvider", document.uri, place(document, "Relu", 2));
    assert.ok(list.items.some((item) => (item.label.label ?? item.label) === "LeakyRelu"));
    const edit = await run("vscode.executeDocumentRenameProvider", document.uri, place(document, "pooled ", 2), "fresh");
    assert.equal(edit.get(document.uri).length, 2);
    await closeAll();
  },
};
