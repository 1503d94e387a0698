// What a user does with the keyboard, and what has to hold then.

const { PATIENCE } = require("./browser.cjs");

exports.check = (fact, words) => {
  if (!fact) throw new Error(words);
};

exports.openFile = async (page, name) => {
  await page.keyboard.press("Control+p");
  await page.locator(".quick-input-widget input").fill(name);
  const exactly = new RegExp(`^${name.replace(/\W/g, "\\$&")}$`);
  await page.locator(".quick-input-list .monaco-list-row .label-name", { hasText: exactly }).first().click();
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
};

/** Runs a command of the palette. */
const quickly = (exports.quickly = async (page, title) => {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: title.replace(/^\w+: /, "") }).first().waitFor();
  await page.keyboard.press("Enter");
});

exports.command = (page, title) => quickly(page, `irlint: ${title}`);

exports.toggleTheme = async (page, isDark) => {
  const wanted = page.locator(`.monaco-workbench.${isDark ? "vs-dark" : "vs"}`);
  if (await wanted.count() > 0) return;
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(">Preferences: Toggle between Light/Dark Themes");
  await page.waitForTimeout(500);
  await page.keyboard.press("Enter");
  await wanted.waitFor();
  await page.waitForTimeout(500);
};

/** The document of the graph, once it is drawn. */
exports.graphFrame = async (page) => {
  let found;
  await until(async () => {
    for (const frame of page.frames()) {
      if (await frame.evaluate("typeof irlintView === 'object' && irlintView !== undefined").catch(() => false)) found = frame;
    }
    return found !== undefined;
  }, "the graph is shown");
  return found;
};

const until = (exports.until = async (holds, what) => {
  for (const end = Date.now() + PATIENCE; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`not in time: ${what}`);
    await new Promise((done) => setTimeout(done, 100));
  }
});
