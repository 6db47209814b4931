// @ts-check
import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Packages that are not bundled: one has native parts, the other is large, and no process of a test needs it. */
const EXTERNAL = [/^libsql(\/|$)/, /^just-bash(\/|$)/];
/** An expression `import()`, but not a type in a comment. Compiled code cannot use it, and calls `__import` instead. */
const IMPORT = /(?<![{\w.$"'`])import\(/g;
/** Age from which an earlier bundle is removed. No test runs that long. */
const OLD_MS = 3_600_000;
const LOCK_FILE = fileURLToPath(new URL("../../../pnpm-lock.yaml", import.meta.url));
const START = fileURLToPath(new URL("./start-bundle.mjs", import.meta.url));
const COMPILE = fileURLToPath(new URL("./compile-bundle.mjs", import.meta.url));

/**
 * Loads a TypeScript module from source, like tests, in a process started by a test. The module and its imports are
 * bundled into a program, which later processes load again as long as no source of it has changed: most of these
 * processes live for a second, and transforming the sources took longer than that. The sources may not use `await`
 * outside functions.
 * @param {URL} module
 * @param {URL} root folder of the package
 * @returns {Promise<Record<string, any>>} exports of the module
 */
export async function loadFromSource(module, root) {
  return createRequire(import.meta.url)(await bundleFromSource(module, root)).program;
}

/**
 * Bundles a module for `loadFromSource`, which then writes no files, as in a process that may not. Node can also start
 * the bundle as a program.
 * @param {URL} module
 * @param {URL} root folder of the package
 * @returns {Promise<string>} path of the bundle
 */
export async function bundleFromSource(module, root) {
  const entry = fileURLToPath(module);
  const folder = fileURLToPath(new URL("node_modules/.cache/from-source/", root));
  const name = hashOf([entry, process.version]);
  const manifest = join(folder, `${name}.json`);
  return findBundle(manifest) ?? (await writeBundle(entry, { folder, name, manifest }));
}

/**
 * Returns the path of a bundle whose sources have not changed since.
 * @param {string} manifest
 * @returns {string | undefined}
 */
function findBundle(manifest) {
  if (!existsSync(manifest)) return undefined;
  /** @type {{ bundle: string, sources: string[], hash: string }} */
  const { bundle, sources, hash } = JSON.parse(readFileSync(manifest, "utf8"));
  if (!sources.every((source) => existsSync(source)) || !existsSync(bundle)) return undefined;
  return stateOf(sources) === hash ? bundle : undefined;
}

/**
 * @param {string} entry
 * @param {{ folder: string, name: string, manifest: string }} places
 * @returns {Promise<string>} path of the bundle
 */
async function writeBundle(entry, { folder, name, manifest }) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    input: entry,
    external: EXTERNAL,
    platform: "node",
    transform: { target: "node20.19" },
    resolve: {
      conditionNames: ["@switchyard/source", "node", "import", "module", "default"],
      // The CommonJS form of some packages cannot be bundled.
      mainFields: ["module", "main"],
    },
    onLog: () => {},
    plugins: [{ name: "replace-imports", renderChunk: (code) => code.replaceAll(IMPORT, "__import(") }],
  });
  // Several processes may bundle the same module at the same time, so each writes to a folder of its own.
  const dir = join(folder, `${name}-${randomUUID()}`);
  const names = { entryFileNames: "program.cjs", chunkFileNames: "[name]-[hash].cjs" };
  const { output } = await bundle.write({ dir, format: "cjs", strict: true, ...names });
  await bundle.close();
  execFileSync(process.execPath, [COMPILE, dir]);
  const path = join(dir, "start.cjs");
  await writeStart(path);
  const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
  const sources = [...modules.filter((id) => existsSync(id)), LOCK_FILE, START, COMPILE];
  const other = findBundle(manifest);
  if (other !== undefined) {
    rmSync(dir, { recursive: true });
    return other;
  }
  writeFileSync(`${dir}.json`, JSON.stringify({ bundle: path, sources, hash: stateOf(sources) }));
  renameSync(`${dir}.json`, manifest);
  removeOldBundles(folder, { name, except: basename(dir) });
  return path;
}

/**
 * Removes the earlier bundles of a module. Recent ones stay: another process that bundled the module at the same time
 * may be about to load its own.
 * @param {string} folder
 * @param {{ name: string, except: string }} bundles
 */
function removeOldBundles(folder, { name, except }) {
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith(`${name}-`) || entry === except) continue;
    const path = join(folder, entry);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > OLD_MS) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Bundles the program that loads the bundle.
 * @param {string} path
 * @returns {Promise<void>}
 */
async function writeStart(path) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({ input: START, platform: "node" });
  await bundle.write({ file: path, format: "cjs", strict: true });
  await bundle.close();
}

/**
 * Returns a hash that changes when a file does. Contents are not read, because hundreds of short processes check them.
 * The time of the last change of metadata says too much: it also changes when an installation links the same file.
 * @param {readonly string[]} files
 * @returns {string}
 */
function stateOf(files) {
  return hashOf(
    files.map((file) => {
      const { size, mtimeMs } = statSync(file);
      return `${file} ${size} ${mtimeMs}`;
    }),
  );
}

/**
 * @param {readonly string[]} parts
 * @returns {string}
 */
function hashOf(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest("hex").slice(0, 20);
}
