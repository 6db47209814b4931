import type { BaseFingerprints } from "./base-fingerprints.ts";
import type { BaseFolder } from "./base-folder.ts";
import { inBatches } from "./in-batches.ts";
import { joinRelative } from "./layer-node.ts";
import type { LayerPlan } from "./layer-plan.ts";
import { isCovered, isMoved } from "./layer-plan.ts";

/**
 * Conflict that prevents applying an overlay: a path that the overlay would write has changed in the base environment.
 */
export interface OverlayConflict {
  /** Path in the base environment, relative to the working directory. */
  readonly path: string;
  /** How the path has changed in the base environment since the overlay replaced or removed it. */
  readonly problem: "added" | "changed" | "removed";
}

/**
 * Returns conflicts between an overlay and later changes of its base environment, sorted by path. A conflict is a
 * change that applying the overlay would overwrite, or that makes applying it impossible.
 */
export async function findConflicts(
  plan: LayerPlan,
  { base, witness }: { base: BaseFolder; witness: BaseFingerprints },
): Promise<OverlayConflict[]> {
  const conflicts = new Map<string, OverlayConflict["problem"]>();
  const compare = async (path: string): Promise<void> => {
    const isUnchanged = await witness.isUnchanged(path);
    if (isUnchanged === undefined) conflicts.set(path, "added");
    if (isUnchanged === false) conflicts.set(path, (await base.kindOf(path)) === undefined ? "removed" : "changed");
  };
  const origins = [...plan.files.values()].flatMap(({ origin }) => origin ?? []);
  await inBatches(origins, compare);
  for (const path of plan.deleted) await inBatches(await remainingAt(plan, base, path), compare);
  for (const { from } of plan.moves) {
    if ((await base.kindOf(from)) === undefined) conflicts.set(from, "removed");
  }
  const added = [...plan.files].flatMap(([path, { origin }]) => (origin === undefined ? [path] : []));
  const targets = [...added, ...plan.moves.map(({ to }) => to), ...plan.folders.keys()];
  await inBatches(targets, async (path) => {
    if (isCovered(plan, path)) return;
    const kind = await base.kindOf(path);
    if (kind === undefined || (kind === "directory" && plan.folders.has(path))) return;
    conflicts.set(path, "added");
  });
  return [...conflicts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([path, problem]) => ({ path, problem }));
}

/**
 * Returns the paths in the base environment, at and below a path, that the overlay removes. Entries that the overlay
 * moves to another path are not included.
 */
async function remainingAt(plan: LayerPlan, base: BaseFolder, path: string): Promise<string[]> {
  const kind = await base.kindOf(path);
  if (kind === undefined) return [];
  const below = kind === "directory" ? await base.listAll(path) : [];
  return [path, ...below.map(({ name }) => joinRelative(path, name))].filter((one) => !isMoved(plan, one));
}
