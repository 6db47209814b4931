import { lstat, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { workspacePath, workspacesFolder } from "../run/run-workspace.ts";
import { STAGING_PREFIX } from "./accept-run.ts";
import { removeRun } from "./remove-run.ts";
import type { RunsParts } from "./runs-parts.ts";

/** Age in milliseconds after which data that belongs to no run is removed. */
const ORPHAN_MS = 3_600_000;

/**
 * Removes finished runs that exceed the retention limits, data of interrupted creations and removals, and workspaces
 * that belong to no run.
 */
export async function pruneRuns(parts: RunsParts): Promise<void> {
  for (const runId of await surplusRuns(parts)) {
    // If a client is reading the events of a run, the run is removed by a later check.
    if (!parts.streams.isWatched(runId)) await removeUnlessAtWork(runId, parts);
  }
  // `before: 0` matches no finished run, so only incomplete data that crashed servers left is removed.
  await parts.store.collectGarbage({ before: 0, orphansBefore: (parts.options.now ?? Date.now)() - ORPHAN_MS });
  await removeOrphans(parts.store, parts.options.stateDirectory);
}

interface EndedRun {
  readonly runId: string;
  readonly endedAt: string;
}

/**
 * Returns the ids of runs that exceed the retention limits on age, number or total size. If the runs are too many or
 * too large, the oldest are selected, but never the newest run.
 */
async function surplusRuns(parts: RunsParts): Promise<string[]> {
  const { keepRunsMs, keepRuns, keepRunsBytes, now = Date.now, stateDirectory } = parts.options;
  if (keepRunsMs === undefined && keepRuns === undefined && keepRunsBytes === undefined) return [];
  const before = keepRunsMs === undefined ? "" : new Date(now() - keepRunsMs).toISOString();
  const surplus: string[] = [];
  const stored = keepRunsBytes === undefined ? undefined : await parts.store.sizes?.();
  let [ordinal, totalBytes] = [0, 0];
  for (const { runId, endedAt } of await endedRuns(parts)) {
    const local = keepRunsBytes === undefined ? 0 : await bytesOf(runId, stateDirectory);
    const bytes = local + (stored?.get(runId) ?? 0);
    ordinal += 1;
    totalBytes += bytes;
    const isMuch = ordinal > 1 && totalBytes > (keepRunsBytes ?? Number.POSITIVE_INFINITY);
    if (endedAt < before || ordinal > (keepRuns ?? Number.POSITIVE_INFINITY) || isMuch) surplus.push(runId);
  }
  return surplus;
}

/**
 * Returns the finished runs of the server's callers, most recent first. Runs without an owner belong to other programs
 * that use the same folder, so they are never pruned.
 */
async function endedRuns({ store, dispatcher }: RunsParts): Promise<EndedRun[]> {
  const ended: EndedRun[] = [];
  for (const run of await store.list()) {
    if (!("record" in run) || run.lease.isHeld || dispatcher.find(run.runId) !== undefined) continue;
    const { owner, status, finished_at: endedAt } = run.record;
    if (owner === undefined || endedAt === undefined || !TERMINAL_RUN_STATUSES.includes(status)) continue;
    ended.push({ runId: run.runId, endedAt });
  }
  return ended.sort((a, b) => (a.endedAt < b.endedAt ? 1 : -1));
}

/** Returns the disk usage of a run's folder and workspace, in bytes. */
async function bytesOf(runId: string, stateDirectory: string): Promise<number> {
  const folders = [join(stateDirectory, "runs", runId), workspacePath(stateDirectory, runId)];
  const sizes = await Promise.all(folders.map(bytesBelow));
  return sizes.reduce((total, size) => total + size, 0);
}

async function bytesBelow(folder: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) total += await bytesBelow(path);
    else if (entry.isFile()) total += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return total;
}

async function removeUnlessAtWork(runId: string, parts: RunsParts): Promise<void> {
  try {
    await removeRun(runId, parts);
  } catch (error) {
    // The run was resumed after it was selected.
    if (!EngineError.is(error, "server.run_at_work")) throw error;
  }
}

async function removeOrphans(store: RunsParts["store"], stateDirectory: string): Promise<void> {
  const folder = workspacesFolder(stateDirectory);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined)) ?? { mtimeMs: Date.now() }).mtimeMs;
    if (age < ORPHAN_MS) continue;
    if (name.startsWith(STAGING_PREFIX) || (await isNobodys(name, store)))
      await rm(path, { recursive: true, force: true });
  }
}

async function isNobodys(name: string, store: RunsParts["store"]): Promise<boolean> {
  return store.show(name).then(
    () => false,
    (error: unknown) => EngineError.is(error, "run.not_found"),
  );
}
