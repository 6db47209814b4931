import { EngineError, type UndoneRun } from "@switchyard/contracts";
import { undoRun } from "@switchyard/runner";
import type { FoundRun } from "./find-run.ts";
import type { RunsParts } from "./runs-parts.ts";
import { serverSettingsOf } from "./server-settings.ts";

/**
 * Reverts the changes of an inactive run in its workspace. With `isDryRun`, only checks whether this is possible.
 * Rejects with `server.run_at_work`, `run.not_undoable` or `workspace.locked`; nothing is then changed.
 */
export async function undoServerRun(
  { stored, record }: FoundRun,
  isDryRun: boolean,
  { options, dispatcher }: Pick<RunsParts, "options" | "dispatcher">,
): Promise<UndoneRun> {
  const { run_id: runId, environment } = record;
  if (dispatcher.find(runId) !== undefined || stored.lease?.isHeld === true) {
    throw new EngineError("server.run_at_work", { runId });
  }
  // In other environments and on workers, the changed files are not those of the local folder.
  const isHere = options.cluster === undefined && (environment === "local" || environment === "sandbox");
  const diff = await undoRun(stored, {
    env: process.env,
    stateDirectory: options.stateDirectory,
    workspace: isHere ? serverSettingsOf(stored.request)?.workspace : undefined,
    now: (options.now ?? Date.now)(),
    dryRun: isDryRun,
  });
  return { run_id: runId, undone: !isDryRun, workspace_diff: diff };
}
