// Files that are chosen, dropped or come with an example: one model, and what belongs next to it.

/** @typedef {{name: string, bytes: Uint8Array}} NamedFile */

const BESIDE = /\.(bin|params|weights|npz|npy|data|onnx_data)$/i; // never a model
const MOST = 500_000_000; // bytes of a file that the page takes

/** The name of the model among files. @param {Iterable<{name: string}>} files */
export function modelName(files) {
  return [...files].find((file) => !BESIDE.test(file.name))?.name;
}

/** @param {Iterable<File>} files @returns {Promise<{model: NamedFile | null, beside: NamedFile[]}>} */
export async function sorted(files) {
  const found = [];
  for (const file of files) {
    if (file.size > MOST) throw new Error(`${file.name} is too large for this page; use irlint on your computer`);
    found.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  const model = found.find((file) => !BESIDE.test(file.name)) ?? null;
  return { model, beside: found.filter((file) => file !== model) };
}

/** Files next to it are in base64, and so is a model that is not text.
 * @typedef {{format: string, name: string, text: string, data?: string, beside: {[name: string]: string}}} Example */

/** @param {Example} example @returns {NamedFile[]} */
export function besideExample({ beside }) {
  return Object.entries(beside).map(([name, data]) => ({ name, bytes: fromBase64(data) }));
}

/** @param {string} data */
export function fromBase64(data) {
  return Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
}
