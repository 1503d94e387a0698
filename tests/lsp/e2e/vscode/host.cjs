// Runs harness/index.js in the extension host and takes over its verdict.
const { open, remote } = require("./browser.cjs");

const PATIENCE = 180000;
const NOISE = /authentication provider|additional builtin extensions/;

(async () => {
  const { page, go, close } = await open([
    ["extensionDevelopmentPath", remote(process.env.EXT)],
    ["extensionTestsPath", remote(process.env.TESTS)],
    ["skipWelcome", "true"],
    ["skipReleaseNotes", "true"],
  ]);
  let done;
  const ended = new Promise((resolve) => { done = resolve; });
  await page.exposeFunction("codeAutomationLog", (type, args) => {
    if (!NOISE.test(args.join(" "))) console.log(...args);
  });
  await page.exposeFunction("codeAutomationExit", (code) => done(code));
  await go();
  const timer = setTimeout(() => done("timeout"), PATIENCE);
  const code = await ended;
  clearTimeout(timer);
  if (code !== 0) await page.screenshot({ path: "/tmp/irlint-e2e-host.png" });
  await close();
  console.log("extension host:", code);
  process.exit(code === 0 ? 0 : 1);
})();
