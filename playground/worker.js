// Python in a worker: the page never waits for it.
import { loadPyodide } from "pyodide";
import { boot } from "./python.js";

/** @typedef {{id: number, method: string, args: unknown[], bytes?: Uint8Array}} Request */
/** @typedef {{kind: "progress", part: import("./loading.js").Part, loaded: number, size: number} | {kind: "ready"} | {kind: "failed", message: string}
 *   | {kind: "answer", id: number, result?: any, refused?: string, failed?: string, bytes?: Uint8Array}} Message */

const folder = new URL(".", import.meta.url).href;

/** @param {Message} message */
function send(message) {
  postMessage(message);
}

/** Tell the page how much of a response has come. @param {Response} response @param {"python" | "irlint"} part @returns {Promise<void>} */
async function watch(response, part) {
  let loaded = 0;
  for (const reader = response.clone().body?.getReader(); reader;) {
    const { done, value } = await reader.read();
    loaded = done ? SIZES[part] : loaded + value.length;
    send({ kind: "progress", part, loaded, size: SIZES[part] });
    if (done) return;
  }
}

/** The archive of Python files. */
async function archive() {
  const response = await fetch(`${folder}python.pack`);
  if (!response.ok || !response.body) throw new Error(`python.pack: ${response.status} ${response.statusText}`);
  return new Uint8Array(await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

// Pyodide asks for its own files; what it asks for is watched here.
const WATCHED = /** @type {const} */ ({ "pyodide.asm.wasm": "python", "python.pack": "irlint" });
const plain = globalThis.fetch.bind(globalThis);
globalThis.fetch = async (/** @type {RequestInfo | URL} */ input, /** @type {RequestInit | undefined} */ init) => {
  const response = await plain(input, init), name = response.url.split("/").at(-1) ?? "";
  if (response.ok && name in WATCHED) watch(response, WATCHED[/** @type {keyof typeof WATCHED} */ (name)]).catch(() => {}); // who reads the body hears of it
  return response;
};

/** @param {unknown} error */
function words(error) {
  return error instanceof Error ? error.message : String(error);
}

for (const part of /** @type {const} */ (["python", "irlint"])) send({ kind: "progress", part, loaded: 0, size: SIZES[part] });
const starting = boot(loadPyodide, folder, archive());
starting.then(() => send({ kind: "ready" }), (error) => send({ kind: "failed", message: words(error) }));

addEventListener("message", async (/** @type {MessageEvent<Request>} */ { data }) => {
  const irlint = await starting;
  try {
    const answer = irlint.call(data.method, data.args, data.bytes);
    const bytes = data.method === "encode" ? irlint.passed() : undefined;
    send({ kind: "answer", id: data.id, bytes, ...answer });
  } catch (error) {
    send({ kind: "answer", id: data.id, failed: words(error) });
  }
});
