// The page: what is open, when it is checked, and what is shown of it.
import { undo, undoDepth } from "@codemirror/commands";
import { Client, Stopped } from "./client.js";
import { button, byId, count, make, prose } from "./dom.js";
import { Editor } from "./editor.js";
import { besideExample, fromBase64, modelName, sorted } from "./files.js";
import { fill, summary } from "./findings.js";
import { fragment, linked } from "./link.js";
import { Loading } from "./loading.js";
import { dressed } from "./theme.js";
import { Views } from "./views.js";

/** @typedef {import("./findings.js").Finding} Finding */
/** @typedef {import("./files.js").NamedFile} NamedFile */
/** @typedef {import("./files.js").Example} Example */
/** @typedef {{format: string | null, dialect: string | null, why: string, certain: boolean, configuration: string | null, absent: string[], severities: {[name: string]: number},
 *   grades: {[name: string]: number}, total: number, findings: Finding[], seconds: number, unconfirmed?: boolean}} Report */

const TABS = ["findings", "graph", "flat", "shapes"];
const BINARY = "binary"; // instead of an encoding, as in glue.py
const PAUSE = 250; // milliseconds without a keystroke before a check
const SLOW = 3000; // milliseconds after which a check can be stopped
const LONGEST = 200_000; // letters of a link; many programs cut longer ones

class Playground {
  constructor() {
    this.encoding = "utf-8";
    /** The text of a binary file, which the editor does not show. @type {string | null} */
    this.hidden = null;
    /** The model as it was opened, if it is not text: the editor shows what is in it. @type {Uint8Array | undefined} */
    this.bytes = undefined;
    this.areBytesGiven = true;
    /** @type {NamedFile[]} */
    this.beside = [];
    this.arePlaced = true;
    /** Counts what happens to the model, so that an answer about an older one is known. */
    this.version = 0;
    this.shown = -1; // the version that the findings are about
    this.stopped = -1; // the version whose check was stopped
    this.notice = ""; // what is wrong with the link that led here
    this.isReady = false;
    this.hasFailed = false; // to start Python
    this.isOpening = false; // a file, which is not read yet
    this.isRunning = false;
    this.timer = 0;
    this.tab = "findings";
    /** @type {Report | null} */
    this.report = null;
    /** FORMAT and FORMAT:DIALECT of all formats. @type {string[] | null} */
    this.formats = null;
    /** @type {Example[]} */
    this.examples = [];
    this.editor = new Editor(byId("editor"), (isOther) => this.edited(isOther));
    this.loading = new Loading();
    this.client = new Client(new URL("worker.js", import.meta.url), {
      loaded: (part, loaded, size) => this.loading.hear(part, loaded, size),
      ready: () => this.ready(),
      failed: (message) => this.fail(`irlint cannot start: ${message}`),
    });
    this.views = new Views(() => this.client, {
      offset: (offset) => this.editor.show(offset),
      line: (line) => this.editor.showLine(line),
    });
    const toggle = dressed(() => this.views.dress());
    byId("theme").addEventListener("click", toggle);
    this.listen();
    void this.begin();
  }

  listen() {
    const on = (/** @type {string} */ id, /** @type {string} */ kind, /** @type {() => void} */ act) => byId(id).addEventListener(kind, act);
    on("example", "change", () => this.openExample(byId("example").value));
    on("open", "click", () => byId("chosen").click());
    on("chosen", "change", () => this.openFiles(byId("chosen").files));
    on("name", "input", () => this.changed());
    on("format", "change", () => this.changed(0));
    on("config", "input", () => this.changed());
    on("download", "click", () => this.download());
    on("link", "click", () => this.copyLink());
    on("fix", "click", () => this.fixAll());
    on("undo", "click", () => undo(this.editor.view));
    on("stop", "click", () => this.stop());
    for (const tab of TABS) on(`tab-${tab}`, "click", () => this.choose(tab));
    document.querySelector("[role=tablist]")?.addEventListener("keydown", (event) => this.turn(/** @type {KeyboardEvent} */ (event)));
    addEventListener("hashchange", () => this.openLink());
    const drop = byId("drop");
    addEventListener("dragover", (event) => {
      event.preventDefault();
      drop.hidden = false;
    });
    addEventListener("dragleave", (event) => (drop.hidden = event.relatedTarget === null));
    addEventListener("drop", (event) => {
      event.preventDefault();
      drop.hidden = true;
      if (event.dataTransfer?.files.length) void this.openFiles(event.dataTransfer.files);
    }, true);
  }

  /** Show a model while Python is being loaded. */
  async begin() {
    this.choose("findings");
    try {
      this.examples = await (await fetch(new URL("examples.json", import.meta.url))).json();
      this.listExamples();
      if (!(await this.openLink())) this.openExample("0");
    } catch (error) {
      this.fail(`The page cannot be loaded completely: ${/** @type {Error} */ (error).message}`);
    }
  }

  listExamples() {
    const groups = new Map();
    this.examples.forEach(({ format, name }, k) => {
      if (!groups.has(format)) groups.set(format, Object.assign(document.createElement("optgroup"), { label: format }));
      groups.get(format).append(new Option(name, String(k)));
    });
    byId("example").replaceChildren(new Option("Your own", ""), ...groups.values());
  }

  async ready() {
    try {
      const { version, formats } = await this.client.call("about");
      byId("version").textContent = `irlint ${version}`;
      this.formats = Object.keys(formats).flatMap((name) => [name, ...formats[name].map((/** @type {string} */ dialect) => `${name}:${dialect}`)]);
      const wanted = byId("format").value;
      byId("format").replaceChildren(new Option("Detect", ""), ...this.formats.filter((name) => !name.includes(":") || formats[name.split(":")[0]].length > 1).map((name) => new Option(name, name)));
      this.chooseFormat(wanted);
    } catch (error) {
      return this.fail(`irlint cannot start: ${/** @type {Error} */ (error).message}`);
    }
    this.isReady = true;
    this.arePlaced = this.areBytesGiven = false;
    this.loading.show("check");
    await this.check();
    if ("serviceWorker" in navigator) navigator.serviceWorker.register(new URL("../sw.js", import.meta.url)).catch(() => {}); // offline is an extra
  }

  /** @param {string} name of a format, which is not known before Python has started */
  chooseFormat(name) {
    const format = byId("format"), known = [...format.options].some((option) => option.value === name);
    const isPossible = this.formats === null || this.formats.includes(name);
    if (!known && isPossible) format.append(new Option(name, name));
    format.value = isPossible || known ? name : "";
  }

  /** @param {string} message */
  fail(message) {
    const again = button("Try again", () => location.reload());
    this.hasFailed = true;
    byId("loading").hidden = true;
    byId("failure").replaceChildren(make("p", "", message), make("p", "", again));
    byId("failure").hidden = false;
    this.say("");
  }

  /** @param {string} message */
  say(message) {
    byId("status").textContent = message;
  }

  // What is open

  /** Take away at once what is shown of another model. Until there are new findings, nothing can be done with the old ones. @param {string} name */
  clear(name) {
    this.version++;
    this.isOpening = true;
    this.report = null;
    byId("name").value = name;
    byId("total").textContent = "";
    byId("summary").hidden = byId("searching").hidden = true;
    byId("failure").hidden = !this.hasFailed;
    byId("loading").hidden = this.isReady || this.hasFailed;
    byId("findings").replaceChildren(...(this.isReady ? [make("li", "hint", `Checking ${name}…`)] : []));
    this.views.clear(`Checking ${name}…`);
    this.enable(false);
    this.say("");
  }

  /** @param {boolean} isOn whether what buttons do would be done with what is open @param {string} [which] buttons */
  enable(isOn, which = "#fix, #undo, #download, #link, .apply") {
    for (const each of document.querySelectorAll(which)) /** @type {HTMLButtonElement} */ (each).disabled = !isOn;
  }

  /** @param {string} name @param {string} text @param {NamedFile[]} beside @param {{encoding?: string, isBinary?: boolean, bytes?: Uint8Array}} [more] */
  open(name, text, beside, { encoding = "utf-8", isBinary = false, bytes } = {}) {
    this.clear(name);
    this.isOpening = false;
    this.encoding = encoding;
    this.bytes = encoding === BINARY ? bytes : undefined;
    this.areBytesGiven = false;
    this.hidden = isBinary ? text : null;
    this.editor.open(isBinary ? "" : text, isBinary);
    byId("binary").hidden = !isBinary;
    byId("binary").textContent = isBinary ? `${name} is a binary file; its text is not shown.` : "";
    this.place(beside);
    this.changed(0);
  }

  /** @param {string} choice */
  openExample(choice) {
    byId("example").value = choice;
    this.chooseFormat("");
    const example = this.examples[Number(choice || -1)];
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
    const more = example?.data ? { encoding: BINARY, bytes: fromBase64(example.data) } : {};
    if (example) this.open(example.name, example.text, besideExample(example), more);
    else this.open("model.json", "", []);
    if (!example) this.editor.focus();
  }

  /** @returns {Promise<boolean>} whether the address holds a model */
  async openLink() {
    let found = null;
    try {
      found = await linked(location.hash);
    } catch (error) {
      this.open("model.json", "", []);
      this.notice = `${/** @type {Error} */ (error).message}. Ask for it again, or paste the model.`;
      this.say(this.notice);
      return true;
    }
    if (!found) return false;
    byId("example").value = "";
    this.chooseFormat(found.as);
    byId("config").value = found.config;
    byId("configuration").open = found.config !== "";
    if (found.data) await this.openBytes(found.name, found.data, found.beside);
    else this.open(found.name, found.text, found.beside);
    if (TABS.includes(found.tab)) this.choose(found.tab);
    return true;
  }

  /** @param {Iterable<File>} files */
  async openFiles(files) {
    const name = modelName(files), before = byId("name").value;
    if (name) this.clear(name);
    try {
      const { model, beside } = await sorted(files);
      byId("chosen").value = "";
      if (!model) return this.place([...this.beside.filter((old) => !beside.some((file) => file.name === old.name)), ...beside]);
      byId("example").value = "";
      await this.openBytes(model.name, model.bytes, beside);
    } catch (error) {
      byId("name").value = before;
      this.isOpening = false;
      await this.check(); // what was open still is
      this.say(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} name @param {Uint8Array} bytes @param {NamedFile[]} beside */
  async openBytes(name, bytes, beside) {
    this.clear(name);
    this.editor.open("", true);
    const { text, encoding, binary } = await this.client.call("decode", [name], bytes);
    this.open(name, text, beside, { encoding, isBinary: binary, bytes });
  }

  /** @param {NamedFile[]} files */
  place(files) {
    this.beside = files;
    this.arePlaced = false;
    byId("beside").replaceChildren(...files.map((file) => {
      const remove = button("×", () => this.place(this.beside.filter((other) => other !== file)));
      remove.setAttribute("aria-label", `Remove ${file.name}`);
      return make("li", "", file.name, remove);
    }));
    this.changed(0);
  }

  get text() {
    return this.hidden ?? this.editor.text;
  }

  // Checks

  /** @param {boolean} isOther another text was pasted, which has nothing to do with the binary that was opened */
  edited(isOther) {
    if (isOther && this.bytes) [this.bytes, this.encoding] = [undefined, "utf-8"];
    this.changed();
  }

  /** @param {number} [pause] */
  changed(pause = PAUSE) {
    this.version++;
    byId("findings").classList.add("stale");
    this.enable(false, "#fix, .apply");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), pause);
  }

  /** Check the model, and again if it changes meanwhile: only the last state counts. */
  async check() {
    clearTimeout(this.timer);
    if (!this.isReady || this.isRunning || this.isOpening) return;
    if (this.version === this.stopped) return this.rest();
    this.isRunning = true;
    const slow = setTimeout(() => [this.say("Checking…"), (byId("stop").hidden = false)], SLOW);
    let version = -1;
    try {
      while (version !== this.version && !this.isOpening) {
        version = this.version;
        await this.checkOnce();
        if (version === this.version) await this.refresh();
      }
    } catch (error) {
      if (!(error instanceof Stopped)) this.crash(/** @type {Error} */ (error));
    }
    clearTimeout(slow);
    byId("stop").hidden = true;
    this.isRunning = false;
  }

  async checkOnce() {
    const version = this.version, text = this.text;
    if (!this.arePlaced) {
      this.arePlaced = true;
      const bytes = new Uint8Array(await new Blob(this.beside.map((file) => /** @type {Uint8Array<ArrayBuffer>} */ (file.bytes))).arrayBuffer());
      await this.client.call("place", [this.beside.map((file) => file.name), this.beside.map((file) => file.bytes.length)], bytes);
    }
    if (!this.areBytesGiven && this.bytes) await this.client.call("decode", [byId("name").value], this.bytes);
    this.areBytesGiven = true;
    const report = await this.client.call("lint", [byId("name").value || "model", text, this.encoding, byId("format").value || null, byId("config").value]);
    if (version !== this.version) return;
    this.show(report, text);
    if (!report.unconfirmed) return;
    byId("searching").hidden = false;
    const confirmed = await this.client.call("confirm");
    byId("searching").hidden = true;
    if (version === this.version) this.show({ ...confirmed, seconds: report.seconds }, text);
  }

  /** @param {Report} report @param {string} text */
  show(report, text) {
    this.report = report;
    this.shown = this.version;
    const { total, findings } = report, isEmpty = text.trim() === "";
    byId("failure").hidden = byId("loading").hidden = true;
    byId("summary").hidden = isEmpty;
    byId("total").textContent = total && !isEmpty ? total.toLocaleString("en") : "";
    byId("total").className = isEmpty ? "" : ["error", "warning", "info"].find((severity) => report.severities[severity]) ?? "";
    byId("verdict").replaceChildren(...this.verdict(report));
    const made = (report.grades.safe ?? 0) + (report.grades.proven ?? 0);
    byId("fix").hidden = !made;
    byId("fix").textContent = `Apply ${count(made, report.grades.proven ? "safe or proven fix" : "safe fix").replace("fixs", "fixes")}`;
    byId("undo").hidden = undoDepth(this.editor.view.state) === 0;
    const list = byId("findings");
    list.classList.remove("stale");
    fill(list, isEmpty ? [] : findings, { show: ([from, to]) => this.editor.show(from, to), apply: (finding) => this.apply(finding) });
    if (!isEmpty) this.notice = "";
    if (isEmpty) list.append(make("li", "hint", this.notice || "Paste a model, drop a file on the page, or choose an example."));
    this.enable(true);
    if (this.hidden === null) this.editor.mark(isEmpty ? [] : findings, (finding) => this.apply(finding));
    const format = report.format ? `${report.format}${report.dialect && report.dialect !== report.format ? ` (${report.dialect})` : ""}` : "unknown format";
    this.say(isEmpty ? this.notice : `${format}, ${this.size(text)}, checked in ${(report.seconds * 1000).toFixed(0)} ms`);
  }

  /** @param {string} text */
  size(text) {
    const length = this.encoding === BINARY && this.bytes ? this.bytes.length : text.length; // the text of a binary leaves weights out
    return length < 10_000 ? `${length.toLocaleString("en")} ${length === text.length ? "characters" : "bytes"}` : `${(length / 1e6).toFixed(length < 1e6 ? 2 : 1)} MB`;
  }

  /** @param {Report} report */
  verdict(report) {
    const words = report.total ? summary(report.severities) : "No findings";
    const found = [make("strong", "", words)];
    if (report.total > report.findings.length) found.push(make("span", "", `, the first ${report.findings.length.toLocaleString("en")} shown; irlint on your computer lists all`));
    if (!report.certain && report.format) found.push(make("span", "faint", ` The format is not certain (${report.why}). Choose it to get fixes.`));
    if (report.absent.length) found.push(make("span", "faint", " Not checked: ", ...prose(report.absent[0]), ". Open that file together with the model."));
    if (report.configuration) found.push(make("span", "trouble", ...prose(report.configuration)));
    return found;
  }

  /** Fill the view that is open. */
  async refresh() {
    if (this.tab !== "findings" && this.report) await this.views.fill(this.tab);
  }

  /** @param {Error} error */
  crash(error) {
    byId("summary").hidden = true;
    byId("findings").replaceChildren();
    byId("failure").replaceChildren(make("p", "", "irlint failed on this model. Please report it:"), make("pre", "", error.message.slice(-3000)));
    byId("failure").hidden = false;
    byId("loading").hidden = true;
    this.enable(true);
    this.say("");
  }

  /** A check that was stopped is not made again before the model changes. */
  rest() {
    const words = "Stopped. It is checked again when it changes.";
    byId("loading").hidden = true;
    if (!this.report) byId("findings").replaceChildren(make("li", "hint", words));
    this.enable(true, "#undo, #download, #link");
    this.say(words);
  }

  stop() {
    this.stopped = this.version;
    this.isReady = false;
    this.client.restart();
  }

  // Fixes

  /** @param {Finding} finding */
  apply(finding) {
    if (this.shown !== this.version) return; // the finding is about an older text
    this.editor.edit(finding.edits);
    void this.check();
  }

  async fixAll() {
    const version = this.version, { edits, fixed } = await this.client.call("fix", [false]);
    if (version !== this.version) return;
    this.editor.edit(edits);
    await this.check();
    this.say(`${count(fixed, "finding")} fixed`);
  }

  // Views

  /** @param {string} tab */
  choose(tab) {
    this.tab = tab;
    for (const other of TABS) {
      const chosen = other === tab, element = byId(`tab-${other}`);
      element.setAttribute("aria-selected", String(chosen));
      element.tabIndex = chosen ? 0 : -1;
      byId(`panel-${other}`).hidden = !chosen;
    }
    if (this.isReady && this.shown === this.version) void this.refresh(); // else the check that is under way does so
  }

  /** @param {KeyboardEvent} event */
  turn(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = TABS[(TABS.indexOf(this.tab) + step + TABS.length) % TABS.length];
    this.choose(next);
    byId(`tab-${next}`).focus();
  }

  // What leaves the page, by hand

  async copyLink() {
    const data = this.bytes && await this.encoded().catch(() => undefined);
    if (this.bytes && !data) return this.say("There is no link: the text cannot be read.");
    const linked = {
      name: byId("name").value, text: this.text, data, as: byId("format").value, tab: this.tab === "findings" ? "" : this.tab, config: byId("config").value,
    };
    const whole = await fragment({ ...linked, beside: this.beside }), isWhole = whole.length <= LONGEST;
    const hash = isWhole ? whole : await fragment({ ...linked, beside: [] });
    if (this.hidden !== null || hash.length > LONGEST) return this.say("This model is too large for a link.");
    history.replaceState(null, "", hash);
    const note = isWhole ? "" : " It holds the model, not the files next to it, which are too large.";
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(`Link copied.${note}`);
    } catch {
      this.say(`The link is in the address bar.${note}`);
    }
  }

  /** @returns {Promise<Uint8Array>} */
  encoded() {
    return this.client.call("encode", [this.text, this.encoding]);
  }

  async download() {
    /** @type {Uint8Array} */
    let bytes = this.bytes ?? new TextEncoder().encode(this.text);
    try {
      if (this.isReady) bytes = await this.encoded();
    } catch (error) {
      return this.say(`Nothing to download: ${/** @type {Error} */ (error).message}.`);
    }
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([/** @type {BlobPart} */ (bytes)])), download: byId("name").value || "model" });
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

/** For tests, too. */
/** @type {any} */ (globalThis).irlintPlayground = new Playground();
