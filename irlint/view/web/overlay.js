// Colors and labels from other programs: node data of Model Explorer.
"use strict";

/** A value of a box with its colors. @typedef {{label: string, number: number | undefined, color: string, ink: string}} Mark */

const PAINT = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d", { willReadFrequently: true }));

/** Red, green and blue of any CSS color; undefined if it is none. @param {string | null} color @returns {number[] | undefined} */
function channels(color) {
  if (!color || !CSS.supports("color", color) || /[(]\s*(?:--|from)|current|inherit|initial|unset|revert/i.test(color)) return undefined;
  PAINT.clearRect(0, 0, 1, 1);
  PAINT.fillStyle = color;
  PAINT.fillRect(0, 0, 1, 1);
  const [red, green, blue, opacity] = PAINT.getImageData(0, 0, 1, 1).data;
  return opacity ? [red, green, blue] : undefined;
}

/** The marks of boxes of one overlay; a group has the greatest number in it. @param {Scene} scene @param {string} name @returns {Map<number, Mark>} */
function marksOf(scene, name) {
  /** @type {Map<number, Mark>} */
  const found = new Map();
  for (const overlay of scene.overlays.filter((each) => each.name === name)) {
    const numbers = /** @type {number[]} */ (overlay.items.map(([, value]) => value).filter((value) => typeof value === "number"));
    const low = numbers.reduce((a, b) => Math.min(a, b), Infinity), high = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
    const known = new Map(), ask = (/** @type {string | null} */ color) => (known.has(color) || known.set(color, channels(color)), known.get(color));
    for (const [box, value, back, ink] of overlay.items) {
      const color = ask(back) ?? (typeof value === "number" ? colorOf(overlay, value, low, high, ask) : undefined);
      const label = typeof value === "number" ? short(value) : value ?? "", own = ask(ink) ?? inkOn(color);
      found.set(box, { label, number: typeof value === "number" ? value : undefined, color: color ? css(color) : theme().box, ink: css(own) });
    }
  }
  for (let number = scene.boxes.length - 1; number > 0; number--) {
    const mark = found.get(number), above = scene.boxes[number].parent, there = found.get(above);
    if (mark?.number === undefined || above <= 0 || (there?.number ?? -Infinity) >= mark.number) continue;
    found.set(above, { ...mark, label: mark.label.startsWith("most: ") ? mark.label : `most: ${mark.label}` });
  }
  return found;
}

/** @param {Overlay} overlay @param {number} value @param {number} low @param {number} high @param {(color: string | null) => number[] | undefined} ask */
function colorOf(overlay, value, low, high, ask) {
  if (!overlay.gradient.length) return ask((overlay.thresholds.find(([most]) => value <= most) ?? [0, null])[1]);
  const share = high > low ? (value - low) / (high - low) : 0;
  const next = Math.max(1, overlay.gradient.findIndex(([stop]) => stop >= share)), [from, to] = overlay.gradient.slice(next - 1, next + 1);
  const [first, last] = [ask(from[1]), to ? ask(to[1]) : undefined];
  if (!first || !last) return first;
  const part = Math.min(1, Math.max(0, (share - from[0]) / (to[0] - from[0] || 1)));
  return first.map((channel, k) => Math.round(channel + part * (last[k] - channel)));
}

/** @param {number[] | undefined} back */
function inkOn(back) {
  if (!back) return channels(theme().title) ?? [0, 0, 0];
  const [red, green, blue] = back.map((channel) => ((channel / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? [28, 33, 40] : [255, 255, 255];
}

/** @param {number[]} color */
function css(color) {
  return `rgb(${color.join(",")})`;
}

/** Colors and what has them, the most frequent first. @param {Map<number, Mark>} marks @returns {[string, string][]} */
function overlayLegend(marks) {
  /** @type {Map<string, Mark[]>} */
  const kinds = new Map();
  for (const mark of marks.values()) {
    if (!kinds.has(mark.color)) kinds.set(mark.color, []);
    kinds.get(mark.color)?.push(mark);
  }
  const numbers = [...marks.values()].filter((mark) => mark.number !== undefined && !mark.label.startsWith("most: "));
  if (kinds.size > 12 && numbers.length) {
    numbers.sort((a, b) => /** @type {number} */ (a.number) - /** @type {number} */ (b.number));
    return [0, 1, 2, 3, 4].map((k) => numbers[Math.round((k * (numbers.length - 1)) / 4)]).map((mark) => [mark.color, mark.label]);
  }
  const first = (/** @type {Mark[]} */ all) => all[0].number ?? 0;
  return [...kinds].sort((a, b) => first(a[1]) - first(b[1]) || b[1].length - a[1].length).slice(0, 12).map(([color, all]) => {
    const plain = all.filter((mark) => mark.number !== undefined).map((mark) => /** @type {number} */ (mark.number));
    const [low, high] = [plain.reduce((a, b) => Math.min(a, b), Infinity), plain.reduce((a, b) => Math.max(a, b), -Infinity)], labels = [...new Set(all.map((mark) => mark.label))];
    if (plain.length) return [color, low === high ? short(low) : `${short(low)} to ${short(high)}`];
    return [color, labels.length > 2 ? `${labels[0]}, … (${labels.length} values)` : labels.join(", ")];
  });
}

/** @param {number} value */
function short(value) {
  return Math.abs(value) < 1e4 ? String(Number(value.toPrecision(4))) : value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
}
