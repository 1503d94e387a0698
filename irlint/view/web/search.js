// Search by name, operator or shape.
"use strict";

const SHAPE = /^\[?\s*(?:\d+|[?*])(?:\s*[,x×]\s*(?:\d+|[?*]))*\s*\]?$/;

/** The boxes that a query finds, in the order of the picture. @param {Scene} scene @param {string} query @returns {number[]} */
function search(scene, query) {
  const words = query.trim().toLowerCase();
  if (!words) return [];
  if (SHAPE.test(words) && /[[,x×]/.test(words)) return byShape(scene, words);
  const found = [];
  for (let number = 1; number < scene.boxes.length; number++) {
    const box = scene.boxes[number];
    if (box.title.toLowerCase().includes(words) || (box.full ?? box.name).toLowerCase().includes(words)) found.push(number);
  }
  return found;
}

/** @param {Scene} scene @param {string} words @returns {number[]} */
function byShape(scene, words) {
  const wanted = words.replace(/[[\]\s]/g, "").split(/[,x×]/);
  const found = new Set();
  for (const value of scene.values) {
    const dims = value.label.split("×");
    if (dims.length === wanted.length && dims.every((dim, k) => wanted[k] === "?" || wanted[k] === "*" || wanted[k] === dim)) found.add(value.box);
  }
  return [...found].sort((a, b) => a - b);
}

/** @param {View} view @param {HTMLInputElement} field @param {HTMLElement} results */
function watchSearch(view, field, results) {
  let found = /** @type {number[]} */ ([]), at = -1;
  const show = () => {
    results.replaceChildren(...found.slice(0, 100).map((number) => link(view, number)));
    if (field.value.trim()) results.prepend(make("p", "", found.length === 1 ? "1 match" : `${found.length} matches`));
    results.hidden = !field.value.trim();
  };
  field.addEventListener("input", () => {
    [found, at] = [search(view.scene, field.value), -1];
    view.found = new Set(found);
    show();
    view.camera.refresh();
  });
  field.addEventListener("focus", show);
  view.canvas.addEventListener("pointerdown", () => (results.hidden = true));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && found.length) {
      at = (at + (event.shiftKey ? found.length - 1 : 1)) % found.length;
      view.select(found[at], true);
    } else if (event.key === "Escape") {
      field.value = "";
      field.dispatchEvent(new Event("input"));
      view.canvas.focus();
    } else return;
    event.preventDefault();
  });
}
