// What a user does with the keyboard.

exports.openFile = async (page, name) => {
  await page.keyboard.press("Control+p");
  await page.locator(".quick-input-widget input").fill(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
};

exports.command = async (page, title) => {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(`>irlint: ${title}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
  await page.keyboard.press("Enter");
};

exports.toggleTheme = async (page, isDark) => {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(">Preferences: Toggle between Light/Dark Themes");
  await page.waitForTimeout(500);
  await page.keyboard.press("Enter");
  await page.locator(`.monaco-workbench.${isDark ? "vs-dark" : "vs"}`).waitFor();
  await page.waitForTimeout(500);
};
