// What the page shows besides findings: the graph, the flat view, the shapes.
import { Refused } from "./client.js";
import { button, byId, make, prose } from "./dom.js";
import { reader } from "./editor.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {[name: string, operator: string, types: string, offset: number]} Shape */
/** @typedef {{offset: (offset: number) => void, line: (line: number) => void}} Show */

const PAGE = 500; // rows that are shown at once
const SLOW = 300; // milliseconds after which a view says that it is being made

export class Views {
  /** @param {() => Client} client @param {Show} show */
  constructor(client, show) {
    this.client = client;
    this.show = show;
    /** @type {HTMLIFrameElement | null} */
    this.frame = null;
    this.isLoaded = false;
    /** @type {unknown} */
    this.scene = null;
    addEventListener("message", ({ data, source }) => this.heard(data, source));
  }

  /** Take away what is shown of another model. @param {string} words */
  clear(words) {
    for (const trouble of document.querySelectorAll("[role=tabpanel] > .trouble")) {
      trouble.textContent = words;
      trouble.parentElement?.classList.add("is-troubled");
    }
  }

  /** Show what is now the case. @param {string} tab */
  async fill(tab) {
    const panel = byId(`panel-${tab}`), trouble = panel.querySelector(".trouble");
    const slow = setTimeout(() => (trouble.textContent = "Working…"), SLOW);
    try {
      const found = await this.client().call(tab);
      clearTimeout(slow);
      trouble.textContent = "";
      if (tab === "graph") this.draw(panel, found);
      else if (tab === "flat") this.list(panel, found);
      else this.table(panel, found);
    } catch (error) {
      const words = /** @type {Error} */ (error).message;
      trouble.replaceChildren(...prose(error instanceof Refused ? `Nothing to show: ${words}.` : `irlint failed: ${words}`));
    }
    clearTimeout(slow);
    panel.classList.toggle("is-troubled", trouble.textContent !== "");
  }

  /** @param {HTMLElement} panel @param {unknown} scene */
  draw(panel, scene) {
    this.scene = scene;
    if (!this.frame) {
      this.frame = /** @type {HTMLIFrameElement} */ (make("iframe"));
      this.frame.title = "Graph of the model";
      this.frame.src = new URL("graph.html", import.meta.url).href;
      panel.append(this.frame);
    } else if (this.isLoaded) this.send({ type: "scene", scene });
  }

  /** @param {unknown} message */
  send(message) {
    this.frame?.contentWindow?.postMessage(message, location.origin);
  }

  /** The viewer speaks as it does to an editor. @param {any} message @param {unknown} source */
  heard(message, source) {
    if (!this.frame || source !== this.frame.contentWindow) return;
    if (message.type === "ready") {
      this.isLoaded = true;
      this.dress();
      this.send({ type: "scene", scene: this.scene });
    } else if (message.type === "goto" && message.line) this.show.line(message.line);
  }

  /** Tell the viewer whether the page is dark. */
  dress() {
    if (this.isLoaded) this.send({ type: "theme", dark: document.documentElement.dataset.theme === "dark" });
  }

  /** @param {HTMLElement} panel @param {string} text */
  list(panel, text) {
    const place = /** @type {HTMLElement} */ (panel.querySelector(".listing"));
    place.replaceChildren();
    reader(place, text, "Flat view of the model");
  }

  /** @param {HTMLElement} panel @param {Shape[]} shapes */
  table(panel, shapes) {
    const filter = /** @type {HTMLInputElement} */ (panel.querySelector("input")), body = /** @type {HTMLElement} */ (panel.querySelector("tbody"));
    const refresh = (limit = PAGE) => {
      const words = filter.value.toLowerCase(), found = shapes.filter((shape) => shape.slice(0, 3).some((part) => String(part).toLowerCase().includes(words)));
      body.replaceChildren(...found.slice(0, limit).map((shape) => this.row(shape)));
      panel.querySelector(".more")?.remove();
      if (found.length > limit) panel.append(make("p", "more", button(`Show all ${found.length.toLocaleString("en")}`, () => refresh(found.length))));
    };
    filter.oninput = () => refresh();
    refresh();
  }

  /** @param {Shape} shape */
  row([name, operator, types, offset]) {
    const row = make("tr"), place = button(name || "(no name)", () => this.show.offset(offset), "link");
    row.append(make("td", "", place), make("td", "", operator), make("td", "types", types));
    return row;
  }
}
