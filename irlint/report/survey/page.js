// Sorts, filters and shortens the tables of a survey. Without this script the page shows everything.
{
  const SHORT = 10; // rows of a table that are shown at first
  const FIRST = 8; // items of a list
  const numbers = new Intl.NumberFormat("en-US");

  /** Returns the value by which a cell is sorted. @param {HTMLTableCellElement | undefined} cell */
  const value = (cell) => (cell?.dataset.value === undefined ? (cell?.textContent ?? "").trim() : Number(cell.dataset.value));

  /** Compares two values, numbers before texts. @param {string | number} a @param {string | number} b */
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en"));

  /** Returns a button that shows the rest of a table or list, and goes. @param {number} count @param {() => void} act */
  const button = (count, act) => {
    const found = document.createElement("button");
    found.type = "button";
    found.className = "show";
    found.textContent = `Show all ${numbers.format(count)}`;
    found.addEventListener("click", () => {
      found.hidden = true;
      act();
    });
    return found;
  };

  /** @param {HTMLTableElement} table */
  const equip = (table) => {
    const body = table.tBodies[0];
    const rows = body === undefined ? [] : [...body.rows];
    if (body === undefined || rows.length < 2) return;
    const order = new Map(rows.map((row, at) => [row, at]));
    const texts = new Map(rows.map((row) => [row, (row.textContent ?? "").toLowerCase()]));
    let words = "";
    let isShort = rows.length > SHORT + 3;
    /** @type {HTMLOutputElement | undefined} */
    let output;
    /** @type {HTMLButtonElement | undefined} */
    let more;

    const show = () => {
      const found = [...body.rows].filter((row) => words.split(/\s+/).every((word) => texts.get(row)?.includes(word)));
      const shown = new Set(isShort && !words ? found.slice(0, SHORT) : found);
      for (const row of rows) row.hidden = !shown.has(row);
      if (output) output.value = words ? `${numbers.format(found.length)} of ${numbers.format(rows.length)}` : "";
      if (more) more.hidden = !isShort || words !== "";
    };

    for (const [column, head] of [...(table.tHead?.rows[0]?.cells ?? [])].entries()) {
      if (!head.textContent) continue;
      const sorter = document.createElement("button");
      sorter.type = "button";
      sorter.append(...head.childNodes);
      head.append(sorter);
      sorter.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const first = head.classList.contains("num") ? "descending" : "ascending";
        const second = first === "ascending" ? "descending" : "ascending";
        const now = before === null ? first : before === first ? second : null;
        for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
        if (now !== null) head.setAttribute("aria-sort", now);
        const sign = now === "descending" ? -1 : 1;
        const place = (/** @type {HTMLTableRowElement} */ row) => order.get(row) ?? 0;
        const sorted = [...rows].sort((a, b) => {
          const by = now === null ? 0 : sign * compare(value(a.cells[column]), value(b.cells[column]));
          return by || place(a) - place(b);
        });
        body.append(...sorted);
        show();
      });
    }
    const around = table.parentElement;
    if (rows.length > 8) {
      const tools = document.createElement("div");
      const input = document.createElement("input");
      output = document.createElement("output");
      tools.className = "tools";
      input.type = "search";
      input.placeholder = "Filter";
      input.setAttribute("aria-label", `Filter ${table.getAttribute("aria-label") ?? ""}`);
      input.addEventListener("input", () => {
        words = input.value.trim().toLowerCase();
        show();
      });
      tools.append(input, output);
      around?.before(tools);
    }
    if (isShort) {
      more = button(rows.length, () => {
        isShort = false;
        show();
      });
      around?.after(more);
    }
    show();
  };

  for (const table of document.querySelectorAll("table")) equip(table);

  for (const list of document.querySelectorAll(".models")) {
    const items = /** @type {HTMLElement[]} */ ([...list.children]);
    if (items.length <= FIRST + 2) continue;
    const more = button(items.length, () => items.forEach((item) => (item.hidden = false)));
    for (const item of items.slice(FIRST)) item.hidden = true;
    list.after(more);
  }

  // Tables that are wider than the page scroll; this makes them scroll from the keyboard, too.
  const wide = new ResizeObserver((seen) => {
    for (const { target } of seen) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  for (const around of document.querySelectorAll(".scroll")) wide.observe(around);
}
