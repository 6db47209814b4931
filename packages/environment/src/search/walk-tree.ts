import type { IgnoreRules } from "../glob/ignore-rules.ts";
import { isBelowIgnored, isIgnored } from "../glob/ignore-rules.ts";
import { compareNames } from "./compare-names.ts";
import type { TreeEntry } from "./search-tree.ts";
import { sortInSlices } from "./sort-in-slices.ts";
import type { TreeScope } from "./tree-scope.ts";
import { folderOf, readRules, readRulesAbove, toTreePath } from "./tree-scope.ts";

/** Name of a folder that is never searched. */
const REPOSITORY = ".git";
const PACKAGES = "node_modules";

/**
 * Returns the regular files below a folder, each folder's entries sorted by name, subfolders included. `.git` is always
 * excluded. Ignored files and node_modules are excluded unless `includeIgnored` is set. Paths are relative to the
 * folder.
 */
export async function walkTree(
  scope: TreeScope,
  { includeIgnored }: { includeIgnored: boolean },
): Promise<TreeEntry[]> {
  // If the caller explicitly searches a folder inside node_modules, node_modules is not excluded.
  const skipsPackages = !includeIgnored && !scope.relative.split("/").includes(PACKAGES);
  const skip = new Set(skipsPackages ? [REPOSITORY, PACKAGES] : [REPOSITORY]);
  const inside = await listByFolder(scope, skip);
  const isIgnoredBy = includeIgnored ? undefined : await readAllRules(scope, inside);
  const walk: Walk = { scope, inside, skip, rules: isIgnoredBy?.rules, files: [] };
  await walkFolder(walk, "", isIgnoredBy?.above ?? []);
  return walk.files;
}

/** Entries, grouped by the folder that contains them. */
type Listing = ReadonlyMap<string, readonly TreeEntry[]>;

interface Walk {
  readonly scope: TreeScope;
  readonly inside: Listing;
  readonly skip: ReadonlySet<string>;
  /** Ignore rules, by the path of the folder that contains them. `undefined` if ignore rules do not apply. */
  readonly rules: ReadonlyMap<string, IgnoreRules> | undefined;
  readonly files: TreeEntry[];
}

async function walkFolder(walk: Walk, folder: string, above: readonly IgnoreRules[]): Promise<void> {
  const { scope, inside, skip, rules, files } = walk;
  const ownRules = rules?.get(toTreePath(scope, folder));
  const layers = ownRules === undefined ? above : [...above, ownRules];
  const entries = inside.get(folder) ?? [];
  const sorted = await sortInSlices(entries, (one, other) => compareNames(one.path, other.path), scope.turns);
  for (const entry of sorted) {
    if (scope.turns.isOver()) await scope.turns.next();
    if (skip.has(entry.path.slice(folder === "" ? 0 : folder.length + 1))) continue;
    const isFolder = entry.kind === "directory";
    if (rules !== undefined && isIgnored(layers, toTreePath(scope, entry.path), isFolder)) continue;
    if (entry.kind === "file") files.push(entry);
    if (isFolder) await walkFolder(walk, entry.path, layers);
  }
}

async function listByFolder({ tree, relative, turns, signal }: TreeScope, skip: Set<string>): Promise<Listing> {
  const inside = new Map<string, TreeEntry[]>();
  for await (const portion of tree.list(relative, { skip, signal })) {
    signal?.throwIfAborted();
    for (const entry of portion) {
      if (turns.isOver()) await turns.next();
      const folder = folderOf(entry.path);
      const known = inside.get(folder);
      if (known === undefined) inside.set(folder, [entry]);
      else known.push(entry);
    }
  }
  return inside;
}

interface AllRules {
  /** Ignore rules of the searched folder's parent folders. */
  readonly above: readonly IgnoreRules[];
  /** Ignore rules of the searched folder and its subfolders, by the path of the folder that contains them. */
  readonly rules: ReadonlyMap<string, IgnoreRules>;
}

async function readAllRules(scope: TreeScope, inside: Listing): Promise<AllRules> {
  const above = await readRulesAbove(scope);
  // If the caller explicitly searches an ignored folder, the ignore rules of its parent folders do not apply.
  const isNamed = scope.relative !== "" && isBelowIgnored(above, `${scope.relative}/x`);
  const ruled: string[] = [];
  for (const [folder, entries] of inside) {
    if (scope.turns.isOver()) await scope.turns.next();
    if (entries.some(({ path }) => path === ".gitignore" || path.endsWith("/.gitignore"))) {
      ruled.push(toTreePath(scope, folder));
    }
  }
  return { above: isNamed ? [] : above, rules: await readRules(scope, ruled) };
}
