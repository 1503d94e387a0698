// The side panel: what is known of the model, or of the selected box.
"use strict";

/** @param {string} tag @param {string} [name] class @param {(Node | string)[]} content */
function make(tag, name = "", ...content) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...content);
  return element;
}

/** @param {string} words @param {() => void} act @param {string} [name] @param {string} [hint] */
function button(words, act, name = "", hint = "") {
  const element = /** @type {HTMLButtonElement} */ (make("button", name, words));
  element.type = "button";
  element.addEventListener("click", act);
  if (hint) element.title = hint;
  return element;
}

/** @param {[string, string][]} rows */
function rowsOf(rows) {
  const list = make("dl");
  for (const [key, words] of rows) list.append(make("dt", "", key), make("dd", "", words));
  return list;
}

/** @param {View} view */
function fillPanel(view) {
  const box = view.selected > 0 ? view.scene.boxes[view.selected] : undefined;
  view.panel.replaceChildren(...(box ? aboutBox(view, box) : aboutModel(view)));
  view.panel.scrollTop = 0;
}

/** @param {View} view */
function aboutModel(view) {
  const { scene } = view, found = [make("h2", "", scene.title), rowsOf(scene.about)];
  if (scene.findings.length) {
    found.push(make("h3", "", `Findings (${scene.findings.length})`), ...scene.findings.slice(0, 500).map((note) => aboutFinding(view, note, true)));
  }
  const kinds = new Set(scene.boxes.map((box) => box.category)), legend = make("ul", "legend");
  if (view.heat) for (let k = 0; k < 4; k++) legend.append(swatch(heatColor(0.1 ** k, 1), amount(view, view.most * 0.1 ** k)));
  else if (scene.diff) for (const [name, color] of Object.entries(STATUS)) legend.append(swatch(color, name === "follows" ? "type changed as a consequence" : name));
  else for (const name of Object.keys(CATEGORIES)) if (kinds.has(name) && name !== "group") legend.append(swatch(barColor(name), CATEGORY_NAMES[name]));
  return [...found, make("h3", "", view.heat ? `Colors: ${view.heat}` : "Colors"), legend];
}

/** A quantity that boxes are colored by, as it is read. @param {View} view @param {number} value */
function amount(view, value) {
  if (view.heat === "time") return value < 1e-3 ? `${(value * 1e6).toPrecision(3)} µs` : `${(value * 1e3).toPrecision(3)} ms`;
  return value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
}

/** @param {string} color @param {string} words */
function swatch(color, words) {
  const mark = make("span", "swatch");
  mark.style.background = color;
  return make("li", "", mark, words);
}

/** @param {View} view @param {Box} box */
function aboutBox(view, box) {
  const { scene } = view, number = view.selected;
  const head = make("p", "actions");
  if (box.line) head.append(button(`line ${box.line}`, () => view.goto(box), "link", "Go to this line of the file"));
  if (box.items) head.append(button(box.open ? "close" : "open", () => view.toggle(number), "link"));
  head.append(button("copy name", () => void navigator.clipboard?.writeText(box.full ?? box.name), "link"));
  const found = [make("h2", "", box.title), make("p", "name", box.full ?? box.name), head];
  if (scene.diff && box.status !== "same") found.push(make("p", `status ${box.status}`, box.status === "follows" ? "type changed as a consequence" : box.status));
  const findings = scene.findings.filter((note) => note.box >= 0 && isIn(scene, note.box, number));
  found.push(...findings.slice(0, 100).map((note) => aboutFinding(view, note, note.box !== number)));
  for (const [title, rows] of box.details) found.push(...(title ? [make("h3", "", title)] : []), rowsOf(rows));
  for (const each of box.histograms ?? []) found.push(histogram(...each));
  const [from, to] = neighbors(view, number);
  for (const [title, list] of /** @type {[string, number[]][]} */ ([["Reads", from], ["Read by", to]])) {
    if (list.length) found.push(make("h3", "", title), ...list.slice(0, 50).map((other) => link(view, other)));
  }
  const far = box.lines.filter(([, , value]) => value >= 0).map(([, , value]) => scene.values[value].box);
  if (far.length) found.push(make("h3", "", "Reads from far away"), ...far.map((other) => link(view, other)));
  return found;
}

/** @param {View} view @param {number} number */
function link(view, number) {
  const box = view.scene.boxes[number], name = box.full ?? box.name;
  const shown = name.length > 44 ? `…${name.slice(-43)}` : name; // names differ at their ends
  return button(`${box.title}  ${shown}`, () => view.select(number, true), "link row", name);
}

/** The boxes beside one in its group. @param {View} view @param {number} number @returns {[number[], number[]]} */
function neighbors(view, number) {
  const edges = view.picture.courses.get(view.scene.boxes[number].parent) ?? [];
  const from = edges.filter((edge) => edge.target === number && edge.source >= 0).map((edge) => edge.source);
  const to = edges.filter((edge) => edge.source === number && edge.target >= 0).map((edge) => edge.target);
  return [[...new Set(from)], [...new Set(to)]];
}

/** @param {View} view @param {Note} note @param {boolean} leads */
function aboutFinding(view, note, leads) {
  const item = make("div", `finding ${note.severity}`, make("b", "", note.code), ` ${note.message}`);
  for (const words of note.notes) item.append(make("p", "", `note: ${words}`));
  if (note.fix) item.append(make("p", "", `fix: ${note.fix}`));
  const where = button(`line ${note.line}`, () => (leads && note.box > 0 ? view.select(note.box, true) : view.send({ type: "goto", line: note.line, box: note.box })), "link");
  item.append(make("div", "", where));
  return item;
}

/** @param {string} name @param {number[]} counts @param {number} low @param {number} high */
function histogram(name, counts, low, high) {
  const bars = make("div", "bars"), most = Math.max(...counts, 1);
  for (const count of counts) {
    const bar = make("span");
    bar.style.height = `${count ? Math.max(2, (100 * count) / most) : 0}%`;
    bar.title = count.toLocaleString("en");
    bars.append(bar);
  }
  return make("figure", "", bars, make("figcaption", "", `${name}: ${low.toPrecision(4)} to ${high.toPrecision(4)}`));
}
