// Filters the index of rules. The state is in the address, so that a filtered list can be linked; without this script all rules show.
const COLUMN = { severity: 2, fix: 3, format: 4 };
const form = document.querySelector(".rule-filter");
const rows = [...document.querySelectorAll("section.rules tbody tr")].map((row) => {
  const cells = [...row.cells].map((cell) => cell.textContent.trim());
  return {
    row,
    text: cells.join(" ").toLowerCase(),
    severity: [cells[COLUMN.severity]],
    fix: cells[COLUMN.fix].split(/, | or /),
    format: cells[COLUMN.format] === "all" ? null : cells[COLUMN.format].split(", "),
  };
});

/** Shows the rules that match all fields. */
function filter() {
  const words = form.text.value.toLowerCase().split(/\s+/);
  let shown = 0;
  for (const rule of rows) {
    const matches =
      words.every((word) => rule.text.includes(word)) &&
      Object.keys(COLUMN).every((key) => !form[key].value || !rule[key] || rule[key].includes(form[key].value));
    rule.row.hidden = !matches;
    shown += matches;
  }
  for (const section of document.querySelectorAll("section.rules"))
    section.hidden = ![...section.querySelectorAll("tbody tr")].some((row) => !row.hidden);
  form.querySelector("output").value = shown === 1 ? "1 rule" : `${shown} rules`;
}

/** Writes the fields that are set into the address. */
function save() {
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
}

/** Reads the fields from the address. */
function restore() {
  const query = new URLSearchParams(location.search);
  for (const key of ["text", ...Object.keys(COLUMN)]) form[key].value = query.get(key) ?? "";
  filter();
}

form.addEventListener("input", () => {
  filter();
  save();
});
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () =>
  setTimeout(() => {
    filter();
    save();
    form.text.focus();
  }),
);
addEventListener("popstate", restore);
form.hidden = false;
restore();
