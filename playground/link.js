// A model in the fragment of an address: #name=FILE&text=DATA, and &as=FORMAT, &tab=VIEW, &config=DATA where they are needed.
// DATA is UTF-8 text, compressed with raw deflate, in base64url.

/** @typedef {{name: string, text: string, as: string, tab: string, config: string}} Linked */

/** @param {string} text */
export async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} data */
export async function unpacked(data) {
  const bytes = Uint8Array.from(atob(data.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await new Response(stream).arrayBuffer());
}

/** @param {Linked} linked @returns {Promise<string>} the fragment with its # */
export async function fragment({ name, text, as, tab, config }) {
  const found = [`name=${encodeURIComponent(name)}`, `text=${await packed(text)}`];
  if (as) found.push(`as=${encodeURIComponent(as)}`);
  if (tab) found.push(`tab=${encodeURIComponent(tab)}`);
  if (config.trim()) found.push(`config=${await packed(config)}`);
  return `#${found.join("&")}`;
}

/** @param {string} hash @returns {Promise<Linked | null>} null if the fragment holds no model; an Error if it is damaged */
export async function linked(hash) {
  const found = new URLSearchParams(hash.replace(/^#/, "")), text = found.get("text");
  if (text === null) return null;
  const get = (/** @type {string} */ key) => found.get(key) ?? "";
  try {
    const config = get("config");
    return { name: get("name") || "model", text: await unpacked(text), as: get("as"), tab: get("tab"), config: config && await unpacked(config) };
  } catch {
    throw new Error("this link is damaged: its text cannot be unpacked");
  }
}
