// Python with irlint in it, from the archive that pack.py writes. For the page's worker, and for tests under node.

/** @typedef {import("pyodide").PyodideInterface} Pyodide */
/** @typedef {typeof import("pyodide").loadPyodide} Load */

const PASSED = "/passed";
const BLOCK = 512; // bytes; a tar archive consists of them

/** @param {Uint8Array} archive a tar archive with short names @returns {Generator<[string, Uint8Array]>} */
function* untar(archive) {
  const decoder = new TextDecoder();
  const text = (/** @type {number} */ from, /** @type {number} */ size) => decoder.decode(archive.subarray(from, from + size)).replace(/\0.*$/s, "");
  for (let at = 0; archive[at]; ) {
    const prefix = text(at + 345, 155), size = parseInt(text(at + 124, 12), 8);
    yield [(prefix && prefix + "/") + text(at, 100), archive.subarray(at + BLOCK, at + BLOCK + size)];
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** @param {Load} loadPyodide @param {string} folder where Pyodide is @param {Promise<Uint8Array>} archive @returns {Promise<Irlint>} */
export async function boot(loadPyodide, folder, archive) {
  const pyodide = await loadPyodide({
    indexURL: folder,
    env: { HOME: "/home", PYTHONPATH: "/lib/python3.14" }, // instead of a zip file of source code
    fsInit: async (FS) => {
      const made = new Set();
      for (const [path, data] of untar(await archive)) {
        const parent = path.slice(0, path.lastIndexOf("/"));
        if (!made.has(parent)) FS.mkdirTree(`/${parent}`);
        made.add(parent);
        FS.writeFile(`/${path}`, data, { canOwn: true });
      }
    },
  });
  return new Irlint(pyodide);
}

class Irlint {
  /** @param {Pyodide} pyodide */
  constructor(pyodide) {
    this.pyodide = pyodide;
    this.glue = pyodide.pyimport("glue");
  }

  /** Call a method of glue.py's Session. @param {string} method @param {unknown[]} args @param {Uint8Array} [bytes] what the method reads
   * @returns {{result?: any, refused?: string}} */
  call(method, args, bytes) {
    if (bytes) this.pyodide.FS.writeFile(PASSED, bytes);
    return JSON.parse(this.glue.call(method, JSON.stringify(args)));
  }

  /** The bytes that a method has written. @returns {Uint8Array} */
  passed() {
    return this.pyodide.FS.readFile(PASSED);
  }
}
