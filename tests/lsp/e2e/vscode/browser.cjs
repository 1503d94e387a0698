// A fresh browser on the VS Code server.
const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { chromium } = require("playwright-core");

const ARGUMENTS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

exports.open = async (payload) => {
  const profile = mkdtempSync(join(tmpdir(), "irlint-e2e-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM, headless: true, args: ARGUMENTS, viewport: { width: 1200, height: 760 },
  });
  const page = context.pages()[0];
  const go = () =>
    page.goto(`${process.env.BASE}/?folder=${process.env.WS}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
  const again = () => page.goto(`${process.env.BASE}/?folder=${process.env.WS}`); // the window as it was left
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { page, go, again, close };
};

exports.remote = (path) => `vscode-remote://${new URL(process.env.BASE).host}${path}`;
