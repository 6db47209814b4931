// @ts-check
import { readFileSync } from "node:fs";
import { Script } from "node:vm";

/** Ending of the file with V8's compiled code, after the name of the source file. */
export const CODE = ".code";

/** Parameters of the function that a compiled file consists of. The last one takes the place of `import()`. */
const PARAMETERS = ["exports", "require", "module", "__filename", "__dirname", "__import"];

/**
 * Compiles a CommonJS file like Node's loader, as a function.
 * @param {string} file absolute path
 * @param {Buffer} [cachedData] compiled code, which V8 ignores if another version or other settings of V8 compiled it
 * @returns {Script}
 */
export function compileFile(file, cachedData) {
  const source = readFileSync(file, "utf8");
  return new Script(`(function (${PARAMETERS.join(", ")}) {${source}\n})`, { filename: file, cachedData });
}
