// A table as CSV (RFC 4180).
import type { Cell } from "../page";

export function csv(names: string[], rows: Cell[][]): string {
  return [names, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

function field(cell: Cell): string {
  const text = cell === null ? "" : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
