// Search by name, operator, module, attribute, tensor, weight or shape.
"use strict";

const SHAPE = /^(?:\[.*\]|(?:\d+|[?*])(?:\s*[,x×]\s*(?:\d+|[?*]))+)$/;
const BRACKETS = /[\s[\]()]/g;

/** A box that a query finds, and what of it: `weight fc.weight 10×512`. @typedef {{box: number, why: string}} Hit */

/** The boxes that a query finds, in the order of the picture. @param {Scene} scene @param {string} query @returns {Hit[]} */
function search(scene, query) {
  const words = query.trim().toLowerCase();
  if (!words) return [];
  const wanted = SHAPE.test(words) ? words.replace(/[[\]\s]/g, "").split(/[,x×]/) : undefined;
  const bare = words.replace(BRACKETS, "");
  /** @type {Hit[]} */
  const found = [];
  for (let number = 1; number < scene.boxes.length; number++) {
    const box = scene.boxes[number];
    const named = !wanted && [box.title, box.full ?? "", box.name].some((name) => name.toLowerCase().includes(words));
    const part = named ? undefined : box.find?.find((each) => (wanted ? hasShape(each, wanted) : matches(each, words, bare)));
    if (named || part) found.push({ box: number, why: part ? `${part[0]} ${told(part)}${part[0] === "attribute" || !part[2] ? "" : `  ${part[2]}`}` : "" });
  }
  return found;
}

/** Attributes are found however their lists are written. @param {Part} part @param {string} words @param {string} bare */
function matches(part, words, bare) {
  const name = told(part).toLowerCase();
  return name.includes(words) || (part[0] === "attribute" && bare !== "" && name.replace(BRACKETS, "").includes(bare));
}

/** @param {Part} part */
function told([kind, name, value]) {
  return kind === "attribute" ? `${name} = ${value}` : name;
}

/** @param {Part} part @param {string[]} wanted */
function hasShape([kind, , value], wanted) {
  const dims = kind === "attribute" ? value.replace(/[[\]()\s]/g, "").split(",") : value.toLowerCase().split("×");
  return dims.length === wanted.length && dims.every((dim, k) => wanted[k] === "?" || wanted[k] === "*" || wanted[k] === dim);
}

/** @param {View} view @param {HTMLInputElement} field @param {HTMLElement} results */
function watchSearch(view, field, results) {
  let found = /** @type {Hit[]} */ ([]);
  const show = () => {
    results.replaceChildren(...found.slice(0, 100).flatMap(({ box, why }) => [link(view, box), ...(why ? [make("small", "", why)] : [])]));
    if (field.value.trim()) results.prepend(make("p", "", found.length === 1 ? "1 match" : `${found.length} matches`));
    results.hidden = !field.value.trim();
  };
  field.addEventListener("input", () => {
    found = view.lookFor();
    show();
    view.camera.refresh();
  });
  field.addEventListener("focus", show);
  view.canvas.addEventListener("pointerdown", () => (results.hidden = true));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      view.tour.go(event.shiftKey ? -1 : 1);
      view.canvas.focus(); // where n, p and Enter go on
    } else if (event.key === "Escape") leaveSearch(view);
    else return;
    event.preventDefault();
  });
}

/** @param {View} view */
function leaveSearch({ field, canvas }) {
  field.value = "";
  field.dispatchEvent(new Event("input"));
  canvas.focus();
}
