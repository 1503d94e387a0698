// Tables as a user works with them: status bar, title bar, sorting, filter, click on a row, hostile names, dark theme.
const { join } = require("node:path");
const { tmpdir } = require("node:os");
const { check, command, openFile, toggleTheme } = require("./keys.cjs");

const MODEL = "many.xml";

/** The document inside the webview whose page has a heading. */
async function view(page, heading) {
  for (let tenth = 0; tenth < 600; tenth++) {
    for (const frame of page.frames()) {
      const found = await frame.locator("h1", { hasText: heading }).count().catch(() => 0);
      if (found > 0) return frame;
    }
    await page.waitForTimeout(100);
  }
  throw new Error(`no page ${heading}`);
}

const cells = (frame, column) => frame.locator(`tbody tr td:nth-child(${column})`).allInnerTexts();

/** Words of cells that take more than one line. A name may be broken between its parts. */
const broken = (frame) =>
  frame.evaluate(() => {
    const found = [];
    for (const cell of document.querySelectorAll("td, th, dd")) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
        }
      }
    }
    return found;
  });

/** Tables beside a text in a narrow window. */
async function names(page, picture) {
  await page.setViewportSize({ width: 900, height: 760 });
  await openFile(page, "deep.onnx");
  await page.locator(".statusbar", { hasText: "onnx:binary, 18 operators" }).waitFor(); // the text has taken the place of the binary
  for (const [title, heading] of [["Dry run", "Dry run"], ["Show flat view", "Flat view"], ["Show summary", "Summary"], ["Show operator n-grams", "3-grams"]]) {
    await command(page, title);
    const frame = await view(page, new RegExp(`${heading}.*deep\\.onnx`));
    await frame.locator("tbody tr").first().waitFor();
    check((await broken(frame)).length === 0, `${title} breaks inside words: ${await broken(frame)}`);
    if (title === "Dry run") await picture("tables-narrow");
  }
  await page.setViewportSize({ width: 1200, height: 760 });
}

exports.tables = async (page, picture) => {
  const status = page.locator('[id="irlint.irlint.irlint.model"]');
  const button = page.locator(".editor-group-container.active .editor-actions [aria-label^='irlint: tables']");
  await openFile(page, "plain.json");
  await status.waitFor({ state: "hidden" });
  await button.first().waitFor({ state: "detached" });
  await openFile(page, MODEL);
  await status.waitFor();
  await page.waitForFunction(() => /openvino:ir11, 2,998 operators/.test(document.getElementById("irlint.irlint.irlint.model").innerText));
  await button.first().waitFor();

  await status.click();
  let frame = await view(page, `Summary: ${MODEL}`);
  check(/openvino:ir11/.test(await frame.locator("dl").innerText()), "the summary has the format");
  await command(page, "Dry run");
  frame = await view(page, `Dry run: ${MODEL}`);
  check((await frame.locator("tbody tr").count()) < 1000, "rows are made as one scrolls");
  check((await frame.locator(".count").innerText()) === "2,999 rows", "all rows are counted");
  await frame.locator("th button", { hasText: "node" }).click();
  await frame.locator("th button", { hasText: "node" }).click();
  check((await cells(frame, 2))[0] === "relu2998", "sorted by name, the last first");
  await frame.locator(".filter").fill("relu123 relu");
  check((await cells(frame, 2)).every((name) => name.includes("relu123")), "filtered");
  await picture("tables");
  const row = frame.locator("tbody tr").first();
  const line = await row.locator("td").last().innerText();
  await row.click();
  await page.waitForFunction((ln) => new RegExp(`Ln ${ln}, Col 1`).test(document.querySelector(".statusbar").innerText), line);
  await frame.locator("button", { hasText: "Copy as CSV" }).click();
  await page.locator(".statusbar", { hasText: "copied as CSV" }).waitFor();

  await names(page, (name) => page.screenshot({ path: join(tmpdir(), `irlint-e2e-${name}.png`) }));
  await openFile(page, "cycle-symbol.json");
  await status.locator(".codicon-error").waitFor();
  await command(page, "Show flat view");
  frame = await view(page, "cycle-symbol.json");
  await frame.locator(".failure", { hasText: "no topological order" }).waitFor();
  await frame.locator(".findings button").first().click();
  await page.locator('.tab.active[data-resource-name="cycle-symbol.json"]').waitFor();
  await page.locator(".statusbar", { hasText: "Ln 43, Col 1" }).waitFor();
  for (const key of ["ArrowDown", "End", "Shift+Home"]) await page.keyboard.press(key);
  await page.keyboard.type("2,"); // the table follows the edit
  await frame.locator(".failure").waitFor({ state: "detached" });
  check((await frame.locator("tbody tr").count()) === 3, "the mended model has three calls");

  await openFile(page, "hostile-symbol.json");
  for (const [title, heading] of [["Dry run", "Dry run"], ["Show flat view", "Flat view"], ["Show summary", "Summary"], ["Show operator n-grams", "3-grams"]]) {
    await command(page, title);
    frame = await view(page, heading === "3-grams" ? /3-grams.*hostile/ : `${heading}: hostile-symbol.json`);
    if (heading === "Dry run") {
      check((await cells(frame, 2)).some((name) => name.startsWith("</script><script>")), "names are text");
    }
    for (const other of page.frames()) check(!(await other.evaluate(() => window.hit).catch(() => 0)), `${title}: a name was run`);
    check((await frame.locator("main script, main img").count()) === 0, `${title}: a name became markup`);
  }
  await frame.locator("select").first().selectOption("2");
  frame = await view(page, /2-grams/);
  check((await cells(frame, 3))[0].split(" > ").length === 2, "sequences of two");

  await toggleTheme(page, true);
  const background = await frame.evaluate(() => getComputedStyle(document.body).color);
  check(/rgb\((1[5-9]\d|2\d\d),/.test(background), `dark: the text is light, not ${background}`);
  await page.screenshot({ path: join(tmpdir(), "irlint-e2e-dark.png") });
};
