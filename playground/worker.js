// Python in a worker: the page never waits for it.
import { loadPyodide } from "pyodide";
import { boot } from "./python.js";

/** @typedef {{id: number, method: string, args: unknown[], bytes?: Uint8Array}} Request */
/** @typedef {{kind: "progress", loaded: number, size: number} | {kind: "ready"} | {kind: "failed", message: string}
 *   | {kind: "answer", id: number, result?: any, refused?: string, failed?: string, bytes?: Uint8Array}} Message */

const folder = new URL(".", import.meta.url).href;

/** @param {Message} message */
function send(message) {
  postMessage(message);
}

/** The archive of Python files, while the page hears how much of it is there. */
async function archive() {
  const response = await fetch(`${folder}python.pack`);
  if (!response.ok || !response.body) throw new Error(`python.pack: ${response.status} ${response.statusText}`);
  const size = Number(response.headers.get("Content-Length"));
  let loaded = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.length;
      send({ kind: "progress", loaded, size });
      controller.enqueue(chunk);
    },
  }));
  return new Uint8Array(await new Response(counted.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

/** @param {unknown} error */
function words(error) {
  return error instanceof Error ? error.message : String(error);
}

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
