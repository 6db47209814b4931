import { basename, dirname } from "node:path/posix";
import type { IgnoreRules } from "../../glob/ignore-rules.ts";
import { isBelowIgnored, parseIgnoreRules } from "../../glob/ignore-rules.ts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { LocalWorkspace, PinnedPath } from "../workspace/pin-path.ts";
import { pinPathNow } from "../workspace/pin-path.ts";
import { openForReading } from "../workspace/read-file.ts";

/** Maximum size of an ignore file, in bytes. Larger files are not read. */
const MAX_RULES_BYTES = 1024 * 1024;

/** A folder to search. Contract: the caller of `openSearchScope`, or of `readSearchScope`, disposes of `folder`. */
export interface SearchScope {
  readonly workspace: LocalWorkspace;
  /** The opened folder. */
  readonly folder: PinnedPath;
  /** Path of the folder relative to the workspace, with `/` as separator. Empty for the workspace itself. */
  readonly relative: string;
  /**
   * Ignore rules of the folder's parent folders, from the workspace downwards. Empty if the searched folder is itself
   * ignored, because the caller named it explicitly.
   */
  readonly layers: readonly IgnoreRules[];
  /** True if folders called node_modules are skipped. */
  readonly skipsPackages: boolean;
}

/** Opens a folder for a search and reads the ignore rules of its parent folders. */
export async function openSearchScope(workspace: LocalWorkspace, path: string): Promise<SearchScope> {
  const folder = await pinPathNow(workspace, resolveWorkspacePath(workspace, path).absolute, { directory: true });
  return readSearchScope(workspace, path, folder);
}

/** Reads the ignore rules of the parent folders of an opened folder. */
export async function readSearchScope(
  workspace: LocalWorkspace,
  path: string,
  folder: PinnedPath,
): Promise<SearchScope> {
  const { relative } = resolveWorkspacePath(workspace, path);
  const layers = await readRulesAbove(workspace, relative);
  // If the caller explicitly searches an ignored folder, the ignore rules of its parent folders do not apply.
  const isNamed = relative !== "" && isBelowIgnored(layers, `${relative}/x`);
  const skipsPackages = !relative.split("/").includes("node_modules");
  return { workspace, folder, relative, layers: isNamed ? [] : layers, skipsPackages };
}

/** Converts a path relative to the searched folder to a path relative to the workspace. */
export function toWorkspacePath({ relative }: Pick<SearchScope, "relative">, path: string): string {
  return relative === "" ? path : `${relative}/${path}`;
}

/** Reads the ignore rules of a folder. `undefined` if it has no readable ignore file. */
export async function readIgnoreRules(workspace: LocalWorkspace, folder: string): Promise<IgnoreRules | undefined> {
  try {
    await using file = await openForReading(workspace, folder === "" ? ".gitignore" : `${folder}/.gitignore`);
    const buffer = Buffer.alloc(Math.min(MAX_RULES_BYTES, (await file.stat()).size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return parseIgnoreRules(buffer.toString("utf8", 0, bytesRead), folder);
  } catch {
    // The ignore file is missing, is a folder, or is a link out of the workspace. In these cases there are no rules.
    return undefined;
  }
}

async function readRulesAbove(workspace: LocalWorkspace, relative: string): Promise<IgnoreRules[]> {
  const layers: IgnoreRules[] = [];
  for (const folder of foldersAbove(relative)) {
    const rules = await readIgnoreRules(workspace, folder);
    if (rules !== undefined) layers.push(rules);
  }
  return layers;
}

function foldersAbove(relative: string): string[] {
  if (relative === "" || basename(relative) === relative) return relative === "" ? [] : [""];
  const parent = dirname(relative);
  return [...foldersAbove(parent), parent];
}
