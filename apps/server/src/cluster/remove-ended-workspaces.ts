import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { RESUMABLE_RUN_STATUSES, type RunStore, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { workspacesFolder } from "../run/run-workspace.ts";

/** Resolves with true if a run of the store has ended and cannot be resumed. */
async function isOver(store: Pick<RunStore, "show">, runId: string): Promise<boolean> {
  const found = await store.show(runId).catch(() => undefined);
  const status = found?.record?.status;
  return status !== undefined && TERMINAL_RUN_STATUSES.includes(status) && !RESUMABLE_RUN_STATUSES.includes(status);
}

/**
 * Removes the workspaces on this machine whose runs have ended and cannot be resumed. Such a workspace may be left over
 * after another worker took over the run and completed it. Keeps workspaces of runs that the store does not know: they
 * may belong to another store.
 */
export async function removeEndedWorkspaces(stateDirectory: string, store: Pick<RunStore, "show">): Promise<void> {
  const folder = workspacesFolder(stateDirectory);
  for (const name of await readdir(folder).catch(() => [])) {
    if (await isOver(store, name))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
