import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, resolve } from "node:path";
import { Script } from "node:vm";
import type { CodeCache } from "./code-cache.ts";
import { underUsualSettings } from "./optimizer.ts";

/** What a file of the program gives. */
interface Loaded {
  exports: unknown;
}

/** For what comes with Node, and the one package that is installed beside the program. */
const requireExternal = createRequire(import.meta.url);

/**
 * Loads a file of the bundle and those that it asks for, as Node does, but with what V8 made of them in an earlier process.
 * Their names say what is in them, but for that of the first one. They can import nothing by themselves. Gives what the file
 * exports.
 */
export function loadProgram(file: string, cache: CodeCache | undefined): unknown {
  return load({ cache, loaded: new Map() }, file);
}

interface Program {
  readonly cache: CodeCache | undefined;
  readonly loaded: Map<string, Loaded>;
}

function load(program: Program, file: string): unknown {
  const known = program.loaded.get(file);
  if (known !== undefined) return known.exports;
  const module: Loaded = { exports: {} };
  program.loaded.set(file, module);
  const folder = dirname(file);
  const requireFrom = (id: string): unknown =>
    id.startsWith(".") ? load(program, resolve(folder, id)) : underUsualSettings(() => requireExternal(id));
  const run = underUsualSettings(() => compile(program.cache, file));
  if (typeof run !== "function") throw new TypeError(`${file} is no file of the program`);
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
