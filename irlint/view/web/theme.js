// Colours, light and dark.
"use strict";

const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const LIGHT = {
  page: "#ffffff", box: "#ffffff", border: "#8b949e", text: "#3d4650", faint: "#57606a", title: "#1c2128", edge: "#77818c",
  select: "#0969da", incoming: "#8250df", outgoing: "#bc4c00", found: "#fff3a8", unknown: "#c3c9d1",
};
const DARK = {
  page: "#14181d", box: "#1d232a", border: "#68727d", text: "#c6ced6", faint: "#9aa4ae", title: "#ffffff", edge: "#8b949e",
  select: "#4c9ffe", incoming: "#c297ff", outgoing: "#ff9d5c", found: "#4d4100", unknown: "#56606b",
};
/** Title bars, and boxes that are too small for letters: in light, in dark. @type {Record<string, [string, string]>} */
const CATEGORIES = {
  conv: ["#9cc2ff", "#1d4f91"], matrix: ["#b9aef7", "#4d3fa3"], norm: ["#93d9ab", "#1f6b43"],
  activation: ["#ffb495", "#8f3d1c"], pool: ["#86d0d5", "#14646b"], shape: ["#b9c2cc", "#4a5561"],
  data: ["#dcc48f", "#6e5520"], reduce: ["#e3a5d3", "#7d2a66"], elementwise: ["#f2d46b", "#6b5510"],
  control: ["#f79aa2", "#8c2f39"], state: ["#b8977e", "#5c4433"], text: ["#a6dbe0", "#1c5a70"], quantize: ["#b4d98a", "#466314"], input: ["#2f5d50", "#35705f"],
  output: ["#5b3a62", "#6b4674"], group: ["#d3dce8", "#5a6b86"], other: ["#c9c9c9", "#555555"],
};
/** @type {Record<string, string>} */
const CATEGORY_NAMES = {
  conv: "convolution", matrix: "matrix product", norm: "normalization", activation: "activation", pool: "pooling, resizing",
  shape: "shape", data: "data, boxes", reduce: "reduction", elementwise: "elementwise", control: "control flow",
  state: "state", text: "text",
  quantize: "quantization", input: "input", output: "output", group: "group", other: "other",
};
/** @type {Record<string, string>} */
const STATUS = { added: "#1a7f37", removed: "#cf222e", changed: "#bf8700", follows: "#54aeff" };
/** @type {Record<string, string>} */
const STATUS_NAMES = { follows: "type changed as a consequence" };
/** @type {Record<string, string>} */
const BADGES = { error: "#cf222e", warning: "#9a6700", info: "#0969da" };

let dark = matchMedia("(prefers-color-scheme: dark)").matches;

function theme() {
  return dark ? DARK : LIGHT;
}

/** @param {string} category */
function barColor(category) {
  return (CATEGORIES[category] ?? CATEGORIES.other)[dark ? 1 : 0];
}

/** Of boxes that are too small for letters: what changed, or the color of the title bar. @param {Scene} scene @param {Box} box */
function markColor(scene, box) {
  if (scene.diff) return STATUS[box.status] ?? theme().border;
  return barColor(box.category);
}

/** What is behind the boxes of a group in so many groups. @param {number} depth */
function ground(depth) {
  const share = 1 - 0.91 ** Math.min(depth, 4);
  return mixed(dark ? [20, 24, 29] : [255, 255, 255], [139, 148, 158], share);
}

/** @param {number[]} from @param {number[]} to @param {number} share */
function mixed(from, to, share) {
  return `rgb(${from.map((low, k) => Math.round(low + share * (to[k] - low))).join(",")})`;
}

/** The quantities from the palest color to the strongest. They span decades on a logarithmic scale.
 * @typedef {{low: number, high: number, isLog: boolean}} ColorScale */
const DECADES = 4; // at most, on a logarithmic scale

/** @param {(number | null)[]} values greater than 0 @returns {ColorScale} */
function rangeOf(values) {
  const [least, high] = values.reduce(([a, b], value) => [Math.min(a, value ?? a), Math.max(b, value ?? b)], [Infinity, 0]);
  const isLog = high >= 10 * least;
  return { low: isLog ? Math.max(least, high / 10 ** DECADES) : 0, high, isLog };
}

/** The quantity at a share of a range. @param {ColorScale} range @param {number} share */
function quantityAt({ low, high, isLog }, share) {
  return isLog ? low * (high / low) ** share : high * share;
}

/** From pale to strong. @param {number} value @param {ColorScale} range */
function heatColor(value, { low, high, isLog }) {
  if (high <= 0) return theme().box;
  const part = isLog ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : value / high;
  const [from, to] = dark ? [[38, 45, 53], [178, 62, 10]] : [[255, 250, 240], [240, 110, 30]];
  return mixed(from, to, Math.min(1, Math.max(0, part)));
}
