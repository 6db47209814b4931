import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { workspacesFolder } from "../run/run-workspace.ts";
import { STAGING_PREFIX } from "./accept-run.ts";
import { removeRun } from "./remove-run.ts";
import type { RunsParts } from "./runs-parts.ts";

/** Age at which what belongs to no run is nobody's any more, in milliseconds. */
const ORPHAN_MS = 3_600_000;

/** Removes runs that ended longer ago than they are kept, and workspaces that belong to no run. operations: 9. */
export async function tidyRuns(parts: RunsParts): Promise<void> {
  const { stateDirectory, keepRunsMs, now = Date.now } = parts.options;
  if (keepRunsMs !== undefined) await removeOld(parts, new Date(now() - keepRunsMs).toISOString());
  await removeOrphans(parts.store, stateDirectory);
}

/** Runs of other hosts in the same folder are theirs to remove. */
async function removeOld(parts: RunsParts, before: string): Promise<void> {
  for (const run of await parts.store.list()) {
    if (!("record" in run) || run.lease.isHeld || parts.dispatcher.find(run.runId) !== undefined) continue;
    const { owner, status, finished_at: endedAt = before } = run.record;
    if (owner === undefined || !TERMINAL_RUN_STATUSES.includes(status) || endedAt >= before) continue;
    try {
      await removeRun(run.runId, parts);
    } catch (error) {
      // Somebody resumed it since it was looked at.
      if (!EngineError.is(error, "server.run_at_work")) throw error;
    }
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
