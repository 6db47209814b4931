import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { EngineError, messageOf } from "@switchyard/contracts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { isRecord } from "../json/is-record.ts";
import { parseDocument } from "../json/parse-document.ts";
import { type ManifestLevel, parseManifest } from "../manifest/parse-manifest.ts";
import { manifestWarnings } from "../manifest/strict-problems.ts";
import type { RuntimeOrigin, RuntimePackage } from "./runtime-package.ts";

/** Maximum size of a manifest, in bytes. A larger manifest is rejected. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Options for `loadRuntimePackage`. */
export interface LoadRuntimeOptions {
  /** Strictness of manifest validation. Default: `load`. */
  readonly level?: ManifestLevel | undefined;
  /** Origin of the package: the project, the user's folder or an npm package. Default: `project`. */
  readonly origin?: RuntimeOrigin | undefined;
}

/**
 * Loads the package in a folder. If the folder contains several manifests, the one with the folder's name is used. The
 * folder's name is the id of the package; for a linked folder, the name of the link. Throws `runtime.manifest_invalid`.
 * See agent-runtime-package: package layout.
 */
export async function loadRuntimePackage(folder: string, options: LoadRuntimeOptions = {}): Promise<RuntimePackage> {
  const id = basename(resolve(folder));
  const path = await findManifest(folder, id);
  const parsed = parseManifest(await readManifest(path), { level: options.level, path });
  const { document } = parsed;
  const manifest = { ...parsed.manifest, id };
  const { id: written } = parsed.manifest;
  const renamed = written === id ? [] : [`id: the folder's name ${id} stands in for ${written}`];
  return {
    ...{ id, document, origin: options.origin ?? "project" },
    folder: await realpath(folder),
    manifest,
    warnings: [...renamed, ...manifestWarnings(manifest)],
  };
}

async function findManifest(folder: string, id: string): Promise<string> {
  const invalid = (problem: string, cause?: unknown): EngineError =>
    new EngineError("runtime.manifest_invalid", { path: folder, problem }, { cause });
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (cause) {
    throw invalid(`${problemOf(cause)}; name the folder of a runtime package`, cause);
  }
  if (names.includes(`${id}.json`)) return join(folder, `${id}.json`);
  const others = names.filter((name) => name.endsWith(".json") && name !== "package.json").sort();
  for (const name of others) if (await isManifest(join(folder, name))) return join(folder, name);
  throw invalid(`the folder contains no manifest ${id}.json`);
}

/** Returns, in plain words, why the operating system cannot read a folder or file. */
function problemOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOENT") return "it does not exist";
  if (code === "ENOTDIR") return "it is not a folder";
  return code === "EISDIR" ? "it is a folder" : messageOf(cause);
}

async function isManifest(path: string): Promise<boolean> {
  const text = await readManifest(path).catch(() => "");
  const parsed = parseDocument(text);
  return parsed.kind === "parsed" && isRecord(parsed.value) && parsed.value["schema"] === SCHEMA_IDS.runtime_manifest;
}

async function readManifest(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= MAX_MANIFEST_BYTES) return await readFile(path, "utf8");
  } catch (cause) {
    throw new EngineError("runtime.manifest_invalid", { path, problem: problemOf(cause) }, { cause });
  }
  const problem = `it has more than ${MAX_MANIFEST_BYTES} bytes`;
  throw new EngineError("runtime.manifest_invalid", { path, problem });
}
