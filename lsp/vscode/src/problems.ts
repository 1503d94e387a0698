// Findings among the editor's problems. What VS Code's own support of JSON says already is not said again; the fix is offered all the same.
import * as vscode from "vscode";
import type { LanguageClientOptions } from "vscode-languageclient/node";

const JSON_SOURCE = /^json[cl]?$/;
const OF_TEXT = /^[ST]/; // codes of findings that a check of JSON, or of a schema that the user has set, can have, too
const SYNTAX = [512, 599]; // codes of errors of JSON's syntax; others are those of schemas

type Diagnostics = readonly vscode.Diagnostic[];

export const collections: NonNullable<LanguageClientOptions["diagnosticCollectionProvider"]> = {
  create: (name) => new Problems(name),
  dispose: (collection) => collection.dispose(),
};

/** A collection that shows findings only as long as nobody else says the same. */
class Problems implements vscode.DiagnosticCollection {
  private readonly shown: vscode.DiagnosticCollection;
  private readonly all = new Map<string, { uri: vscode.Uri; found: Diagnostics; others: string }>(); // of JSON documents
  private readonly listening: vscode.Disposable;

  constructor(readonly name = "irlint") {
    this.shown = vscode.languages.createDiagnosticCollection(name);
    this.listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.forEach((uri) => this.compare(uri)));
  }

  set(first: vscode.Uri | readonly [vscode.Uri, Diagnostics | undefined][], found?: Diagnostics): void {
    if (first instanceof vscode.Uri) {
      this.setOne(first, found ?? []);
    } else {
      first.forEach(([uri, some]) => this.setOne(uri, some ?? []));
    }
  }

  private setOne(uri: vscode.Uri, found: Diagnostics): void {
    this.all.delete(uri.toString());
    if (found.some(isOfText)) {
      this.all.set(uri.toString(), { uri, found, others: "" });
    }
    this.shown.set(uri, found);
    this.compare(uri);
  }

  /** Brings a document up to date with what others say of it. */
  private compare(uri: vscode.Uri): void {
    const known = this.all.get(uri.toString());
    const said = known === undefined ? [] : vscode.languages.getDiagnostics(uri).filter(({ source }) => JSON_SOURCE.test(source ?? ""));
    const others = JSON.stringify(said.map(({ range, code }) => [range, code]));
    if (known !== undefined && others !== known.others && (said.length > 0 || known.others !== "")) {
      known.others = others;
      this.shown.set(uri, known.found.filter((one) => !said.some((other) => isSame(one, other))));
    }
  }

  delete(uri: vscode.Uri): void {
    this.all.delete(uri.toString());
    this.shown.delete(uri);
  }

  clear(): void {
    this.all.clear();
    this.shown.clear();
  }

  dispose(): void {
    this.listening.dispose();
    this.all.clear();
    this.shown.dispose();
  }

  get = (uri: vscode.Uri) => this.shown.get(uri);
  has = (uri: vscode.Uri) => this.shown.has(uri);
  forEach = (call: (uri: vscode.Uri, found: Diagnostics, all: vscode.DiagnosticCollection) => unknown) => this.shown.forEach(call);
  [Symbol.iterator] = () => this.shown[Symbol.iterator]();
}

function isOfText({ code }: vscode.Diagnostic): boolean {
  return OF_TEXT.test(String(typeof code === "object" ? code.value : code));
}

/** Parsers give up at different places: an error of the syntax is the same as one beside it. */
function isSame(finding: vscode.Diagnostic, { range, code }: vscode.Diagnostic): boolean {
  if (!isOfText(finding)) {
    return false;
  }
  const isSyntax = typeof code === "number" && code >= SYNTAX[0] && code <= SYNTAX[1];
  const { start, end } = finding.range;
  return isSyntax ? range.end.line >= start.line - 1 && range.start.line <= end.line + 1 : range.isEqual(finding.range);
}
