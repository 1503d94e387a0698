// Commands: every one twice in a row, from every kind of tab.
const assert = require("node:assert");
const vscode = require("vscode");
const { at, open, run, until } = require("./tools.js");

const TITLES = {
  "irlint.showSummary": "Summary",
  "irlint.showDryRun": "Dry run",
  "irlint.showFlat": "Flat view",
  "irlint.showNgrams": "3-grams",
};

const GRAPH = "irlint.showGraph";

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
const webviews = (type) => tabs().filter((tab) => tab.input instanceof vscode.TabInputWebview && tab.input.viewType.includes(type));
const tables = () => webviews("irlint.table");
const closeAll = () => run("workbench.action.closeAllEditors");

async function isTable(title, file) {
  await until(`the table ${title} of ${file}`, () => tables().some((tab) => tab.label.startsWith(title) && tab.label.endsWith(file)));
}

async function isGraph(file) {
  await until(`the graph of ${file}`, () => webviews("irlint.graph").some((tab) => tab.label.endsWith(file)));
}

/** Ways to make another kind of tab active, while a model is open. */
const OTHERS = {
  "a foreign file": () => open("plain.json"),
  "a file of another language": () => open("notes.md"),
  "an untitled file": async () => vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: "", language: "json" })),
  "the page of a rule": async () => {
    await run("irlint.explain", "A005");
    await until("a preview", () => tabs().some((tab) => /Preview.*A005/.test(tab.label)));
  },
  "an image": () => run("vscode.open", at("pixel.png")),
  "a comparison": () => run("vscode.diff", at("plain.json"), at("toy.xml")),
  "the settings": () => run("workbench.action.openSettings2"),
  "the walkthrough": () => run("workbench.action.openWalkthrough", "irlint.irlint#start", false),
};

exports.tests = {
  async "every command twice in a row, from a model of every format"() {
    await closeAll();
    for (const file of ["toy-symbol.json", "toy.xml", "lightnet.json", "toy.txt"]) {
      for (const [command, title] of Object.entries(TITLES)) {
        await open(file);
        await run(command);
        await isTable(title, file);
        const count = tables().length;
        await run(command); // the table is active now
        await run(command);
        assert.equal(tables().length, count, `${command} of ${file} has one table`);
      }
      assert.equal(tables().length, 4);
      await run(GRAPH); // a table is active
      await isGraph(file);
      await run(GRAPH);
      await run("irlint.showSummary");
      await run(GRAPH);
      assert.equal(webviews("irlint.graph").length, 1);
      await closeAll();
    }
  },
  async "commands are about the last model, whatever tab is active"() {
    for (const [what, activate] of Object.entries(OTHERS)) {
      await closeAll();
      await open("toy.xml");
      await open("toy-symbol.json");
      await run("irlint.showSummary"); // now the server knows both
      await isTable("Summary", "toy-symbol.json");
      await activate();
      for (const [command, title] of Object.entries(TITLES)) {
        await run(command);
        await run(command);
        await isTable(title, what === "a comparison" ? "toy.xml" : "toy-symbol.json");
      }
      await run(GRAPH);
      await run(GRAPH);
      await isGraph(what === "a comparison" ? "toy.xml" : "toy-symbol.json");
    }
  },
  async "a closed model is not the last one any more"() {
    await closeAll();
    await open("toy.xml");
    await run("irlint.showSummary");
    await isTable("Summary", "toy.xml");
    await open("toy-symbol.json");
    await run("irlint.showFlat");
    await isTable("Flat view", "toy-symbol.json");
    const closed = tabs().find((tab) => tab.input instanceof vscode.TabInputText && tab.label === "toy-symbol.json");
    await vscode.window.tabGroups.close(closed);
    await run("irlint.showNgrams");
    await isTable("3-grams", "toy.xml");
  },
  async "without a model nothing opens and nothing fails"() {
    await closeAll();
    for (const command of [...Object.keys(TITLES), GRAPH]) {
      await run(command);
      await run(command);
    }
    await open("plain.json");
    await run("irlint.showSummary");
    assert.equal(tables().length + webviews("irlint.graph").length, 0);
  },
  async "a code lens shows the dry run to its node"() {
    await closeAll();
    const document = await open("toy-symbol.json");
    const lenses = await until("lenses", async () => {
      const found = await run("vscode.executeCodeLensProvider", document.uri);
      return found.length && found;
    });
    const { command } = lenses.find((lens) => lens.command.title === "Dry run to here");
    await run(command.command, ...command.arguments);
    await isTable("Dry run to act1", "toy-symbol.json");
  },
  async "a rule is explained on a rendered page"() {
    await closeAll();
    await open("toy-symbol.json");
    await run("irlint.explain", "A005");
    await run("irlint.explain", "A005");
    await until("a preview", () => tabs().some((tab) => tab.input instanceof vscode.TabInputWebview && /A005/.test(tab.label)));
    assert.ok(!tabs().some((tab) => tab.input instanceof vscode.TabInputText && /A005/.test(tab.label)));
    await closeAll();
  },
};
