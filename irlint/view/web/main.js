// The view as a whole: state, keyboard, toolbar, minimap, and the host it may run in.
"use strict";

const HELP = [
  ["drag, wheel", "move"], ["Ctrl + wheel, pinch, + and -", "zoom"], ["f, fit", "the whole model; if that is too large to read, its beginning, and all of it if that is shown already"], ["click", "select: a blue frame; what the box reads is violet, what reads it orange"],
  ["double click, Enter", "open or close a group"], ["arrow keys", "go along edges, and to neighbors"],
  ["/", "search by name, operator, weight, tensor, attribute (axis = 1), module or shape, such as [?,64,112,112]; then Enter, n and p go through the matches, and Esc leaves the search"], ["n, p", "next or previous match of the search, change or finding"],
  ["o, c", "open or close all groups"], ["Esc", "clear the selection"],
];
const OVERLAY = "overlay: "; // before the name of one, among what boxes can be colored by
const READABLE = 0.75; // the scale at which a model opens, at least
const LEAST = 0.6; // the scale of a whole model that is still read

class View {
  /** @param {Scene} scene @param {{postMessage(message: unknown): void} | undefined} host */
  constructor(scene, host) {
    this.scene = scene;
    this.host = host;
    this.selected = -1;
    this.heat = this.overlay = "";
    /** @type {Map<number, Mark> | undefined} */
    this.marks = undefined; // of the overlay that is shown
    /** @type {Set<number>} */
    this.found = new Set();
    this.picture = compose(scene);
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", "Graph of the model; press ? for the keys");
    this.panel = make("aside", "panel");
    this.spoken = make("p", "spoken");
    this.spoken.setAttribute("aria-live", "polite");
    this.map = document.createElement("canvas");
    this.map.className = "map";
    this.mapImage = document.createElement("canvas");
    this.mapScale = [1, 1]; // across and down
    this.camera = new Camera(this.canvas, (ctx, view, scale) => draw(ctx, this.scene, this.picture, this.look(view, scale)), () => this.drawMap());
    this.bar = make("header", "bar");
    this.tour = new Tour(this);
    this.field = document.createElement("input");
    this.fillBar();
    document.body.append(this.bar, make("main", "", this.canvas, this.map), this.panel, this.spoken);
    listen(this.camera, (x, y, twice) => this.clicked(x, y, twice));
    document.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("pointermove", (event) => event.buttons || this.hover(event.offsetX, event.offsetY));
    this.watchMap();
    new ResizeObserver(() => this.camera.refresh()).observe(this.canvas);
    this.dress();
    this.changed();
    this.home();
    this.tour.usual();
    if (!host) this.tour.begin(); // an editor selects what its cursor is at
    this.panel.replaceChildren(...aboutModel(this)); // with all changes or findings
  }

  /** @param {Rect} view @param {number} scale @returns {Look} */
  look(view, scale) {
    return { view, scale, selected: this.selected, found: this.found, heat: this.heat, range: this.range, marks: this.marks };
  }

  /** What the colors of a quantity span. */
  get range() {
    const column = this.heat ? this.scene.heat[this.heat] : [];
    return rangeOf(column.filter((value, k) => value !== null && value > 0 && !this.scene.boxes[k].items));
  }

  /** The beginning of the model, as large as it can be read. */
  home() {
    const { width, height } = this.picture;
    this.camera.fit({ x: 0, y: 0, width, height: Math.min(height, Math.max(width, this.camera.height)) });
    if (height * this.camera.scale > this.camera.height) this.camera.y = 0;
    if (this.camera.scale >= READABLE) return;
    const first = this.picture.rects.get((this.scene.boxes[0].items ?? []).find((item) => item > 0) ?? 0) ?? { x: 0, width };
    this.camera.scale = READABLE;
    const { view } = this.camera, margin = 30 / READABLE;
    this.camera.x = within(first.x + (first.width - view.width) / 2, width - view.width, margin);
    this.camera.y = within(0, height - view.height, margin);
  }

  /** The whole model; where nothing of it could be read its beginning, and the whole of it if that is what is seen. */
  fit() {
    const { camera, picture } = this, seen = () => `${camera.x} ${camera.y} ${camera.scale}`, before = seen();
    if (Math.min(camera.width / picture.width, camera.height / picture.height) < LEAST) {
      this.home();
      if (seen() !== before) return camera.redraw();
    }
    camera.fit({ x: 0, y: 0, width: picture.width, height: picture.height });
  }

  /** Groups were opened or closed, or the scene is another. */
  changed() {
    this.picture = compose(this.scene);
    this.camera.isLarge = this.picture.rects.size > LARGE;
    this.paintMap();
    this.camera.refresh();
  }

  /** Open or close a group; it stays where it is on the screen. @param {number} number */
  toggle(number) {
    const box = this.scene.boxes[number];
    if (!box.items || number === 0) return;
    const before = this.picture.rects.get(number);
    box.open = !box.open;
    this.changed();
    const after = this.picture.rects.get(number);
    if (before && after) {
      this.camera.x += after.x + after.width / 2 - before.x - before.width / 2;
      this.camera.y += after.y - before.y;
      if (after.width * this.camera.scale > this.camera.width || after.y < this.camera.y) this.camera.reveal({ ...after, height: Math.min(after.height, 200) }, this.picture);
    }
    this.select(number);
  }

  /** @param {boolean} open */
  toggleAll(open) {
    this.scene.boxes.forEach((box, number) => box.items && number && (box.open = open));
    this.changed();
    this.home();
    this.select(-1);
  }

  /** @param {number} number @param {boolean} [reveal] open the groups it is in, and bring it into view */
  select(number, reveal = false) {
    this.selected = number;
    if (reveal && number > 0) {
      let opened = false;
      for (let at = this.scene.boxes[number].parent; at > 0; at = this.scene.boxes[at].parent) {
        opened ||= !this.scene.boxes[at].open;
        this.scene.boxes[at].open = true;
      }
      if (opened) this.changed();
      const rect = this.picture.rects.get(number);
      if (rect) this.camera.reveal(rect, this.picture);
    }
    const box = number > 0 ? this.scene.boxes[number] : undefined;
    this.spoken.textContent = box ? `${box.title} ${box.name}${box.count ? `, ${box.count} finding${box.count > 1 ? "s" : ""}` : ""}` : "";
    if (box && !box.details.length) this.send({ type: "details", box: number });
    fillPanel(this);
    this.tour.begins = false;
    this.tour.show();
    this.camera.refresh();
  }

  /** @param {number} x @param {number} y @param {boolean} twice */
  clicked(x, y, twice) {
    const at = { x: this.camera.x + x / this.camera.scale, y: this.camera.y + y / this.camera.scale };
    const number = this.at(at.x, at.y), rect = this.picture.rects.get(number), box = this.scene.boxes[number];
    if (number > 0 && rect && box.items) {
      const onArrow = box.open ? at.x < rect.x + 22 && at.y < rect.y + HEAD : at.x > rect.x + rect.width - 22 && at.y < rect.y + TITLE_HEIGHT;
      if (twice !== onArrow) return this.toggle(number);
    }
    if (twice) return this.goto(box);
    const line = rect && box.lines[Math.floor((at.y - rect.y - TITLE_HEIGHT - (box.name ? NAME_HEIGHT : 0)) / LINE_HEIGHT)];
    if (line && line[2] >= 0 && !box.open) this.select(this.scene.values[line[2]].box, true);
    else this.select(number > 0 ? number : -1);
    if (this.selected > 0 && this.host) this.send({ type: "goto", line: this.scene.boxes[this.selected].line, box: this.selected, keepFocus: true });
  }

  /** Say what can be clicked, and the whole of a name that is cut. @param {number} x @param {number} y */
  hover(x, y) {
    const number = this.at(this.camera.x + x / this.camera.scale, this.camera.y + y / this.camera.scale), box = this.scene.boxes[number];
    this.canvas.style.cursor = number > 0 ? "pointer" : "";
    const said = number > 0 && !(box.open && box.items) ? [box.full ?? "", quantityOf(this, number, this.heat || "time")] : [];
    this.canvas.title = said.filter(Boolean).join("\n");
  }

  /** The innermost visible box at a point; 0 if there is none. @param {number} x @param {number} y */
  at(x, y) {
    let found = 0;
    for (let inner = 0; inner >= 0;) {
      found = inner;
      inner = this.picture.placed.has(found) ? (this.scene.boxes[found].items ?? []).find((item) => item > 0 && contains(this.picture.rects.get(item), x, y)) ?? -1 : -1;
    }
    return found;
  }

  /** @param {Box} box */
  goto(box) {
    if (box.line) this.send({ type: "goto", line: box.line, box: this.selected });
  }

  /** @param {unknown} message */
  send(message) {
    this.host?.postMessage(message);
  }

  /** Keys work wherever the focus is, unless what has it needs them. @param {KeyboardEvent} event */
  key(event) {
    const { target } = event, on = target instanceof Element ? target : this.canvas;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || on.matches("input, select")) return;
    if ((event.key === "Enter" && on.matches("button")) || (event.key.startsWith("Arrow") && this.panel.contains(on))) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      f: () => this.fit(), "+": () => this.camera.zoom(1.25), "=": () => this.camera.zoom(1.25), "-": () => this.camera.zoom(0.8),
      o: () => this.toggleAll(true), c: () => this.toggleAll(false), n: () => this.tour.go(1), p: () => this.tour.go(-1),
      "/": () => this.field.focus(), "?": () => this.help(), Escape: () => (this.field.value ? leaveSearch(this) : this.select(-1)), Enter: () => this.enter(event.shiftKey ? -1 : 1),
      ArrowDown: () => this.step(0, 1), ArrowUp: () => this.step(0, -1), ArrowLeft: () => this.step(-1, 0), ArrowRight: () => this.step(1, 0),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  /** Go to the next match of a search, if one is selected; else open or close a group, or go to the line of a node. @param {number} step */
  enter(step) {
    if (this.tour.name === "match" && this.tour.isAt) return this.tour.go(step);
    if (this.selected <= 0) return;
    if (this.scene.boxes[this.selected].items) this.toggle(this.selected);
    else this.goto(this.scene.boxes[this.selected]);
  }

  /** @param {number} dx @param {number} dy */
  step(dx, dy) {
    const items = this.scene.boxes[0].items ?? [];
    if (this.selected <= 0) return this.select(items.find((item) => item > 0) ?? -1, true);
    const box = this.scene.boxes[this.selected], group = this.scene.boxes[box.parent];
    if (dy) {
      const next = neighbors(this, this.selected)[dy > 0 ? 1 : 0];
      if (dy > 0 && box.open && box.items) return this.select(box.items[0], true);
      if (next.length) return this.select(next[0], true);
      return box.parent > 0 ? this.select(box.parent, true) : undefined;
    }
    const at = (group.items ?? []).indexOf(this.selected), row = (group.rows ?? []).find((each) => each.includes(at)) ?? [];
    const beside = row.filter((k) => (group.items ?? [])[k] >= 0), next = beside[beside.indexOf(at) + dx];
    if (next !== undefined) this.select((group.items ?? [])[next], true);
  }

  fillBar() {
    [this.field.type, this.field.placeholder] = ["search", "Search: name, weight, axis = 1, [?,64,112,112]"];
    this.field.setAttribute("aria-label", "Search by name, operator, weight, tensor, attribute or shape");
    const results = make("div", "results"), search = make("div", "search", this.field, results);
    results.hidden = true;
    watchSearch(this, this.field, results);
    const heat = /** @type {HTMLSelectElement} */ (make("select"));
    heat.setAttribute("aria-label", "Color boxes by");
    for (const name of ["", ...Object.keys(this.scene.heat)]) heat.append(new Option(name || "operator", name));
    const overlays = [...new Set(this.scene.overlays.map((overlay) => overlay.name))];
    for (const name of overlays) heat.append(new Option(name, `${OVERLAY}${name}`, false, name === overlays[0]));
    if (!overlays.length && "time" in this.scene.heat) heat.value = "time"; // which was asked for
    const color = () => this.color(heat.value);
    heat.addEventListener("change", color);
    color();
    const name = (/** @type {string} */ extension) => `${this.scene.title.replace(/\.[^.]*$/, "").replaceAll("/", "_") || "graph"}.${extension}`;
    const svg = () => save(this, name("svg"), new Blob([svgOf(this)], { type: "image/svg+xml" }));
    const png = () => pngOf(this).then((blob) => save(this, name("png"), blob)).catch((error) => (this.spoken.textContent = String(error)));
    this.bar.replaceChildren(
      make("strong", "", this.scene.title), search, this.tour.element,
      make("label", "", "color by ", heat),
      button("open all", () => this.toggleAll(true)), button("close all", () => this.toggleAll(false)), button("fit", () => this.fit(), "", "The model as large as it can be read; once more: all of it"),
      button("−", () => this.camera.zoom(0.8), "", "Zoom out"), button("+", () => this.camera.zoom(1.25), "", "Zoom in"),
      button("PNG", png, "", "Save as PNG"), button("SVG", svg, "", "Save as SVG"),
      button("◐", () => [(dark = !dark), this.dress(), this.paintMap(), this.camera.refresh(), fillPanel(this)], "", "Light or dark"), button("?", () => this.help(), "", "Keys"),
    );
  }

  /** Color boxes by their operators (""), a quantity, or an overlay. @param {string} what */
  color(what) {
    this.overlay = what.startsWith(OVERLAY) ? what.slice(OVERLAY.length) : "";
    this.heat = this.overlay ? "" : what;
    this.marks = this.overlay ? marksOf(this.scene, this.overlay) : undefined;
    this.paintMap();
    this.camera.refresh();
    fillPanel(this);
  }

  help() {
    this.panel.replaceChildren(make("h2", "", "Keys"), rowsOf(/** @type {[string, string][]} */ (HELP)), button("close", () => fillPanel(this), "link"));
  }

  dress() {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    if (this.overlay) this.marks = marksOf(this.scene, this.overlay);
  }

  /** Paint the whole picture small, once; drawMap adds where the view is. */
  paintMap() {
    const { width, height } = this.picture, least = Math.min(180 / width, 220 / height), image = this.mapImage;
    this.mapScale = [Math.max(least, 40 / width), Math.max(least, 24 / height)]; // a long model is a strip, but not a line
    [image.width, image.height] = [Math.round(width * this.mapScale[0]), Math.round(height * this.mapScale[1])];
    const ctx = /** @type {CanvasRenderingContext2D} */ (image.getContext("2d"));
    ctx.fillStyle = theme().page;
    ctx.fillRect(0, 0, image.width, image.height);
    const [across, down] = this.mapScale, look = this.look(this.camera.view, 1);
    for (const [number, rect] of this.picture.rects) {
      const box = this.scene.boxes[number], open = this.picture.placed.has(number);
      if (number === 0) continue;
      ctx.fillStyle = open ? ground(1) : fillOf(look, this.scene, number) ?? (box.badge ? BADGES[box.badge] : markColor(this.scene, box));
      ctx.fillRect(rect.x * across, rect.y * down, Math.max(1, rect.width * across), Math.max(1, rect.height * down));
    }
    [this.map.width, this.map.height] = [image.width, image.height];
  }

  drawMap() {
    const [across, down] = this.mapScale, view = this.camera.view, { width, height } = this.picture;
    this.map.hidden = view.x <= 0 && view.y <= 0 && view.x + view.width >= width && view.y + view.height >= height;
    const ctx = /** @type {CanvasRenderingContext2D} */ (this.map.getContext("2d"));
    ctx.drawImage(this.mapImage, 0, 0);
    ctx.strokeStyle = theme().select;
    ctx.lineWidth = 1.5;
    const [left, right] = [Math.max(1, view.x * across), Math.min(this.map.width - 1, (view.x + view.width) * across)];
    ctx.strokeRect(left, view.y * down, Math.max(3, right - left), Math.max(3, view.height * down));
  }

  watchMap() {
    const go = (/** @type {PointerEvent} */ event) => {
      const view = this.camera.view;
      this.camera.x = event.offsetX / this.mapScale[0] - view.width / 2;
      this.camera.y = event.offsetY / this.mapScale[1] - view.height / 2;
      this.camera.redraw();
    };
    this.map.addEventListener("pointerdown", (event) => [this.map.setPointerCapture(event.pointerId), go(event)]);
    this.map.addEventListener("pointermove", (event) => event.buttons && go(event));
  }

  /** Show another scene of the same model: what is open, selected and seen stays. @param {Scene} scene */
  update(scene) {
    const open = new Map(this.scene.boxes.map((box, number) => [this.path(number), box.open]));
    const chosen = this.selected > 0 ? this.path(this.selected) : "";
    this.scene = scene;
    this.marks = this.overlay ? marksOf(scene, this.overlay) : undefined;
    scene.boxes.forEach((box, number) => (box.open = open.get(this.path(number)) ?? box.open));
    this.selected = chosen ? scene.boxes.findIndex((_, number) => this.path(number) === chosen) : -1;
    this.lookFor();
    this.changed();
    fillPanel(this);
  }

  /** Mark what the search finds, and lead through it; through what is usual if nothing is looked for. @returns {Hit[]} */
  lookFor() {
    const hits = search(this.scene, this.field.value);
    this.found = new Set(hits.map((hit) => hit.box));
    if (this.field.value.trim()) this.tour.over("match", [...this.found]);
    else this.tour.usual();
    return hits;
  }

  /** The same graph with other findings. @param {Note[]} findings @param {[string, number, number][]} boxes */
  annotate(findings, boxes) {
    this.scene.findings = findings;
    boxes.forEach(([badge, count, line], number) => Object.assign(this.scene.boxes[number], { badge, count, line, details: [] }));
    if (this.tour.name === "finding") this.tour.usual();
    this.paintMap();
    this.select(this.selected);
  }

  /** @param {number} number */
  path(number) {
    let found = "";
    for (let at = number; at > 0; at = this.scene.boxes[at].parent) found = `${this.scene.boxes[at].title}\n${this.scene.boxes[at].full ?? this.scene.boxes[at].name}\n${found}`;
    return found;
  }

  /** Select the box in whose text a line is. @param {number} line */
  selectLine(line) {
    let best = -1;
    this.scene.boxes.forEach((box, number) => {
      if (box.line && box.line <= line && (best < 0 || box.line > this.scene.boxes[best].line)) best = number;
    });
    if (best > 0 && best !== this.selected) this.select(best, true);
  }
}

/** @param {Rect | undefined} rect @param {number} x @param {number} y */
function contains(rect, x, y) {
  return rect !== undefined && x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
}

/** @type {View | undefined} */
var irlintView; // also for tests

function start() {
  const api = /** @type {any} */ (globalThis).acquireVsCodeApi?.();
  const embedded = document.getElementById("scene");
  if (embedded?.textContent) irlintView = new View(JSON.parse(embedded.textContent), api);
  if (!api) return;
  const themed = () => {
    dark = document.body.classList.contains("vscode-dark") || (document.body.classList.contains("vscode-high-contrast") && !document.body.classList.contains("vscode-high-contrast-light"));
    irlintView?.dress();
    irlintView?.changed();
  };
  themed();
  new MutationObserver(themed).observe(document.body, { attributes: true, attributeFilter: ["class"] });
  window.addEventListener("message", ({ data }) => {
    if (data.type === "scene" && !irlintView) irlintView = new View(data.scene, api);
    else if (data.type === "scene") irlintView?.update(data.scene);
    else if (data.type === "findings") irlintView?.annotate(data.findings, data.boxes);
    else if (data.type === "select") irlintView?.selectLine(data.line);
    else if (data.type === "details" && irlintView) {
      Object.assign(irlintView.scene.boxes[data.box], { details: data.details, histograms: data.histograms, arrays: data.arrays });
      if (irlintView.selected === data.box) fillPanel(irlintView);
    }
  });
  api.postMessage({ type: "ready" });
}

start();
