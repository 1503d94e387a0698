// Runs harness/index.js in the extension host and takes over its verdict.
const { open, PATIENCE, remote } = require("./browser.cjs");

const WHOLE = 3 * PATIENCE; // for all tests
const UNABLE = 75; // nothing is wrong but the machine: too slow, no browser
const NOISE = /authentication provider|additional builtin extensions|bindings file|native-watchdog/;

async function run() {
  const { page, go, close } = await open([
    ["extensionDevelopmentPath", remote(process.env.EXT)],
    ["extensionTestsPath", remote(process.env.TESTS)],
    ["skipWelcome", "true"],
    ["skipReleaseNotes", "true"],
  ]);
  let done, slow = false;
  const ended = new Promise((resolve) => { done = resolve; });
  await page.exposeFunction("codeAutomationLog", (type, args) => {
    if (!NOISE.test(args.join(" "))) console.log(...args);
    slow = slow || /^too slow: /m.test(args.join(" "));
  });
  await page.exposeFunction("codeAutomationExit", (code) => done(code));
  await go();
  const timer = setTimeout(() => done("timeout"), WHOLE);
  const code = await ended;
  clearTimeout(timer);
  if (code !== 0) await page.screenshot({ path: require("node:path").join(require("node:os").tmpdir(), "irlint-e2e-host.png") }).catch(() => {});
  await close();
  console.log("extension host:", code);
  process.exit(code === 0 ? 0 : slow || code === "timeout" ? UNABLE : 1);
}

run().catch((error) => {
  console.log("extension host:", error.message);
  process.exit(UNABLE);
});
