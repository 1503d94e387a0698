// The page in a webview: facts, errors, tables.
import type { Choice, Finding, FromView, Page, ToView } from "../page";
import { button, element, named } from "./dom";
import { Grid, GridHost, GridState } from "./grid";

interface Host {
  postMessage(message: FromView): void;
  getState(): GridState[] | undefined;
  setState(state: GridState[]): void;
}

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const main = document.getElementById("page") as HTMLElement;
let grids: Grid[] = [];

const forGrids: GridHost = {
  reveal: (line) => host.postMessage({ type: "reveal", line }),
  copy: (text) => host.postMessage({ type: "copy", text }),
  save: (text) => host.postMessage({ type: "save", text }),
  changed: () => host.setState(grids.map((grid) => grid.state)),
};

function show({ page, file, choice }: ToView): void {
  const states = grids.length > 0 ? grids.map((grid) => grid.state) : (host.getState() ?? []);
  const scrolled = document.documentElement.scrollTop;
  grids.forEach((grid) => grid.dispose());
  grids = [];
  grids = page.tables.map((table, index) => new Grid(table, usable(states[index], table.columns.length), forGrids));
  main.replaceChildren(element("h1", "", `${page.title || "irlint"}: ${file}`));
  if (choice !== undefined) {
    main.append(choices(choice));
  }
  if (page.failure) {
    main.append(element("p", "failure", page.failure));
  }
  if (page.findings.length > 0) {
    main.append(findings(page));
  }
  if (page.facts.length > 0) {
    const pairs = page.facts.flatMap(([name, text]) => [element("dt", "", name), named("dd", "", text)]);
    main.append(element("dl", "", "", ...pairs));
  }
  main.append(...grids.map((grid) => grid.node));
  document.documentElement.scrollTop = scrolled;
}

/** How a table was filtered and sorted before, as far as it still has these columns. */
function usable(state: GridState | undefined, columns: number): GridState {
  const order = state?.order;
  return { filter: state?.filter ?? "", order: order !== undefined && order.column < columns ? order : undefined };
}

function findings(page: Page): HTMLElement {
  const count = page.findings.length + page.more;
  const title = element("h2", "", `${count.toLocaleString("en-US")} error${count === 1 ? "" : "s"} in the model`);
  const items = page.findings.map((finding) => element("li", "", "", link(finding)));
  const rest = page.more > 0 ? [element("li", "", `and ${page.more.toLocaleString("en-US")} more`)] : [];
  return element("section", "findings", "", title, element("ul", "", "", ...items, ...rest));
}

function link({ code, message, line }: Finding): HTMLElement {
  const made = button("", () => host.postMessage({ type: "reveal", line }), `Go to line ${line}`);
  made.append(element("span", "code", code), ` ${message} `, element("span", "line", `line ${line}`));
  return made;
}

function choices(choice: Choice): HTMLElement {
  const size = select("Operators in a sequence", ["1", "2", "3", "4", "5", "6"], String(choice.n));
  const along = select("Sequences", ["order", "edges"], choice.along);
  const tell = () => {
    const chosen: Choice = { n: Number(size.value), along: along.value === "edges" ? "edges" : "order" };
    host.postMessage({ type: "choose", choice: chosen });
  };
  size.addEventListener("change", tell);
  along.addEventListener("change", tell);
  const labels = [element("label", "", "n "), element("label", "", "along ")];
  labels[0].append(size);
  labels[1].append(along);
  return element("div", "tools", "", ...labels);
}

function select(name: string, values: string[], chosen: string): HTMLSelectElement {
  const made = element("select", "", "", ...values.map((value) => element("option", "", value)));
  made.setAttribute("aria-label", name);
  made.value = chosen;
  return made;
}

window.addEventListener("message", (event: MessageEvent<ToView>) => {
  if (event.data.type === "page") {
    show(event.data);
  }
});
host.postMessage({ type: "ready" });
