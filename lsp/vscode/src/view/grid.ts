// One table: headings that sort, a filter, CSV, rows that lead to lines. Rows are made as one scrolls.
import type { Cell, Table } from "../page";
import { csv } from "./csv";
import { button, element, named } from "./dom";
import { Order, shownRows } from "./rows";

const CHUNK = 200; // rows made at once

export interface GridState {
  filter: string;
  order?: Order;
}

export interface GridHost {
  reveal(line: number): void;
  copy(text: string): void;
  save(text: string): void;
  changed(): void;
}

export class Grid {
  readonly node = element("section");
  private readonly body = element("tbody");
  private readonly count = element("span", "count");
  private readonly heads: HTMLTableCellElement[] = [];
  private readonly observer: IntersectionObserver;
  private readonly end = element("div", "end");
  private rows: number[] = [];
  private made = 0;

  constructor(
    private readonly table: Table,
    readonly state: GridState,
    private readonly host: GridHost,
  ) {
    const grid = element("table", "", "", element("thead", "", "", this.head()), this.body);
    if (table.title) {
      this.node.append(element("h2", "", table.title));
    }
    this.node.append(this.tools(), grid, this.end);
    this.observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.more(), { rootMargin: "400px" });
    this.observer.observe(this.end);
    this.update();
  }

  dispose(): void {
    this.observer.disconnect();
  }

  private tools(): HTMLElement {
    const filter = element("input", "filter");
    filter.type = "search";
    filter.placeholder = "Filter";
    filter.setAttribute("aria-label", `Filter ${this.table.title || "rows"}`);
    filter.value = this.state.filter;
    filter.addEventListener("input", () => {
      this.state.filter = filter.value;
      this.update();
    });
    this.count.setAttribute("role", "status");
    const copy = button("Copy as CSV", () => this.host.copy(this.csv()), "Copy the rows that are shown");
    const save = button("Save CSV…", () => this.host.save(this.csv()), "Save the rows that are shown");
    return element("div", "tools", "", filter, this.count, copy, save);
  }

  private head(): HTMLTableRowElement {
    const row = element("tr");
    this.table.columns.forEach((column, index) => {
      const cell = element("th", column.kind, "", button(column.name, () => this.sort(index), "Sort by this column"));
      cell.scope = "col";
      this.heads.push(cell);
      row.append(cell);
    });
    row.append(element("th", "number", "line"));
    return row;
  }

  /** Numbers begin with the greatest, texts with the first; the third click brings the given order back. */
  private sort(column: number): void {
    const first = this.table.columns[column].kind === "number";
    const { order } = this.state;
    if (order?.column !== column) {
      this.state.order = { column, down: first };
    } else {
      this.state.order = order.down === first ? { column, down: !first } : undefined;
    }
    this.update();
  }

  private update(): void {
    const { order, filter } = this.state;
    this.heads.forEach((head, index) => {
      const way = order?.column === index ? (order.down ? "descending" : "ascending") : "none";
      head.setAttribute("aria-sort", way);
    });
    this.rows = shownRows(this.table, filter, order);
    this.made = 0;
    this.body.replaceChildren();
    this.more();
    const all = this.table.rows.length;
    const rest = this.table.more > 0 ? `, and ${this.table.more.toLocaleString("en-US")} more that are not listed` : "";
    const part = this.rows.length < all ? `${this.rows.length.toLocaleString("en-US")} of ` : "";
    this.count.textContent = `${part}${all.toLocaleString("en-US")} row${all === 1 ? "" : "s"}${rest}`;
    this.host.changed();
  }

  private more(): void {
    const next = this.rows.slice(this.made, this.made + CHUNK);
    this.made += next.length;
    this.body.append(...next.map((index) => this.row(index)));
  }

  private row(index: number): HTMLTableRowElement {
    const line = this.table.lines[index];
    const row = element("tr");
    this.table.rows[index].forEach((cell, column) => row.append(named("td", this.table.columns[column].kind, shown(cell))));
    row.append(element("td", "number line", line === null ? "" : String(line)));
    if (line !== null) {
      row.tabIndex = 0;
      row.title = `Go to line ${line}`;
      row.classList.add("link");
      row.addEventListener("click", () => String(getSelection()) === "" && this.host.reveal(line));
      row.addEventListener("keydown", (event) => event.key === "Enter" && this.host.reveal(line));
    }
    return row;
  }

  private csv(): string {
    const { columns, rows, lines } = this.table;
    return csv([...columns.map((column) => column.name), "line"], this.rows.map((index) => [...rows[index], lines[index]]));
  }
}

function shown(cell: Cell): string {
  return typeof cell === "number" ? cell.toLocaleString("en-US") : (cell ?? "");
}
