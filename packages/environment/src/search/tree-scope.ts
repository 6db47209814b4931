import type { IgnoreRules } from "../glob/ignore-rules.ts";
import { parseIgnoreRules } from "../glob/ignore-rules.ts";
import { joinBytes } from "../output/join-bytes.ts";
import type { SearchTree } from "./search-tree.ts";
import type { TimeSlicer } from "./time-slicer.ts";

/** Maximum size of an ignore file, in bytes. Larger files are not read. */
const MAX_RULES_BYTES = 1024 * 1024;

/** A folder to search, the file tree that contains it, and the caller's abort signal. */
export interface TreeScope {
  readonly tree: SearchTree;
  /** Path below the working directory. Empty for the working directory itself. */
  readonly relative: string;
  readonly turns: TimeSlicer;
  readonly signal: AbortSignal | undefined;
}

/** Converts a path relative to the searched folder to a path relative to the working directory. */
export function toTreePath(scope: Pick<TreeScope, "relative">, path: string): string {
  if (scope.relative === "" || path === "") return scope.relative + path;
  return `${scope.relative}/${path}`;
}

/** Returns the parent folder of a relative path. Empty for a path without a slash. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Reads the ignore rules of several folders. The result contains only folders that have an ignore file. */
export async function readRules(
  { tree, signal }: TreeScope,
  folders: readonly string[],
): Promise<Map<string, IgnoreRules>> {
  const found = new Map<string, IgnoreRules>();
  if (folders.length === 0) return found;
  const paths = folders.map((folder) => (folder === "" ? ".gitignore" : `${folder}/.gitignore`));
  for await (const { path, content } of tree.read(paths, signal)) {
    found.set(folderOf(path), parseIgnoreRules(await readStart(content), folderOf(path)));
  }
  return found;
}

/** Reads the ignore rules of the searched folder's parent folders, from the working directory down. */
export async function readRulesAbove(scope: TreeScope): Promise<IgnoreRules[]> {
  const folders: string[] = [];
  for (let at = scope.relative; at !== ""; at = folderOf(at)) folders.unshift(folderOf(at));
  const rules = await readRules(scope, folders);
  return folders.flatMap((folder) => rules.get(folder) ?? []);
}

async function readStart(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of content) {
    pieces.push(piece.slice(0, MAX_RULES_BYTES - length));
    length += piece.length;
    if (length >= MAX_RULES_BYTES) break;
  }
  return new TextDecoder().decode(joinBytes(pieces));
}
