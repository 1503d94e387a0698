// Sorts, filters and shortens the tables of a survey. Without this script the page shows everything.
{
  const SHORT = 10; // rows of a table that are shown at first
  const FOUND = 100; // rows that a filter finds
  const FIRST = 8; // items of a list
  const FILTERED = 9; // rows of a table that has a filter, or more
  const COPIED = 1200; // milliseconds for which a button says so
  const numbers = new Intl.NumberFormat("en-US");

  /** Returns the value by which a cell is sorted. @param {HTMLTableCellElement | undefined} cell */
  const value = (cell) => (cell?.dataset.value === undefined ? (cell?.textContent ?? "").trim() : Number(cell.dataset.value));

  /** Compares two values, numbers before texts. @param {string | number} a @param {string | number} b */
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en"));

  /** Returns a button. @param {string} kind @param {string} words @param {(found: HTMLButtonElement) => void} act */
  const button = (kind, words, act) => {
    const found = document.createElement("button");
    found.type = "button";
    found.className = kind;
    found.textContent = words;
    found.addEventListener("click", () => act(found));
    return found;
  };

  /** @param {number} count */
  const showAll = (count) => `Show all ${numbers.format(count)}`;

  /** Makes a table sortable, and what is wanted of it: its rows have all these words and pass the test.
   * @param {HTMLTableElement} table @param {number} [least] rows with which it has a filter
   * @returns {{ tools: HTMLElement, input: HTMLInputElement, only: (test: ((row: HTMLTableRowElement) => boolean) | null) => void } | undefined} */
  const equip = (table, least = FILTERED) => {
    const body = table.tBodies[0];
    if (body === undefined) return undefined;
    const rows = [...body.rows];
    const order = new Map(rows.map((row, at) => [row, at]));
    /** @type {Map<HTMLTableRowElement, string>} */
    const texts = new Map();
    /** @type {((row: HTMLTableRowElement) => boolean) | null} */
    let test = null;
    let isShort = true;
    const tools = document.createElement("div");
    const input = document.createElement("input");
    const output = document.createElement("output");
    const more = button("show", "", () => {
      isShort = false;
      show();
    });

    /** @param {HTMLTableRowElement} row @param {string[]} words */
    const has = (row, words) => {
      const known = texts.get(row) ?? (row.textContent ?? "").toLowerCase();
      texts.set(row, known);
      return words.every((word) => known.includes(word));
    };

    const show = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const isFiltered = words.length > 0 || test !== null;
      const found = isFiltered ? [...body.rows].filter((row) => (test === null || test(row)) && has(row, words)) : [...body.rows];
      const most = isFiltered ? FOUND : SHORT;
      const isCut = isShort && found.length > most + 3;
      const shown = new Set(isCut ? found.slice(0, most) : found);
      for (const row of rows) row.hidden = !shown.has(row);
      more.hidden = !isCut;
      more.textContent = showAll(found.length);
      output.value = isFiltered ? `${numbers.format(found.length)} of ${numbers.format(rows.length)}` : "";
    };

    for (const [column, head] of [...(table.tHead?.rows[0]?.cells ?? [])].entries()) {
      if (!head.textContent || rows.length < 2) continue;
      const sorter = button("", "", () => {
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
      sorter.append(...head.childNodes);
      head.append(sorter);
    }
    const around = table.parentElement;
    if (rows.length >= least) {
      tools.className = "tools";
      input.type = "search";
      input.placeholder = "Filter";
      input.setAttribute("aria-label", `Filter ${table.getAttribute("aria-label") ?? ""}`);
      input.addEventListener("input", () => {
        isShort = true;
        show();
      });
      tools.append(input, output);
      around?.before(tools);
    }
    around?.after(more);
    show();
    return {
      tools,
      input,
      only: (wanted) => {
        test = wanted;
        isShort = true;
        show();
      },
    };
  };

  /** Returns the parts of a fragment such as #rule=T002&text=conv, as they are written. @param {string} hash */
  const parts = (hash) =>
    new Map(
      hash
        .slice(1)
        .split("&")
        .map((part) => /** @type {[string, string]} */ ([part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)])),
    );

  /** Returns a list of what links of a kind lead to. @param {string} kind @param {string} name @param {string} all */
  const choice = (kind, name, all) => {
    const found = document.createElement("select");
    found.setAttribute("aria-label", name);
    found.append(new Option(all, ""));
    for (const link of document.querySelectorAll(`#${kind}s a[href^="#${kind}="]`)) {
      const words = kind === "rule" ? link.closest("tr")?.cells[0]?.textContent : link.textContent;
      found.append(new Option(words ?? "", parts(link.getAttribute("href") ?? "").get(kind)));
    }
    return found;
  };

  /** Filters the table of models by rule, folder and text, as the address says. @param {HTMLTableElement} table */
  const equipModels = (table) => {
    const equipped = equip(table, 1); // links to rules and folders filter it, however short it is
    if (equipped === undefined) return;
    const { tools, input, only } = equipped;
    const rule = choice("rule", "Rule", "All rules");
    const folder = choice("folder", "Folder", "All folders");
    input.after(rule, folder);

    const filter = () => {
      const code = `#rule=${rule.value}`;
      const start = `model=${folder.value}`;
      const codes = (/** @type {HTMLTableRowElement} */ row) => [...row.querySelectorAll(".codes a")].map((link) => link.getAttribute("href"));
      const isAny = !rule.value && !folder.value;
      only(isAny ? null : (row) => row.id.startsWith(start) && (!rule.value || codes(row).includes(code)));
    };

    const address = () => {
      filter();
      const said = Object.entries({ rule: rule.value, folder: folder.value, text: encodeURIComponent(input.value) });
      const hash = said.filter(([, wanted]) => wanted).map((part) => part.join("="));
      try {
        history.replaceState(null, "", `#${hash.join("&") || "models"}`);
      } catch {
        // frames without an origin have no history
      }
    };
    for (const control of [rule, folder]) control.addEventListener("change", address);
    input.addEventListener("input", address);

    const follow = () => {
      const said = parts(location.hash);
      const row = said.has("model") ? document.getElementById(location.hash.slice(1)) : null;
      if (row === null && !["rule", "folder", "text"].some((part) => said.has(part))) return;
      rule.value = said.get("rule") ?? "";
      folder.value = said.get("folder") ?? "";
      try {
        input.value = decodeURIComponent(said.get("text") ?? "");
      } catch {
        input.value = "";
      }
      filter();
      if (row !== null) {
        row.hidden = false;
        const details = row.querySelector("details");
        if (details) details.open = true;
      }
      (row ?? tools).scrollIntoView({ behavior: "instant" });
    };
    addEventListener("hashchange", follow);
    follow();
  };

  for (const table of document.querySelectorAll("table")) {
    if (table.closest("#models") === null) equip(table);
  }
  const models = /** @type {HTMLTableElement | null} */ (document.querySelector("#models table"));
  if (models !== null) equipModels(models);

  for (const list of document.querySelectorAll(".models")) {
    const items = /** @type {HTMLElement[]} */ ([...list.children]);
    if (items.length <= FIRST + 2) continue;
    for (const item of items.slice(FIRST)) item.hidden = true;
    const more = button("show", showAll(items.length), () => {
      more.hidden = true;
      for (const item of items) item.hidden = false;
    });
    list.after(more);
  }

  // Pages from servers without TLS have no clipboard; there a URL is selected by a click.
  if (navigator.clipboard) {
    /** @param {Element} place @param {string} url */
    const copier = (place, url) => {
      const found = button("copy", "", () => {
        navigator.clipboard.writeText(url).then(
          () => {
            found.classList.add("done");
            setTimeout(() => found.classList.remove("done"), COPIED);
          },
          () => found.remove(),
        );
      });
      found.setAttribute("aria-label", "Copy URL"); // the words are in the style: a filter for `copy` finds none of them
      place.append(found);
    };
    for (const place of document.querySelectorAll(".path[title]")) copier(place, place.getAttribute("title") ?? "");
    for (const place of document.querySelectorAll(".url")) copier(place, place.textContent ?? "");
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
