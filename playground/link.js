// A model in the fragment of an address: #name=FILE&text=DATA, and &as=FORMAT, &tab=VIEW, &config=DATA where they are needed.
// DATA is UTF-8 text, compressed with raw deflate, in base64url; of a model that is not text, &data=DATA has the bytes, and each &beside=FILE:DATA those
// of a file next to it.

import { fromBase64 } from "./files.js";

/** @typedef {{name: string, text: string, data?: Uint8Array, as: string, tab: string, config: string, beside: import("./files.js").NamedFile[]}} Linked */

/** @param {string | Uint8Array} content */
export async function packed(content) {
  const stream = new Blob([/** @type {BlobPart} */ (content)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} data */
async function unpackedBytes(data) {
  const bytes = fromBase64(data.replaceAll("-", "+").replaceAll("_", "/"));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {string} data */
export async function unpacked(data) {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await unpackedBytes(data));
}

/** @param {Linked} linked @returns {Promise<string>} the fragment with its # */
export async function fragment({ name, text, data, as, tab, config, beside }) {
  const found = [`name=${encodeURIComponent(name)}`, data ? `data=${await packed(data)}` : `text=${await packed(text)}`];
  if (as) found.push(`as=${encodeURIComponent(as)}`);
  if (tab) found.push(`tab=${encodeURIComponent(tab)}`);
  if (config.trim()) found.push(`config=${await packed(config)}`);
  for (const file of beside) found.push(`beside=${encodeURIComponent(file.name)}:${await packed(file.bytes)}`);
  return `#${found.join("&")}`;
}

/** @param {string[]} parts FILE:DATA */
function besideOf(parts) {
  return Promise.all(parts.map(async (part) => {
    const at = part.lastIndexOf(":");
    return { name: part.slice(0, at), bytes: await unpackedBytes(part.slice(at + 1)) };
  }));
}

/** @param {string} hash @returns {Promise<Linked | null>} null if the fragment holds no model; an Error if it is damaged */
export async function linked(hash) {
  const found = new URLSearchParams(hash.replace(/^#/, "")), text = found.get("text"), data = found.get("data");
  if (text === null && data === null) return null;
  const get = (/** @type {string} */ key) => found.get(key) ?? "";
  try {
    const config = get("config"), rest = { as: get("as"), tab: get("tab"), config: config && await unpacked(config), beside: await besideOf(found.getAll("beside")) };
    if (data !== null) return { name: get("name") || "model", text: "", data: await unpackedBytes(data), ...rest };
    return { name: get("name") || "model", text: await unpacked(text ?? ""), ...rest };
  } catch {
    throw new Error("this link is damaged: its text cannot be unpacked");
  }
}
