// What the server returns for a table command, and what the webview and the extension say to each other.

export type Cell = string | number | null;

export interface Column {
  name: string;
  kind: "text" | "number";
}

export interface Table {
  title: string;
  columns: Column[];
  rows: Cell[][];
  lines: (number | null)[];
  more: number; // rows that were left out
}

export interface Finding {
  code: string;
  message: string;
  line: number;
}

export interface Page {
  uri: string;
  title: string;
  failure: string;
  facts: [string, string][];
  tables: Table[];
  findings: Finding[];
  more: number; // findings that were left out
}

/** Choices that a page offers: of how many operators n-grams are, and along what. */
export interface Choice {
  n: number;
  along: "order" | "edges";
}

export type ToView = { type: "page"; page: Page; file: string; choice?: Choice };

export type FromView =
  | { type: "ready" }
  | { type: "reveal"; line: number }
  | { type: "copy"; text: string }
  | { type: "save"; text: string }
  | { type: "choose"; choice: Choice };
