// A fresh browser on the VS Code server, and a test that drives it.
const { mkdirSync, mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { chromium } = require("playwright-core");

const ARGUMENTS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

const PATIENCE = (exports.PATIENCE = 1000 * Number(process.env.E2E_PATIENCE ?? 60));
const UNABLE = 75; // nothing is wrong but the machine: too slow, no browser
const PAUSE = 50;
let ticks = 0;
setInterval(() => ticks++, PAUSE).unref();
const began = Date.now();
const slow = () => ticks < (Date.now() - began) / PAUSE / 4; // then others have kept this machine busy

const open = (exports.open = async (payload, folder = process.env.WS) => {
  const profile = mkdtempSync(join(tmpdir(), "irlint-e2e-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM, headless: true, args: ARGUMENTS, viewport: { width: 1200, height: 760 },
  });
  const page = context.pages()[0];
  const go = () =>
    page.goto(`${process.env.BASE}/?folder=${folder}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
  const again = () => page.goto(`${process.env.BASE}/?folder=${folder}`); // the window as it was left
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { page, go, again, close };
});

/** Runs a test in a fresh window that opens a file in a folder. It gets the page, a function that takes a picture, and one that opens the window again. */
exports.drive = async (name, file, test, folder = process.env.WS) => {
  const { IMAGES } = process.env;
  mkdirSync(IMAGES, { recursive: true });
  let code = UNABLE;
  let close = async () => {};
  try {
    const window = await open([["openFile", exports.remote(join(folder, file))]], folder);
    close = window.close;
    const { page, go, again } = window;
    page.setDefaultTimeout(PATIENCE);
    try {
      await go();
      await test(page, (picture) => page.screenshot({ path: join(IMAGES, `${picture}.png`) }), again);
      console.log(`${name}: passed`);
      code = 0;
    } catch (error) {
      console.log(`${name}:`, error.message);
      await page.screenshot({ path: join(tmpdir(), "irlint-e2e-window.png") }).catch(() => {});
      code = /has been closed|crashed/.test(error.message) || slow() ? UNABLE : 1;
    }
  } catch (error) {
    console.log(`${name}:`, error.message);
  }
  await close();
  if (code !== 0) process.exit(code);
};

exports.remote = (path) => `vscode-remote://${new URL(process.env.BASE).host}${path}`;
