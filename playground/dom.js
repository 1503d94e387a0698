// Elements of the page.

/** @param {string} id @returns {any} the element with this id, which is there */
export function byId(id) {
  return document.getElementById(id);
}

/** @param {string} tag @param {string} [name] class @param {(Node | string)[]} content */
export function make(tag, name = "", ...content) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...content);
  return element;
}

/** @param {string} words @param {() => void} act @param {string} [name] class */
export function button(words, act, name = "") {
  const element = /** @type {HTMLButtonElement} */ (make("button", name, words));
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

/** Words with `code` in them. @param {string} words */
export function prose(words) {
  return words.split(/`([^`]+)`/).map((part, k) => (k % 2 ? make("code", "", part) : part));
}

/** @param {number} number @param {string} word */
export function count(number, word) {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}
