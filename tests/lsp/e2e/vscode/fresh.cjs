// A binary model that is open before the extension is ready: in a fresh window, and in tabs that a window restores. Twice, from scratch.
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { drive } = require("./browser.cjs");
const { check, command, openFile, quickly, toggleTheme } = require("./keys.cjs");

const MODEL = "digits.onnx";
const FILE = join(process.env.WS, MODEL);
const TYPED = "Computed from a binary: use irlint: Fix ...";
const REST = 8000; // milliseconds after which a window in a browser has kept its state
const ROWS = ".quick-input-list .monaco-list-row";

const word = (page, text) => page.locator(".view-line", { hasText: text }).locator("span", { hasText: text }).last();

async function isShown(page, tabs) {
  await word(page, "kernal_shape").waitFor();
  await page.locator(".squiggly-error").first().waitFor({ state: "attached" });
  await page.locator(".statusbar", { hasText: "onnx:binary" }).waitFor();
  await page.waitForFunction((count) => document.querySelectorAll(".tab").length === count, tabs);
}

/** Collects what notifications and the status bar say, however briefly. */
const listen = (page) =>
  page.evaluate(() => {
    window.heard = new Set();
    const hear = () => document.querySelectorAll(".notification-list-item-message, .statusbar-item").forEach((one) => window.heard.add(one.textContent));
    new MutationObserver(hear).observe(document.body, { childList: true, subtree: true, characterData: true });
  });

const heard = (page, words) => page.waitForFunction((text) => [...window.heard].some((one) => one.includes(text)), words);

async function typing(page) {
  await word(page, "kernal_shape").click();
  await page.keyboard.type("x");
  await page.locator(".monaco-editor-overlaymessage", { hasText: TYPED }).waitFor();
  check(await page.locator(".tab.dirty").count() === 0, "nothing is edited");
}

async function fixing(page) {
  await listen(page);
  const before = readFileSync(FILE);
  await page.locator(".monaco-editor-overlaymessage a", { hasText: "irlint: Fix" }).click();
  await page.locator(ROWS, { hasText: "kernel_shape" }).first().waitFor();
  await heard(page, `looking for fixes of ${MODEL}`);
  check(await page.locator(`${ROWS}.focused`).count() === 0, "no fix is in front");
  for (let times = 0; times < 3; times++) await page.keyboard.press("Enter");
  await page.keyboard.type("kernel", { delay: 100 }); // what is typed on is no choice, either
  await page.waitForTimeout(300);
  await page.keyboard.press("Enter");
  await page.waitForTimeout(1000);
  check(readFileSync(FILE).equals(before), "a stray Enter changes no file");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await word(page, "kernel_shape").waitFor();
  await page.locator(".squiggly-error").first().waitFor({ state: "detached" });
  check(readFileSync(FILE).includes("kernel_shape"), "the file is fixed");
  await heard(page, `irlint: ${MODEL}: Rename to \`kernel_shape\``); // for five seconds
  await command(page, "Fix...");
  await heard(page, `nothing to fix in ${MODEL}`);
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" }); // nothing is offered
  writeFileSync(FILE, before);
  await word(page, "kernal_shape").waitFor();
}

/** Tabs in a window that is opened again: in front and behind, of this editor and of the one for bytes. */
async function restored(page, again) {
  await again();
  await isShown(page, 1);
  await quickly(page, "View: Close All Editors");
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: MODEL }).first().click({ button: "right" });
  const openWith = page.locator(".monaco-menu .action-label", { hasText: "Open With..." }).first();
  await openWith.waitFor();
  await page.waitForTimeout(1000); // a menu takes no click that follows the one that has opened it
  await openWith.click();
  await page.locator(ROWS, { hasText: "Text Editor" }).first().click(); // who asks for the bytes gets them
  await page.locator(".monaco-editor-pane-placeholder", { hasText: "binary" }).waitFor();
  await openFile(page, "large.onnx");
  await page.locator(".view-line", { hasText: "kernal_shape" }).waitFor();
  await openFile(page, "plain.json");
  await page.waitForTimeout(REST);
  await again();
  await page.locator('.tab.active[data-resource-name="plain.json"]').waitFor();
  await page.locator(`.tab[data-resource-name="${MODEL}"]`).click();
  await isShown(page, 3);
  await page.waitForTimeout(REST);
  await again();
  await isShown(page, 3);
}

async function fresh(page, picture, again) {
  await isShown(page, 1);
  await picture("fresh");
  await toggleTheme(page, true);
  await picture("fresh-dark");
  await toggleTheme(page, false);
  await typing(page);
  await fixing(page);
  await restored(page, again);
}

(async () => {
  for (const time of ["first", "second"]) await drive(`fresh window, the ${time} time`, MODEL, fresh);
})();
