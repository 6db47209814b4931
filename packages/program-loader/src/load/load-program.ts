import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, resolve } from "node:path";
import { Script } from "node:vm";
import type { CodeCache } from "../cache/code-cache.ts";
import { underUsualSettings } from "./optimizer.ts";

/** Exports of a program file. */
interface Loaded {
  exports: unknown;
}

/**
 * Loads a file of the program's bundle, and the bundle files that it requires. Works like Node's `require`, but uses
 * compiled code from the cache. Names of bundle files contain a content hash, except for the first file. Cached code
 * cannot use `import()`. Returns the exports of the file.
 */
export function loadProgram(file: string, cache: CodeCache | undefined): unknown {
  // `requireExternal` loads built-in modules of Node, and packages that are installed separately from the program's
  // bundle.
  return load({ cache, requireExternal: createRequire(file), loaded: new Map() }, file);
}

interface Program {
  readonly cache: CodeCache | undefined;
  readonly requireExternal: NodeJS.Require;
  readonly loaded: Map<string, Loaded>;
}

function load(program: Program, file: string): unknown {
  const known = program.loaded.get(file);
  if (known !== undefined) return known.exports;
  const module: Loaded = { exports: {} };
  program.loaded.set(file, module);
  const folder = dirname(file);
  const requireFrom = (id: string): unknown =>
    id.startsWith(".") ? load(program, resolve(folder, id)) : underUsualSettings(() => program.requireExternal(id));
  const run = underUsualSettings(() => compile(program.cache, file));
  if (typeof run !== "function") throw new TypeError(`${file} is not a file of the program`);
  Reflect.apply(run, module.exports, [module.exports, requireFrom, module, file, folder]);
  return module.exports;
}

function compile(cache: CodeCache | undefined, file: string): unknown {
  const source = readFileSync(file, "utf8");
  const name = basename(file);
  const cachedData = cache?.get(name);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    cachedData,
  });
  if (cachedData === undefined || script.cachedDataRejected === true) cache?.add(name, script);
  return script.runInThisContext();
}
