import { basename, dirname } from "node:path/posix";
import type { IgnoreRules } from "../../glob/ignore-rules.ts";
import { isBelowIgnored, parseIgnoreRules } from "../../glob/ignore-rules.ts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { LocalWorkspace, PinnedPath } from "../workspace/pin-path.ts";
import { pinPathNow } from "../workspace/pin-path.ts";
import { openForReading } from "../workspace/read-file.ts";

/** Larger files of rules are not looked at. */
const MAX_RULES_BYTES = 1024 * 1024;

/** A folder that is searched. Contract: the holder disposes of `folder`. */
export interface SearchScope {
  readonly workspace: LocalWorkspace;
  /** The folder. */
  readonly folder: PinnedPath;
  /** Its path below the workspace, with `/`; empty for the workspace itself. */
  readonly relative: string;
  /** Rules of the folders above it, from the workspace down; none when it is itself ignored. */
  readonly layers: readonly IgnoreRules[];
  /** Whether folders called node_modules are left out. */
  readonly skipsPackages: boolean;
}

/** Pins a folder for a search and reads the ignore rules above it. */
export async function openSearchScope(workspace: LocalWorkspace, path: string): Promise<SearchScope> {
  const folder = await pinPathNow(workspace, resolveWorkspacePath(workspace, path).absolute, { directory: true });
  return readSearchScope(workspace, path, folder);
}

/** Reads the ignore rules above a folder that is pinned. */
export async function readSearchScope(
  workspace: LocalWorkspace,
  path: string,
  folder: PinnedPath,
): Promise<SearchScope> {
  const { relative } = resolveWorkspacePath(workspace, path);
  const layers = await readRulesAbove(workspace, relative);
  // Whoever names an ignored folder wants to look into it.
  const isNamed = relative !== "" && isBelowIgnored(layers, `${relative}/x`);
  const skipsPackages = !relative.split("/").includes("node_modules");
  return { workspace, folder, relative, layers: isNamed ? [] : layers, skipsPackages };
}

/** A path below the searched folder as one below the workspace. */
export function toWorkspacePath({ relative }: Pick<SearchScope, "relative">, path: string): string {
  return relative === "" ? path : `${relative}/${path}`;
}

/** Rules of a folder; none where it has no file of rules that can be read. */
export async function readIgnoreRules(workspace: LocalWorkspace, folder: string): Promise<IgnoreRules | undefined> {
  try {
    await using file = await openForReading(workspace, folder === "" ? ".gitignore" : `${folder}/.gitignore`);
    const buffer = Buffer.alloc(Math.min(MAX_RULES_BYTES, (await file.stat()).size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return parseIgnoreRules(buffer.toString("utf8", 0, bytesRead), folder);
  } catch {
    // None there, a folder of that name, a link that leads out: no rules.
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
