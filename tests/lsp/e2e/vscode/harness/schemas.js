// Schemas of a configuration: the Problems view has what the command line reports, token by token.
const assert = require("node:assert");
const { readFileSync } = require("node:fs");
const vscode = require("vscode");
const { at, ours, run, until } = require("./tools.js");

const FOLDER = "own";
const SEVERITIES = { error: vscode.DiagnosticSeverity.Error, warning: vscode.DiagnosticSeverity.Warning, info: vscode.DiagnosticSeverity.Information };

const expected = (name) =>
  JSON.parse(readFileSync(at(`${FOLDER}/findings.txt`).fsPath, "utf8"))
    .filter((one) => one.file === name)
    .map((one) => [one.code, SEVERITIES[one.severity], one.line - 1, one.column - 1, one.end_line - 1, one.end_column - 1, one.message]);

const shown = (uri) =>
  ours(uri).map(({ code, severity, range, message }) => [
    code.value, severity, range.start.line, range.start.character, range.end.line, range.end.character, message.split("\n")[0],
  ]);

const sorted = (rows) => rows.map((row) => JSON.stringify(row)).sort();

async function isAsOnTheCommandLine(name) {
  const file = at(`${FOLDER}/${name}`);
  await run("vscode.open", file);
  const uri = name.endsWith(".onnx") ? file.with({ scheme: "irlint-text" }) : file;
  const rows = expected(name);
  assert.ok(rows.length && rows.every(([code]) => code === "T008"), name);
  await until(`the findings of ${name}`, () => ours(uri).length >= rows.length);
  assert.deepEqual(sorted(shown(uri)), sorted(rows), name);
}

exports.tests = Object.fromEntries(
  ["own-symbol.json", "own.xml", "own.onnx", "own.plan.json"].map((name) => [
    `${name} has the findings of its schemas`,
    () => isAsOnTheCommandLine(name),
  ])
);
