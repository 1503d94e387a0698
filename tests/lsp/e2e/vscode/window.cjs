// Drives the window as a user does: squiggle, Problems, hover, quick fix, saved file.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { drive } = require("./browser.cjs");
const { binaries, MODEL } = require("./binaries.cjs");
const { counts, filter } = require("./counts.cjs");
const { check, command, graphFrame, openFile, until } = require("./keys.cjs");
const { tables } = require("./tables.cjs");

const FILE = "toy-symbol.json";

/** The graph beside the text: a line leads to its box, a box to its line, a mistake to a badge. */
async function graph(page) {
  await page.keyboard.press("F1");
  await page.keyboard.type("irlint: Open graph");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Open graph to the side" }).first().waitFor();
  await page.keyboard.press("Enter");
  const frame = await graphFrame(page);
  const chosen = () => frame.evaluate("irlintView.selected > 0 ? irlintView.scene.boxes[irlintView.selected].name : ''");
  await page.locator(".view-line", { hasText: "relu" }).locator("span", { hasText: "relu" }).last().click();
  await until(async () => (await chosen()) === "act1", "a line of the text selects its box");
  await frame.evaluate("irlintView.select(irlintView.scene.boxes.findIndex((box) => box.name === 'act2'), true)");
  await frame.evaluate("irlintView.goto(irlintView.scene.boxes[irlintView.selected])");
  const line = await frame.evaluate("irlintView.scene.boxes[irlintView.selected].line");
  await page.locator(".statusbar-item", { hasText: `Ln ${line},` }).first().waitFor();
  await page.locator(".view-line", { hasText: "relu" }).locator("span", { hasText: "relu" }).last().dblclick();
  await page.keyboard.type("rleu");
  await until(() => frame.evaluate("irlintView.scene.boxes.some((box) => box.badge === 'error')"), "a mistake gets a badge");
}

async function run(page, picture) {
  await page.locator(`.tab[data-resource-name="${FILE}"]`).waitFor();
  const squiggle = page.locator(".squiggly-error").first();
  await squiggle.waitFor({ state: "attached" });
  await page.keyboard.press("Control+Shift+M");
  await filter(page, FILE);
  await page.locator(".markers-panel .monaco-list-row", { hasText: "A005" }).first().waitFor();
  await counts(page);
  await openFile(page, FILE);
  await page.locator(".view-line", { hasText: "rleu" }).locator("span", { hasText: "rleu" }).last().hover();
  await page.locator(".monaco-hover:visible", { hasText: "act_type" }).first().waitFor();
  await page.waitForTimeout(600); // it fades in
  await page.keyboard.press("Escape");
  await page.locator(".view-line", { hasText: "rleu" }).locator("span", { hasText: "rleu" }).last().click();
  await page.mouse.move(5, 5); // a hover that opens now would close the menu
  await page.waitForTimeout(600);
  await page.keyboard.press("Escape");
  await command(page, "Fix..."); // the list of all editors, where a text has a light bulb, too
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "A005" }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row", { hasText: "A005" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".squiggly-error").first().waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.locator(`.tab.dirty[data-resource-name="${FILE}"]`).waitFor({ state: "detached" });
  const saved = readFileSync(join(process.env.WS, FILE), "utf8");
  check(!saved.includes("rleu") && saved.includes("relu"), "the saved file is repaired");
  await graph(page);
  await tables(page, picture);
}

(async () => {
  await drive("window", FILE, run);
  await drive("a binary", MODEL, binaries, process.env.ALONE);
})();
