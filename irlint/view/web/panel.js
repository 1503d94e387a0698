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

/** Texts of several lines, and long ones, are below their keys. @param {[string, string][]} rows
 * @param {(words: string) => (Node | string)[]} shown how words are shown: those of a file as they are */
function rowsOf(rows, shown = (words) => [words]) {
  const list = make("dl");
  for (const [key, words] of rows) {
    const kind = words.includes("\n") || words.length > 90 ? "long" : key.length > 16 ? "below" : "";
    list.append(make("dt", kind, key), make("dd", kind, ...shown(words)));
  }
  return list;
}

/** Words with `code` in them. @param {string} words */
function spans(words) {
  return words.split(/`([^`]+)`/).map((part, k) => (k % 2 ? code(part) : part));
}

/** Code, whose words stay whole where they fit: browsers break lines at hyphens, and so between the two of an option.
 * @param {string} words */
function code(words) {
  return make("code", "", ...words.split(/( )/).map((part) => (part === " " ? part : make("span", "", part))));
}

/** @param {View} view */
function fillPanel(view) {
  const box = view.selected > 0 ? view.scene.boxes[view.selected] : undefined;
  view.panel.replaceChildren(...(box ? aboutBox(view, box) : aboutModel(view)));
  view.panel.scrollTop = 0;
}

/** @param {View} view */
function aboutModel(view) {
  const { scene } = view, found = [make("h2", "", scene.title), rowsOf(scene.about, spans)], colors = aboutColors(view);
  if (view.heat) found.push(...colors.splice(0)); // which was asked for
  const changes = scene.diff ? changesOf(scene) : [];
  if (changes.length) found.push(make("h3", "", `Boxes with changes (${changes.length})`), ...changes.slice(0, 500).map((box) => link(view, box)));
  if (scene.findings.length) {
    found.push(make("h3", "", `Findings (${scene.findings.length})`), ...scene.findings.slice(0, 500).map((note) => aboutFinding(view, note, true)));
  }
  found.push(...colors);
  for (const [title, rows] of scene.details) found.push(make("h3", "", title), rowsOf(rows));
  return found;
}

/** The legend, and the boxes with the most of a quantity. @param {View} view */
function aboutColors(view) {
  const { heat, overlay } = view, legend = make("ul", "legend");
  for (const [color, words] of legendOf(view)) legend.append(swatch(color, words));
  const found = [make("h3", "", heat || overlay ? `Colors: ${heat || overlay}${heat ? `, ${view.range.isLog ? "logarithmic" : "linear"} scale` : ""}` : "Colors"), legend];
  if (view.scene.unknown[heat]) found.push(make("p", "unknown", ...spans(view.scene.unknown[heat])));
  if (heat) found.push(make("h3", "", MOST[heat] ?? heat), ...largest(view).map((box) => link(view, box, quantityOf(view, box, heat))));
  return found;
}

/** The colors of boxes, the same at every scale, and what they mean. @param {View} view @returns {[string, string][]} */
function legendOf(view) {
  const { scene } = view, kinds = new Set(scene.boxes.slice(1).map((box) => box.category)), badges = new Set(scene.findings.map((note) => note.severity));
  const found = scaleOf(view);
  if (!view.marks && !view.heat) for (const name of Object.keys(CATEGORIES)) if (kinds.has(name)) found.push([barColor(name), CATEGORY_NAMES[name]]);
  for (const [severity, color] of Object.entries(BADGES)) if (badges.has(severity)) found.push([color, severity]);
  return found;
}

/** What colors mean that are not those of operators: of an overlay, a quantity, or of changes; pictures that are saved have it, too.
 * @param {View} view @returns {[string, string][]} */
function scaleOf(view) {
  if (view.marks) return overlayLegend(view.marks);
  if (view.heat) {
    const column = view.scene.heat[view.heat], isUnknown = view.scene.boxes.some((box, k) => k && box.kind === "node" && column[k] === null);
    const steps = [1, 0.75, 0.5, 0.25, 0].map((share) => quantityAt(view.range, share));
    return [...steps.map(/** @returns {[string, string]} */ (value) => [heatColor(value, view.range), amount(view.heat, value)]), ...(isUnknown ? [/** @type {[string, string]} */ ([theme().unknown, "unknown"])] : [])];
  }
  if (!view.scene.diff) return [];
  return [...Object.entries(STATUS).map(/** @returns {[string, string]} */ ([name, color]) => [color, STATUS_NAMES[name] ?? name]), [theme().border, "unchanged"]];
}

/** A quantity as it is read. @param {string} name @param {number} value */
function amount(name, value) {
  if (name === "time") return value < 1e-3 ? `${(value * 1e6).toPrecision(3)} µs` : `${(value * 1e3).toPrecision(3)} ms`;
  return value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
}

/** @type {Record<string, string>} */
const MOST = { time: "Slowest", FLOPs: "Most FLOPs", bytes: "Largest outputs" };
const LARGEST = 20; // boxes that are listed

/** The boxes with the most of what boxes are colored by, which hold no others. @param {View} view @returns {number[]} */
function largest({ scene, heat }) {
  const column = scene.heat[heat], value = (/** @type {number} */ k) => column[k] ?? 0;
  const some = scene.boxes.map((_, k) => k).filter((k) => k && !scene.boxes[k].items && value(k) > 0);
  return some.sort((a, b) => value(b) - value(a)).slice(0, LARGEST);
}

/** A quantity of a box and its share of that of the model; nothing if it is not known. @param {View} view @param {number} number @param {string} name */
function quantityOf(view, number, name) {
  const column = view.scene.heat[name], value = column?.[number];
  if (!column || value === null || value === undefined) return "";
  return `${amount(name, value)}${column[0] ? ` (${((100 * value) / column[0]).toPrecision(2)} %)` : ""}`;
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
  if (box.line) head.append(view.host ? button(`line ${box.line}`, () => view.goto(box), "link", "Go to this line of the file") : `line ${box.line}`);
  if (box.items) head.append(button(box.open ? "close" : "open", () => view.toggle(number), "link"));
  head.append(button("copy name", () => void navigator.clipboard?.writeText(box.full ?? box.name), "link"));
  const found = [make("h2", "", box.title), make("p", "name", box.full ?? box.name), head];
  if (scene.diff && box.status !== "same") found.push(make("p", `status ${box.status}`, STATUS_NAMES[box.status] ?? box.status));
  const isEarly = (/** @type {string} */ title) => title.startsWith("Changed"), isLate = (/** @type {string} */ title) => title.startsWith("Metadata");
  /** @param {(title: string) => boolean} is */
  const tell = (is) => {
    for (const [title, rows] of box.details) if (is(title)) found.push(...(title ? [make("h3", "", title)] : []), rowsOf(rows));
    return found;
  };
  if (box.details.some(([title]) => isEarly(title))) tell(isEarly).push(make("h3", "", box.items ? "Group" : "Node"));
  const findings = scene.findings.filter((note) => note.box >= 0 && isIn(scene, note.box, number));
  found.push(...findings.slice(0, 100).map((note) => aboutFinding(view, note, note.box !== number)));
  const said = scene.overlays.flatMap((overlay) => overlay.items.filter((item) => item[0] === number).map((item) => [overlay.name, String(item[1])]));
  if (said.length) found.push(make("h3", "", "Overlays"), rowsOf(/** @type {[string, string][]} */ (said)));
  const shares = Object.keys(scene.heat).filter((name) => name === "time" || box.items).map((name) => [name, quantityOf(view, number, name)]);
  if (shares.some(([, words]) => words)) found.push(rowsOf(/** @type {[string, string][]} */ (shares.filter(([, words]) => words))));
  tell((title) => !isEarly(title) && !isLate(title));
  for (const each of box.arrays ?? []) if (each[3] || !scene.diff) found.push(saving(view, ...each)); // of two models, no command names one
  for (const each of box.histograms ?? []) found.push(histogram(...each));
  const [from, to] = neighbors(view, number);
  for (const [title, list] of /** @type {[string, number[]][]} */ ([["Reads", from], ["Read by", to]])) {
    if (list.length) found.push(make("h3", "", title), ...list.slice(0, 50).map((other) => link(view, other)));
  }
  const far = box.lines.filter(([, , value]) => value >= 0).map(([, , value]) => scene.values[value].box);
  if (far.length) found.push(make("h3", "", "Reads from far away"), ...far.map((other) => link(view, other)));
  tell(isLate); // long, and seldom what is looked for
  return found;
}

/** What saves a weight; the command that does it where the page has no room for its values.
 * @param {View} view @param {string} weight @param {string} file @param {string} type @param {string} data base64 */
function saving(view, weight, file, type, data) {
  if (data) return make("p", "", button(`save ${file}`, () => save(view, file, new Blob([bytesOf(data)])), "link", weight), type ? ` as ${type}` : "");
  const command = `irlint weights ${quoted(view.scene.title)} --name=${quoted(weight.replace(/[[*?]/g, "[$&]"))} --save .`;
  return make("p", "", "save: ", code(command), " ", button("copy", () => void navigator.clipboard?.writeText(command), "link"));
}

/** A word of a shell's command. @param {string} words */
function quoted(words) {
  return /^[\w./:-]+$/.test(words) ? words : `'${words.replace(/'/g, "'\\''")}'`;
}

/** @param {string} data base64 */
function bytesOf(data) {
  return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
}

/** @param {View} view @param {number} number @param {string} [before] */
function link(view, number, before = "") {
  const box = view.scene.boxes[number], name = box.full ?? box.name;
  const shown = name.length > 44 ? `…${name.slice(-43)}` : name; // names differ at their ends
  const found = button(`${before && `${before}  `}${box.title}  ${shown}`, () => view.select(number, true), "link row", name);
  if (view.scene.diff && STATUS[box.status]) [found.style.borderLeft, found.style.paddingLeft] = [`3px solid ${STATUS[box.status]}`, "6px"];
  return found;
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
  const item = make("div", `finding ${note.severity}`, make("b", "", note.code), " ", ...spans(note.message));
  for (const words of note.notes) item.append(make("p", "", "note: ", ...spans(words)));
  if (note.fix) item.append(make("p", "", "fix: ", ...spans(note.fix)));
  const isNear = leads && note.box > 0, go = () => (isNear ? view.select(note.box, true) : view.send({ type: "goto", line: note.line, box: note.box }));
  item.append(make("div", "", isNear || view.host ? button(`line ${note.line}`, go, "link") : `line ${note.line}`)); // a page has no file to go to
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
