// What a user does with the keyboard, and what has to hold then.

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
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(">Preferences: Toggle between Light/Dark Themes");
  await page.waitForTimeout(500);
  await page.keyboard.press("Enter");
  await page.locator(`.monaco-workbench.${isDark ? "vs-dark" : "vs"}`).waitFor();
  await page.waitForTimeout(500);
};
