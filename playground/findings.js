// The list of findings.
import { button, count, make, prose } from "./dom.js";

/** An object of the JSON report. @typedef {{code: string, name: string, severity: string, message: string, line: number, column: number, url: string | null,
 *   fix: {safety: "safe" | "proven" | "unsafe", title: string} | null}} Record */
/** A line of an excerpt: its number, its text, and where the mark begins and ends in it, -1 without one.
 * @typedef {[number: number, text: string, start: number, end: number]} Row */
/** @typedef {{record: Record, message: string, span: [number, number], excerpt: Row[], edits: [number, number, string][], title: string,
 *   diff: [sign: string, number: number, text: string][], related: [message: string, span: [number, number], excerpt: Row[]][]}} Finding */
/** @typedef {{show: (span: [number, number]) => void, apply: (finding: Finding) => void}} Actions */

const PAGE = 100; // findings that are shown at once
const GRADES = { safe: "", proven: "proven: the only likely change after which everything fits", unsafe: "unsafe" };

/** @param {HTMLElement} list @param {Finding[]} findings @param {Actions} actions @param {number} [from] */
export function fill(list, findings, actions, from = 0) {
  if (!from) list.replaceChildren();
  list.append(...findings.slice(from, from + PAGE).map((finding) => card(finding, actions)));
  const left = findings.length - from - PAGE;
  if (left <= 0) return;
  const more = make("li", "more", button(`Show ${Math.min(left, PAGE)} more of ${left.toLocaleString("en")}`, () => {
    more.remove();
    fill(list, findings, actions, from + PAGE);
  }));
  list.append(more);
}

/** @param {Finding} finding @param {Actions} actions */
function card(finding, actions) {
  const { record, span } = finding;
  const code = record.url ? link(record.url, record.code) : make("strong", "", record.code);
  const place = button(`${record.line}:${record.column}`, () => actions.show(span), "place");
  place.setAttribute("aria-label", `${record.line}:${record.column}, go to this line and column`);
  const head = make("div", "head", make("span", "severity", record.severity), code, make("span", "name", record.name), place);
  const found = make("li", `finding ${record.severity}`, head, make("p", "message", ...prose(finding.message)));
  if (finding.excerpt.length) found.append(excerpt(finding.excerpt, () => actions.show(span)));
  for (const [message, at, rows] of finding.related) {
    const note = make("div", "note", make("p", "", make("b", "", "note: "), ...prose(message)));
    if (rows.length) note.append(excerpt(rows, () => actions.show(at)));
    found.append(note);
  }
  if (record.fix) found.append(fix(finding, () => actions.apply(finding)));
  return found;
}

/** @param {string} url @param {string} words */
export function link(url, words) {
  const found = /** @type {HTMLAnchorElement} */ (make("a", "", words));
  found.href = url;
  found.target = "_blank";
  found.rel = "noopener";
  return found;
}

/** @param {Row[]} rows @param {() => void} show a click does what the finding's place does */
function excerpt(rows, show) {
  const found = make("div", "excerpt"), indent = indentation(rows.map((row) => row[1]));
  let expected = rows[0][0];
  for (const [number, text, start, end] of rows) {
    if (number > expected) found.append(make("span", "number", "⋮"), make("span"));
    expected = number + 1;
    const line = make("span", "line"), letters = [...text];
    if (start < 0) line.append(text.slice(indent));
    else {
      const mark = make("mark", end > start ? "" : "empty", letters.slice(start, end).join(""));
      line.append(letters.slice(Math.min(indent, start), start).join(""), mark, letters.slice(end).join(""));
    }
    found.append(make("span", "number", String(number)), line);
  }
  found.addEventListener("click", () => getSelection()?.isCollapsed && show());
  return found;
}

/** How many spaces all lines begin with. @param {string[]} lines */
function indentation(lines) {
  const written = lines.filter((line) => line.trim());
  return written.length ? Math.min(...written.map((line) => line.search(/[^ ]/))) : 0;
}

/** @param {Finding} finding @param {() => void} apply */
function fix(finding, apply) {
  const grade = GRADES[finding.record.fix?.safety ?? "safe"], words = make("span", "title", ...prose(finding.title));
  if (grade) words.append(" ", make("span", "grade", grade));
  const head = make("div", "head", words, button("Apply", apply, "apply")), lines = make("div", "diff");
  const indent = indentation(finding.diff.map((row) => row[2]));
  for (const [sign, number, text] of finding.diff) lines.append(make("span", "number", String(number)), make(sign === "-" ? "del" : "ins", "", `${sign} ${text.slice(indent)}`));
  return make("div", "fix", head, ...(finding.diff.length ? [lines] : []));
}

/** @param {{[severity: string]: number}} severities */
export function summary(severities) {
  const found = ["error", "warning", "info", "pedantic"].filter((severity) => severities[severity]);
  return found.map((severity) => (severity === "info" || severity === "pedantic" ? `${severities[severity]} ${severity}` : count(severities[severity], severity))).join(", ");
}
