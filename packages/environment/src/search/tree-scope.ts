import type { IgnoreRules } from "../glob/ignore-rules.ts";
import { parseIgnoreRules } from "../glob/ignore-rules.ts";
import { joinBytes } from "../output/join-bytes.ts";
import type { SearchTree } from "./search-tree.ts";
import type { TimeSlicer } from "./time-slicer.ts";

/** Larger files of rules are not looked at. */
const MAX_RULES_BYTES = 1024 * 1024;

/** A folder of a tree that is searched. */
export interface TreeScope {
  readonly tree: SearchTree;
  /** Its path below the working directory; empty for that itself. */
  readonly relative: string;
  readonly turns: TimeSlicer;
  readonly signal: AbortSignal | undefined;
}

/** A path below the searched folder as one below the working directory. */
export function toTreePath(scope: Pick<TreeScope, "relative">, path: string): string {
  if (scope.relative === "" || path === "") return scope.relative + path;
  return `${scope.relative}/${path}`;
}

/** The folder of a relative path; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Rules of those folders, given by their path below the working directory, that have a file of rules. */
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

/** Rules of the folders above a path, from the working directory down. */
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
