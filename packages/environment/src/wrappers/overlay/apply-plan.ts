import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { BaseFolder } from "./base-folder.ts";
import { ifExists } from "./base-folder.ts";
import { depthOf, isAtOrBelow, joinRelative, overlaps } from "./layer-node.ts";
import type { LayerPlan, Move } from "./layer-plan.ts";
import { isMoved } from "./layer-plan.ts";

/** Options for writing the changes of an overlay to its base environment. */
export interface ApplyPlanOptions {
  readonly base: BaseFolder;
  /** True to remove files and folders of the base environment that are in the way of a change. */
  readonly force: boolean;
  /**
   * Path of a temporary folder. Entries that cannot be moved directly to their new path, for example because two
   * entries swap paths, are moved there first.
   */
  readonly waitingFolder: string;
}

/**
 * Writes the changes of an overlay to its base environment. First, entries are removed or moved away, deepest first.
 * Then folders are created and entries moved to their new paths, topmost first. Then files are written. Each step is
 * atomic.
 */
export async function applyPlan(plan: LayerPlan, { base, force, waitingFolder }: ApplyPlanOptions): Promise<void> {
  const { environment } = base;
  const unmoved = await findUnmovedFiles(plan, base);
  const waiting = new Map<Move, string>();
  const leaving = [
    ...plan.moves.map((move) => ({ path: move.from, move })),
    ...plan.deleted.map((path) => ({ path, move: undefined })),
  ].sort((one, other) => depthOf(other.path) - depthOf(one.path));
  for (const { path, move } of leaving) {
    if (move === undefined) await removeDeleted(base, path, unmoved);
    else if (!isStraight(plan, move)) {
      const path = `${waitingFolder}/${waiting.size}`;
      waiting.set(move, path);
      await renameIfExists(environment, { from: move.from, to: path, force });
    }
  }
  const arriving = [
    ...plan.moves.map((move) => ({ path: move.to, move })),
    ...[...plan.folders.keys()].map((path) => ({ path, move: undefined })),
  ].sort((one, other) => depthOf(one.path) - depthOf(other.path));
  for (const { path, move } of arriving) {
    if (force) await clearWay(base, path, move === undefined ? "directory" : "nothing");
    if (move === undefined) await environment.makeDirectory(path);
    else await renameIfExists(environment, { from: waiting.get(move) ?? move.from, to: path, force });
  }
  for (const [path, { bytes }] of plan.files) {
    if (force) await clearWay(base, path, "file");
    await environment.writeFile(path, bytes);
  }
  if (waiting.size > 0) await ifExists(environment.remove(waitingFolder));
}

/**
 * Returns the paths at which a new file replaces a removed file. The removed file is not deleted first: the new file
 * overwrites it, so that a reader always finds a file at the path.
 */
async function findUnmovedFiles(plan: LayerPlan, base: BaseFolder): Promise<string[]> {
  const unmoved: string[] = [];
  for (const [path, { origin }] of plan.files) {
    const isHere = origin === undefined && !isMoved(plan, path) && !plan.moves.some(({ to }) => isAtOrBelow(to, path));
    if (isHere && plan.deleted.some((one) => isAtOrBelow(one, path)) && (await base.kindOf(path)) === "file") {
      unmoved.push(path);
    }
  }
  return unmoved;
}

async function removeDeleted(base: BaseFolder, path: string, unmoved: readonly string[]): Promise<void> {
  if (unmoved.includes(path)) return;
  if (!unmoved.some((one) => isAtOrBelow(path, one))) {
    await ifExists(base.environment.remove(path));
    return;
  }
  for (const { name } of await base.list(path)) await removeDeleted(base, joinRelative(path, name), unmoved);
}

/** Returns whether an entry can be moved directly to its new path, because no other step affects its old path. */
function isStraight({ files, folders, moves, deleted }: LayerPlan, move: Move): boolean {
  const { from, to } = move;
  if (deleted.some((path) => isAtOrBelow(path, from))) return false;
  if (moves.some((other) => other !== move && (isAtOrBelow(other.from, from) || overlaps(other.to, from))))
    return false;
  return ![to, ...files.keys(), ...folders.keys()].some((path) => overlaps(path, from));
}

async function renameIfExists(
  environment: ExecutionEnvironment,
  { from, to, force }: { from: string; to: string; force: boolean },
): Promise<void> {
  const renaming = environment.rename(from, to);
  await (force ? ifExists(renaming) : renaming);
}

/** Removes an entry that another process has created in the base environment at a path that will be written. */
async function clearWay(base: BaseFolder, path: string, wanted: "file" | "directory" | "nothing"): Promise<void> {
  const names = path.split("/");
  for (let length = 1; length < names.length; length += 1) {
    const folder = names.slice(0, length).join("/");
    const kind = await base.kindOf(folder);
    if (kind !== undefined && kind !== "directory") await base.environment.remove(folder);
  }
  const kind = await base.kindOf(path);
  if (kind !== undefined && kind !== wanted) await base.environment.remove(path);
}
