// A binary model as a user works with it: its text, a finding, a fix that the file gets; the graph beside it, light and dark.
// Takes the README's pictures, in a folder of its own: nothing but this model is in them.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { command, graphFrame, toggleTheme, until } = require("./keys.cjs");

const MODEL = (exports.MODEL = "digits.onnx");
const AT = { position: { x: 4, y: 8 } }; // beside the cursor that a click has left, which would be in the way
const isFixed = () => readFileSync(join(process.env.ALONE, MODEL)).includes("kernel_shape");

exports.binaries = async (page, picture) => {
  const squiggle = page.locator(".squiggly-error").first();
  await squiggle.waitFor({ state: "attached" });
  await page.locator(".statusbar", { hasText: "onnx:binary" }).waitFor();
  await toggleTheme(page, false);
  await page.keyboard.press("Control+Shift+M");
  await page.keyboard.press("Control+b"); // room for the text
  await page.locator(".markers-panel .monaco-list-row", { hasText: "A001" }).first().waitFor();
  await picture("findings");
  const word = page.locator(".view-line", { hasText: "kernal_shape" }).locator("span", { hasText: "kernal_shape" }).last();
  await word.click(AT);
  await page.mouse.move(5, 5);
  await page.waitForTimeout(600); // a pointer that rests on the word opens no hover
  await word.hover(AT);
  await page.locator(".monaco-hover:visible", { hasText: "did you mean" }).first().waitFor();
  await page.waitForTimeout(600); // it fades in
  await picture("hover");
  await page.keyboard.press("Escape");
  await command(page, "Open graph to the side");
  await page.locator(".tab", { hasText: `Graph of ${MODEL}` }).first().waitFor();
  await page.keyboard.press("Control+j");
  const frame = await graphFrame(page);
  await until(() => frame.evaluate("irlintView.selected > 0"), "the graph begins where the cursor is");
  await page.waitForTimeout(600); // it is drawn
  await picture("onnx");
  await toggleTheme(page, true);
  await picture("onnx-dark");
  await toggleTheme(page, false);
  await page.keyboard.press("Control+.");
  const fix = page.locator(".quick-input-list .monaco-list-row", { hasText: "kernel_shape" }).first();
  await fix.waitFor();
  await page.locator(".notification-toast-container").first().waitFor({ state: "detached" });
  await page.waitForTimeout(600);
  await picture("repair");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".view-line", { hasText: "kernel_shape" }).first().waitFor();
  await squiggle.waitFor({ state: "detached" });
  if (!isFixed()) throw new Error("the file is not fixed");
};
