// Which rows of a table are shown, and in which order.
import type { Cell, Table } from "../page";

export interface Order {
  column: number;
  down: boolean;
}

/** Indices of the rows that contain every word of the filter, sorted; without an order as the server has them. */
export function shownRows(table: Table, filter: string, order: Order | undefined): number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const texts = words.length > 0 ? table.rows.map((row) => row.join("\n").toLowerCase()) : [];
  const found = table.rows.map((_, index) => index).filter((index) => words.every((word) => texts[index].includes(word)));
  if (order === undefined) {
    return found;
  }
  const { column, down } = order;
  const compare = table.columns[column].kind === "number" ? byNumber : byText;
  return found.sort((a, b) => (down ? -1 : 1) * compare(table.rows[a][column], table.rows[b][column]) || a - b);
}

const collator = new Intl.Collator("en", { numeric: true });

function byText(a: Cell, b: Cell): number {
  return collator.compare(String(a ?? ""), String(b ?? ""));
}

function byNumber(a: Cell, b: Cell): number {
  return numberOf(a) - numberOf(b);
}

/** Of `12.5 %` it is 12.5; what is no number comes first. */
function numberOf(cell: Cell): number {
  const found = typeof cell === "number" ? cell : parseFloat(String(cell ?? ""));
  return Number.isNaN(found) ? -Infinity : found;
}
