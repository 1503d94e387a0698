// Which documents the server is told of.
import * as vscode from "vscode";

export const LANGUAGES = ["json", "jsonc", "jsonl", "xml", "ncnn-param"];
const PATTERN = "**/*.{json,jsonl,xml,txt,listing,glacier,events,param}";

export const SELECTOR = [
  { scheme: "file", pattern: PATTERN },
  ...LANGUAGES.map((language) => ({ scheme: "untitled", language })),
];

export function isOurs(document: vscode.TextDocument): boolean {
  return vscode.languages.match(SELECTOR, document) > 0;
}
