// @ts-check
// Loads the program `program.cjs` of the same folder, and the files of the bundle that it requires, from V8's compiled
// code. It is itself bundled into the folder, as `start.cjs`.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { CODE, compileFile } from "./compile-file.mjs";

const folder = import.meta.dirname;
const requireExternal = createRequire(join(folder, "start.cjs"));
/** @type {Map<string, { exports: unknown }>} */
const loaded = new Map();

/** Exports of the program. */
export const program = load(join(folder, "program.cjs"));

/**
 * @param {string} file
 * @returns {unknown}
 */
function load(file) {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  const code = `${file}${CODE}`;
  const script = compileFile(file, existsSync(code) ? readFileSync(code) : undefined);
  const requireFrom = (/** @type {string} */ id) =>
    id.startsWith(".") ? load(resolve(folder, id)) : requireExternal(id);
  const importModule = (/** @type {string} */ specifier) => import(specifier);
  const parameters = [module.exports, requireFrom, module, file, folder, importModule];
  Reflect.apply(script.runInThisContext(), module.exports, parameters);
  return module.exports;
}
