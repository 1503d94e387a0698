// Where boxes stand. The same as irlint/view/place.py, number for number; a test compares them.
"use strict";

/** What a search finds in a box: its kind (weight, tensor, attribute, module), its name, its value or shape.
 * @typedef {[string, string, string]} Part */
/** @typedef {{kind: string, title: string, name: string, full?: string, lines: [string, string, number][], parent: number,
 *   width: number, height: number, category: string, line: number, status: string, badge: string, count: number,
 *   details: [string, [string, string][]][], histograms?: [string, number[], number, number][], open: boolean,
 *   find?: Part[], arrays?: [string, string, string, string][], items?: number[], values_of?: number[], rows?: number[][], edges?: [number, number[]][]}} Box */
/** @typedef {{box: number, label: string, name: string, type: string}} Value */
/** @typedef {{code: string, rule: string, severity: string, message: string, line: number, column: number, box: number,
 *   fix: string | null, notes: string[]}} Note */
/** @typedef {{title: string, about: [string, string][], details: [string, [string, string][]][], boxes: Box[], values: Value[], findings: Note[],
 *   heat: Record<string, (number | null)[]>, unknown: Record<string, string>, overlays: Overlay[], diff: boolean}} Scene */
/** Steps are a number, a color of boxes and one of letters.
 * @typedef {{name: string, items: [number, string | number | null, string | null, string | null][],
 *   thresholds: [number, string | null, string | null][], gradient: [number, string | null, string | null][]}} Overlay */
/** @typedef {{width: number, height: number, x: Float64Array, y: Float64Array, low: Float64Array}} Placed */

const WAYPOINT = -1, ENTRY = -2, EXIT = -3;
const GAP_X = 18, GAP_Y = 46, PAD = 14, HEAD = 24, THIN = 8, GAP_ENTRY = 8, SWEEPS = 8;

/** The insides of the root and of every open group that can be seen, by number.
 * @param {Scene} scene @returns {Map<number, Placed>} */
function place(scene) {
  const groups = /** @type {number[]} */ ([]), stack = [0];
  while (stack.length) {
    const number = /** @type {number} */ (stack.pop()), box = scene.boxes[number];
    if (box.items && (box.open || number === 0)) {
      groups.push(number);
      for (const item of box.items) if (item >= 0) stack.push(item);
    }
  }
  /** @type {Map<number, Placed>} */
  const found = new Map();
  for (const number of groups.reverse()) found.set(number, placeInside(scene, scene.boxes[number], found));
  return found;
}

/** @param {Scene} scene @param {Box} group @param {Map<number, Placed>} found @returns {Placed} */
function placeInside(scene, group, found) {
  const items = group.items ?? [], rows = group.rows ?? [], count = items.length;
  const widths = new Float64Array(count), heights = new Float64Array(count);
  items.forEach((item, k) => {
    const size = item < 0 ? undefined : found.get(item) ?? scene.boxes[item];
    widths[k] = size ? size.width : THIN;
    heights[k] = size ? size.height : 0;
  });
  const y = new Float64Array(count), low = new Float64Array(count);
  let top = HEAD + PAD, gap = 0;
  for (const row of rows) {
    let height = 0;
    for (const k of row) height = Math.max(height, heights[k]);
    for (const k of row) [y[k], low[k]] = [top, top + height];
    gap = row.length && items[row[0]] === ENTRY ? GAP_ENTRY : GAP_Y;
    top += height + gap;
  }
  const x = columns(items, rows, group.edges ?? [], widths);
  let left = count ? Infinity : 0, right = count ? -Infinity : 0;
  for (let k = 0; k < count; k++) left = Math.min(left, x[k] - widths[k] / 2);
  for (let k = 0; k < count; k++) right = Math.max(right, (x[k] -= left - PAD) + widths[k] / 2);
  return { width: Math.max(right + PAD, group.width), height: top - gap + PAD, x, y, low };
}

/** @param {number[]} items @param {number[][]} rows @param {[number, number[]][]} edges @param {Float64Array} widths */
function columns(items, rows, edges, widths) {
  /** @type {[number, number][][]} */
  const above = items.map(() => []);
  /** @type {[number, number][][]} */
  const below = items.map(() => []);
  for (const [, chain] of edges) {
    for (let k = 0; k + 1 < chain.length; k++) {
      const [upper, lower] = [chain[k], chain[k + 1]];
      const weight = [4, 1, 8][Number(items[upper] < 0) + Number(items[lower] < 0)];
      below[upper].push([lower, weight]);
      above[lower].push([upper, weight]);
    }
  }
  const x = new Float64Array(items.length);
  for (const row of rows) {
    let at = 0;
    for (const k of row) {
      x[k] = at + widths[k] / 2;
      at += widths[k] + GAP_X;
    }
    for (const k of row) x[k] -= (at - GAP_X) / 2;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (sweep % 2 === 0) for (let k = 1; k < rows.length; k++) pull(rows[k], above, widths, x);
    else for (let k = rows.length - 2; k >= 0; k--) pull(rows[k], below, widths, x);
  }
  return x;
}

/** Moves the items of a row as near to their neighbours as their order allows: pool adjacent violators.
 * @param {number[]} row @param {[number, number][][]} links @param {Float64Array} widths @param {Float64Array} x */
function pull(row, links, widths, x) {
  /** @type {number[][]} */
  const [means, weights, sizes, offsets] = [[], [], [], []];
  let offset = 0;
  for (let k = 0; k < row.length; k++) {
    const item = row[k];
    if (k) offset += (widths[row[k - 1]] + widths[item]) / 2 + GAP_X;
    offsets.push(offset);
    let total = 0, weight = 0;
    for (const [other, strength] of links[item]) {
      total += strength * x[other];
      weight += strength;
    }
    let mean = (weight ? total / weight : x[item]) - offset, size = 1;
    weight = weight || 0.1;
    while (means.length && means[means.length - 1] > mean) {
      const before = /** @type {number} */ (weights.pop());
      mean = (/** @type {number} */ (means.pop()) * before + mean * weight) / (before + weight);
      weight += before;
      size += /** @type {number} */ (sizes.pop());
    }
    means.push(mean);
    weights.push(weight);
    sizes.push(size);
  }
  let at = 0;
  means.forEach((mean, block) => {
    for (const end = at + sizes[block]; at < end; at++) x[row[at]] = mean + offsets[at];
  });
}
