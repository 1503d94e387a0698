// What the page says while Python is being loaded: the steps, their sizes, and how far they are.
import { byId } from "./dom.js";

/** @typedef {"python" | "irlint"} Part what is loaded */

const STEPS = ["python", "irlint", "start", "check"];

export class Loading {
  constructor() {
    /** @type {{[part: string]: {loaded: number, size: number}}} */
    this.parts = {};
    this.show("python");
  }

  /** @param {Part} part @param {number} loaded bytes @param {number} size in bytes */
  hear(part, loaded, size) {
    this.parts[part] = { loaded, size };
    const parts = Object.values(this.parts), whole = parts.every((each) => each.loaded >= each.size);
    this.show(whole ? "start" : "python");
    const sum = (/** @type {"loaded" | "size"} */ key) => parts.reduce((all, each) => all + each[key], 0);
    if (whole) byId("progress").removeAttribute("value");
    else byId("progress").value = sum("loaded") / sum("size");
  }

  /** @param {string} step that is under way; both parts are loaded at once */
  show(step) {
    const at = STEPS.indexOf(step);
    STEPS.forEach((name, number) => {
      const part = this.parts[name], isDone = part && step !== "check" ? part.loaded >= part.size : number < at;
      const item = byId(`step-${name}`);
      item.className = isDone ? "done" : number === at || part ? "now" : "";
      if (part) item.querySelector(".size").textContent = isDone ? megabytes(part.size) : `${megabytes(part.loaded).replace(" MB", "")} of ${megabytes(part.size)}`;
    });
  }
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
