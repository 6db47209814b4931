import { rm } from "node:fs/promises";
import { EngineError } from "@switchyard/contracts";
import { workspacePath } from "../run/run-workspace.ts";
import type { RunsParts } from "./runs-parts.ts";

/**
 * Removes an inactive run with its files and workspace. A queued run is removed from the queue. Clients that read the
 * run's events are notified. Rejects with `server.run_at_work` and `run.store_failed`.
 */
export async function removeRun(runId: string, { options, store, dispatcher, streams }: RunsParts): Promise<void> {
  dispatcher.withdraw(runId);
  await store.delete(runId).catch((error: unknown) => {
    if (EngineError.is(error, "run.leased")) throw new EngineError("server.run_at_work", { runId }, { cause: error });
    // Another process removed the run first.
    if (!EngineError.is(error, "run.not_found")) throw error;
  });
  streams.end("deleted", runId);
  await rm(workspacePath(options.stateDirectory, runId), { recursive: true, force: true });
}
