// node requests.mjs ASSETS NODE_MODULES < REQUESTS: what the page's Python answers, as JSON in one line.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { boot } from "../../playground/python.js";
import { fragment, linked } from "../../playground/link.js";

const [assets, modules] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${modules}/pyodide/pyodide.mjs`).href);
const began = performance.now();
const irlint = await boot(loadPyodide, `${assets}/`, Promise.resolve(new Uint8Array(gunzipSync(readFileSync(`${assets}/python.pack`)))));
const answers = { boot: performance.now() - began, answers: [] };
for (const { method, args, data } of JSON.parse(await text(process.stdin))) {
  if (method === "link") {
    const hash = await fragment({ ...args[0], data: data && new Uint8Array(Buffer.from(data, "base64")) });
    const found = await linked(hash);
    answers.answers.push({ result: [hash, found?.data ? { ...found, data: Buffer.from(found.data).toString("base64") } : found] });
    continue;
  }
  const answer = irlint.call(method, args, data === undefined ? undefined : new Uint8Array(Buffer.from(data, "base64")));
  if (method === "encode" && !answer.refused) answer.result = Buffer.from(irlint.passed()).toString("base64");
  answers.answers.push(answer);
}
console.log(JSON.stringify(answers));
