import type { EntryKind } from "@switchyard/contracts";
import { compareNames } from "../../search/compare-names.ts";
import type { BaseFolder } from "./base-folder.ts";
import { inBatches } from "./in-batches.ts";
import type { FolderNode, LayerNode } from "./layer-node.ts";
import { joinRelative } from "./layer-node.ts";
import type { LayerPlan } from "./layer-plan.ts";
import { isMoved } from "./layer-plan.ts";

/** One difference between an overlay and its base environment: the old and the new path, and the new content. */
export interface Difference {
  readonly entry: EntryKind;
  /** Path in the base environment. `undefined` for a new entry. */
  readonly before: string | undefined;
  /** Path in the overlay. `undefined` for a removed entry. */
  readonly after: string | undefined;
  /** New content. `undefined` if the content equals that in the base environment. */
  readonly bytes: Uint8Array | undefined;
}

/** Returns the differences between an overlay and its base environment, sorted by name. Contents are not compared. */
export async function findDifferences(plan: LayerPlan, base: BaseFolder): Promise<Difference[]> {
  const deletedLeaves = await findDeletedLeaves(plan, base);
  const found: Difference[] = [];
  for (const [after, { origin, bytes }] of plan.files) {
    const samePath = deletedLeaves.get(after) === "file" ? after : undefined;
    if (samePath !== undefined && origin === undefined) deletedLeaves.delete(after);
    const originExists = origin !== undefined && (await base.kindOf(origin)) === "file";
    found.push({
      entry: "file",
      before: originExists ? origin : origin === undefined ? samePath : undefined,
      after,
      bytes,
    });
  }
  for (const [after, folder] of plan.folders) {
    if (!isBare(folder) || deletedLeaves.delete(after)) continue;
    found.push({ entry: "directory", before: undefined, after, bytes: undefined });
  }
  for (const { from, to, node } of plan.moves) {
    for (const [below, entry] of await findMovedLeaves(node, base)) {
      found.push({ entry, before: joinBelow(from, below), after: joinBelow(to, below), bytes: undefined });
    }
  }
  for (const [before, entry] of deletedLeaves) found.push({ entry, before, after: undefined, bytes: undefined });
  return found.sort((one, other) => compareNames(pathOf(one), pathOf(other)));
}

function pathOf({ before = "", after }: Difference): string {
  return after ?? before;
}

function joinBelow(path: string, below: string): string {
  return below === "" ? path : joinRelative(path, below);
}

function isBare({ entries }: FolderNode): boolean {
  return [...entries.values()].every((entry) => entry === undefined);
}

/**
 * Returns the files and empty folders below a path in the base environment, with paths relative to it. If the path is
 * not a folder, returns only the path itself.
 */
async function findLeaves(base: BaseFolder, path: string): Promise<[path: string, kind: EntryKind][]> {
  const kind = await base.kindOf(path);
  if (kind === undefined) return [];
  if (kind !== "directory") return [["", kind]];
  const below = await base.listAll(path);
  if (below.length === 0) return [["", kind]];
  const parents = new Set(below.map(({ name }) => name.slice(0, Math.max(0, name.lastIndexOf("/")))));
  return below.flatMap((entry) => (parents.has(entry.name) ? [] : [[entry.name, entry.kind]]));
}

async function findDeletedLeaves(plan: LayerPlan, base: BaseFolder): Promise<Map<string, EntryKind>> {
  const deletedLeaves = new Map<string, EntryKind>();
  const leaves = await inBatches(plan.deleted, async (path) => ({ path, below: await findLeaves(base, path) }));
  for (const { path, below } of leaves) {
    for (const [name, kind] of below) {
      const leaf = joinBelow(path, name);
      if (!isMoved(plan, leaf)) deletedLeaves.set(leaf, kind);
    }
  }
  return deletedLeaves;
}

/** Returns the files and empty folders that are moved together with a renamed folder, except files with new content. */
async function findMovedLeaves(node: LayerNode, base: BaseFolder): Promise<[path: string, kind: EntryKind][]> {
  if (node.kind === "file") return [];
  if (node.kind === "base") return findLeaves(base, node.path);
  const leaves: [string, EntryKind][] = [];
  for (const { name } of node.base === undefined ? [] : await base.list(node.base)) {
    if (node.entries.has(name)) continue;
    for (const [below, kind] of await findLeaves(base, joinRelative(node.base ?? "", name))) {
      leaves.push([joinBelow(name, below), kind]);
    }
  }
  for (const [name, inner] of node.entries) {
    // An entry that was moved into this folder from another path is reported as a separate move.
    if (inner?.kind !== "folder" || inner.base === undefined || inner.base !== joinRelative(node.base ?? "", name)) {
      continue;
    }
    for (const [below, kind] of await findMovedLeaves(inner, base)) leaves.push([joinBelow(name, below), kind]);
  }
  return leaves;
}
