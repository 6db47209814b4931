// @ts-check
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Packages with native parts, which cannot be bundled. */
const EXTERNAL = ["libsql"];
const LOCK_FILE = fileURLToPath(new URL("../../../pnpm-lock.yaml", import.meta.url));

/**
 * Loads a TypeScript module from source, like tests, in a process started by a test. The module and its imports are
 * bundled into one file, which later processes load again as long as no source of it has changed: most of these
 * processes live for a second, and transforming the sources took longer than that.
 * @param {URL} module
 * @param {URL} root folder of the package
 * @returns {Promise<Record<string, any>>} exports of the module
 */
export async function loadFromSource(module, root) {
  return import(pathToFileURL(await bundleFromSource(module, root)).href);
}

/**
 * Bundles a module for `loadFromSource`, which then writes no files, as in a process that may not.
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
  return contentHashOf(sources) === hash ? bundle : undefined;
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
    resolve: { conditionNames: ["@switchyard/source", "node", "import", "module", "default"] },
    onLog: () => {},
  });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
  await bundle.close();
  const [{ code, moduleIds }] = output;
  const sources = [...moduleIds.filter((id) => existsSync(id)), LOCK_FILE];
  const hash = contentHashOf(sources);
  mkdirSync(folder, { recursive: true });
  const file = `${name}-${hash}.mjs`;
  const path = join(folder, file);
  replaceFile(path, code);
  replaceFile(manifest, JSON.stringify({ bundle: path, sources, hash }));
  for (const old of readdirSync(folder)) {
    if (old.startsWith(`${name}-`) && old.endsWith(".mjs") && old !== file) rmSync(join(folder, old), { force: true });
  }
  return path;
}

/**
 * Writes a file as a whole, because several processes may do so at the same time.
 * @param {string} path
 * @param {string} content
 * @returns {void}
 */
function replaceFile(path, content) {
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

/**
 * @param {readonly string[]} files
 * @returns {string}
 */
function contentHashOf(files) {
  return hashOf(files.map((file) => readFileSync(file)));
}

/**
 * @param {readonly (string | Buffer)[]} parts
 * @returns {string}
 */
function hashOf(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest("hex").slice(0, 20);
}
