// As many problems in the Problems view and in the status bar as on the command line.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { check, openFile } = require("./keys.cjs");

const FILES = ["toy-symbol.json", "imperfect.onnx", "everything.onnx", "cycle-symbol.json", "wrong-tvm.json", "toy.xml"];
const KINDS = ["error", "warning", "info"];
const PATIENCE = 10000;

/** How many findings of each severity the command line has in a file; pedantic ones are infos here. */
function expected(name) {
  const all = JSON.parse(readFileSync(join(process.env.WS, "more", "counts.txt"), "utf8"));
  const levels = all.filter(({ file }) => file.split("/").pop() === name).map(({ severity }) => (severity === "pedantic" ? "info" : severity));
  return KINDS.map((kind) => levels.filter((level) => level === kind).length);
}

const words = (counts) =>
  KINDS.map((kind, k) => `${counts[k]} ${kind}${counts[k] === 1 ? "" : "s"}`).filter((_, k) => counts[k] > 0).join(", ") || "no findings";

const filter = (exports.filter = (page, text) => page.getByPlaceholder(/^Filter \(e\.g\. text/).fill(text));

exports.counts = async (page) => {
  for (const name of FILES) {
    const counts = expected(name);
    await openFile(page, name);
    await page.waitForFunction(
      ([id, end]) => document.getElementById(id)?.querySelector("a")?.getAttribute("aria-label")?.endsWith(end),
      ["irlint.irlint.irlint.model", `: ${words(counts)}`],
    );
    await filter(page, name);
    const total = counts.reduce((sum, count) => sum + count);
    const row = page.locator(".markers-panel .monaco-list-row", { hasText: name });
    let found = -1;
    for (const end = Date.now() + PATIENCE; found !== total && Date.now() < end; await page.waitForTimeout(100)) {
      const badges = await row.locator(".monaco-count-badge").allInnerTexts();
      found = badges.reduce((sum, badge) => sum + Number(badge), 0);
    }
    check(found === total, `${name}: ${found} in the Problems view, ${total} on the command line`);
  }
  await filter(page, "");
};
