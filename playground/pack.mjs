// node pack.mjs NODE_MODULES INPUTS OUTPUT: run pack.py in Pyodide.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, inputs, output] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${modules}/pyodide/pyodide.mjs`).href);
const pyodide = await loadPyodide();
pyodide.FS.mkdirTree("/pack/in");
for (const name of readdirSync(inputs)) pyodide.FS.writeFile(`/pack/in/${name}`, readFileSync(`${inputs}/${name}`));
for (const name of ["pack.py", "glue.py"]) pyodide.FS.writeFile(`/pack/${name}`, readFileSync(new URL(name, import.meta.url)));
// The modules that Pyodide itself needs are those that are there before pack.py imports more.
pyodide.runPython(`
import sys
_started = dict(sys.modules)
sys.path.insert(0, "/pack")
import pack
from pathlib import Path
pack.main(Path("/pack/in"), Path("/pack/out"), set(_started))
`);
writeFileSync(output, pyodide.FS.readFile("/pack/out"));
