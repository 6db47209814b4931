import { readdir } from "node:fs/promises";
import type { IgnoreRules } from "../../glob/ignore-rules.ts";
import { isIgnored } from "../../glob/ignore-rules.ts";
import { compareNames } from "../../search/compare-names.ts";
import { pinInner } from "../workspace/pin-inner.ts";
import type { PinnedPath } from "../workspace/pin-path.ts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import type { SearchScope } from "./search-scope.ts";
import { readIgnoreRules, toWorkspacePath } from "./search-scope.ts";

/** A regular file found below the searched folder. */
export interface WalkedFile {
  /** Path below the searched folder, with `/`. */
  readonly path: string;
  /** Opened folder that contains the file. It stays open until the next file is requested. */
  readonly folder: PinnedPath;
  /** Name of the file in its folder. */
  readonly name: string;
}

interface OpenedFolder {
  readonly folder: PinnedPath;
  readonly prefix: string;
  readonly layers: readonly IgnoreRules[] | undefined;
}

/**
 * Yields the files below a folder in name order, like ripgrep. Symbolic links are not followed and `.git` is always
 * skipped. Ignored folders and node_modules are searched only with `includeIgnored`.
 */
export async function* walkFiles(scope: SearchScope, includeIgnored = false): AsyncGenerator<WalkedFile> {
  yield* walkFolder(scope, { folder: scope.folder, prefix: "", layers: includeIgnored ? undefined : scope.layers });
}

async function* walkFolder(scope: SearchScope, { folder, prefix, layers }: OpenedFolder): AsyncGenerator<WalkedFile> {
  const ownRules = layers && (await readIgnoreRules(scope.workspace, withoutSlash(toWorkspacePath(scope, prefix))));
  const rules = ownRules === undefined ? layers : [...(layers ?? []), ownRules];
  for (const entry of await readSorted(folder, prefix === "")) {
    const path = prefix + entry.name;
    if (entry.name === ".git" || isSkipped(scope, rules, { path, name: entry.name, isFolder: entry.isDirectory() }))
      continue;
    if (entry.isFile()) yield { path, folder, name: entry.name };
    if (!entry.isDirectory()) continue;
    await using inner = await pinInner(scope.workspace, folder, entry.name);
    if (inner !== undefined) yield* walkFolder(scope, { folder: inner, prefix: `${path}/`, layers: rules });
  }
}

interface Candidate {
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
}

function isSkipped(scope: SearchScope, rules: readonly IgnoreRules[] | undefined, candidate: Candidate): boolean {
  if (rules === undefined) return false;
  if (scope.skipsPackages && candidate.name === "node_modules") return true;
  return isIgnored(rules, toWorkspacePath(scope, candidate.path), candidate.isFolder);
}

async function readSorted(folder: PinnedPath, isFirst: boolean) {
  try {
    const entries = await readdir(folder.access(), { withFileTypes: true });
    return entries.sort((one, other) => compareNames(one.name, other.name));
  } catch (error) {
    if (isFirst || systemCodeOf(error) !== "EACCES") throw error;
    return [];
  }
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
