// What n and p and the buttons beside the search lead through: matches of a search, else what changed between two models, else findings.
"use strict";

class Tour {
  /** @param {View} view */
  constructor(view) {
    this.view = view;
    this.name = "";
    /** @type {number[]} */
    this.stops = []; // boxes; -1 for what is about the model
    this.at = -1;
    this.begins = false; // at a stop, while the panel is about the model
    this.words = make("span");
    this.element = make("span", "tour", button("‹", () => this.go(-1), "", "Previous (p)"), this.words, button("›", () => this.go(1), "", "Next (n)"));
  }

  /** @param {string} name of one stop @param {number[]} stops */
  over(name, stops) {
    const here = this.stops[this.at];
    [this.name, this.stops, this.at] = [name, stops, name === this.name ? stops.indexOf(here) : -1];
    if (this.at < 0) this.begins = false;
    this.show();
  }

  /** Without a search. */
  usual() {
    const { scene } = this.view;
    if (scene.diff) this.over("change", changesOf(scene));
    else this.over("finding", scene.findings.map((note) => Math.max(note.box, -1)));
  }

  /** Begin at the first change, at the first error, or else at the first warning. */
  begin() {
    const { findings, diff } = this.view.scene, first = (/** @type {string} */ severity) => findings.findIndex((note) => note.box > 0 && note.severity === severity);
    if (diff) this.at = this.stops.length ? 0 : -1;
    else this.at = first("error") >= 0 ? first("error") : first("warning");
    if (this.at < 0) return;
    this.view.select(this.stops[this.at], true);
    this.begins = true;
    this.show();
  }

  /** @param {number} step */
  go(step) {
    const count = this.stops.length;
    if (!count) return;
    if (!this.begins || step < 0) this.at = this.at < 0 && step < 0 ? count - 1 : (this.at + step + count) % count;
    this.view.select(this.stops[this.at], true);
  }

  /** Whether a stop is selected. */
  get isAt() {
    return this.at >= 0 && this.stops[this.at] === this.view.selected;
  }

  /** Another box was selected: go on from there, if it is a stop. */
  show() {
    const { selected } = this.view, count = this.stops.length;
    if (selected > 0 && this.stops[this.at] !== selected && this.stops.includes(selected)) this.at = this.stops.indexOf(selected);
    const is = this.isAt && !this.begins;
    this.words.textContent = is ? `${this.name} ${this.at + 1} of ${count}` : `${count} ${this.name}${count === 1 ? "" : this.name === "match" ? "es" : "s"}`;
    this.element.hidden = !this.name || !count;
  }
}

/** The boxes that were added, removed or changed themselves, from the top of the picture to its bottom; if only types changed, those with another type.
 * @param {Scene} scene @returns {number[]} */
function changesOf(scene) {
  /** @type {number[]} */
  const own = [], stack = [0];
  while (stack.length) {
    const number = /** @type {number} */ (stack.pop()), { status, items = [], rows = [], details } = scene.boxes[number];
    const isOwn = !items.length || status === "added" || status === "removed" || details.some(([title]) => title.startsWith("Changed"));
    if (status !== "same" && isOwn) own.push(number);
    stack.push(...rows.flat().map((k) => items[k]).filter((item) => item > 0).reverse());
  }
  const first = own.filter((number) => scene.boxes[number].status !== "follows");
  return first.length ? first : own;
}
