import { lstat, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { workspacePath, workspacesFolder } from "../run/run-workspace.ts";
import { STAGING_PREFIX } from "./accept-run.ts";
import { removeRun } from "./remove-run.ts";
import type { RunsParts } from "./runs-parts.ts";

/** Age at which what belongs to no run is nobody's any more, in milliseconds. */
const ORPHAN_MS = 3_600_000;

/**
 * Removes runs beyond what is kept of those that are over, what is left of those whose making or removal was cut off, and
 * workspaces that belong to no run. operations: 9.
 */
export async function pruneRuns(parts: RunsParts): Promise<void> {
  for (const runId of await surplusRuns(parts)) {
    // Whoever watches a run sees it to its end; it goes the next time.
    if (!parts.streams.isWatched(runId)) await removeUnlessAtWork(runId, parts);
  }
  // No run is that old: what goes is what servers that died have left.
  await parts.store.collectGarbage({ before: 0 });
  await removeOrphans(parts.store, parts.options.stateDirectory);
}

interface EndedRun {
  readonly runId: string;
  readonly endedAt: string;
}

/** The runs that are too old, too many or too large together; of the last two the oldest, and never the newest one. */
async function surplusRuns(parts: RunsParts): Promise<string[]> {
  const { keepRunsMs, keepRuns, keepRunsBytes, now = Date.now, stateDirectory } = parts.options;
  if (keepRunsMs === undefined && keepRuns === undefined && keepRunsBytes === undefined) return [];
  const before = keepRunsMs === undefined ? "" : new Date(now() - keepRunsMs).toISOString();
  const surplus: string[] = [];
  let [ordinal, totalBytes] = [0, 0];
  for (const { runId, endedAt } of await endedRuns(parts)) {
    const bytes = keepRunsBytes === undefined ? 0 : await bytesOf(runId, stateDirectory);
    ordinal += 1;
    totalBytes += bytes;
    const isMuch = ordinal > 1 && totalBytes > (keepRunsBytes ?? Number.POSITIVE_INFINITY);
    if (endedAt < before || ordinal > (keepRuns ?? Number.POSITIVE_INFINITY) || isMuch) surplus.push(runId);
  }
  return surplus;
}

/** The runs of callers that are over, the last one first. Those of other hosts in the same folder are theirs to remove. */
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

/** What a run has on this disk: its folder and its workspace. */
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
    // Somebody resumed it since it was looked at.
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
