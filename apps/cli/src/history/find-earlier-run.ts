import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { EngineError, type StoredRun } from "@switchyard/contracts";
import { type EarlierRun, findNewestRun, type SkippedRun, toEarlierRun } from "@switchyard/runner";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { fromSettings } from "../run/run-settings.ts";
import { hostWorkspaceOf } from "../runs/host-workspace.ts";
import { findRun, placeOfRuns } from "../runs/open-runs.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";

/** Conversation that a new run continues. */
export interface HistoryOptions extends StoreOptions {
  /** Whether it is that of the newest run in the same folder. */
  continue?: boolean;
  /** Id of a run, or its beginning. */
  from?: string;
  /** Folder to work in. */
  workspace?: string | undefined;
}

/**
 * Finds the run that the options name; `undefined` if they name none. Rejects with `run.not_found`, and with
 * `run.not_resumable` if its conversation is unknown.
 */
export async function findEarlierRun(
  context: CommandContext,
  options: HistoryOptions,
): Promise<EarlierRun | undefined> {
  const store = await openRunStore(context, options);
  if (options.from !== undefined) {
    return toEarlierRun(await findRun(context, store, { ...options, id: options.from, command: "run" }));
  }
  if (options.continue !== true) return undefined;
  const named = resolve(context.workingDirectory, options.workspace ?? ".");
  const workspace = await realpath(named).catch(() => named);
  const folderOf = (run: StoredRun): string | undefined => worktreeOf(run) ?? hostWorkspaceOf(run);
  const { run, skipped } = await findNewestRun(store, { workspace, folderOf });
  if (run === undefined) {
    const runId = `with a conversation in ${workspace}`;
    throw new EngineError("run.not_found", { runId, stateDirectory: placeOfRuns(context, options) });
  }
  context.stderr.write(neutraliseControls(describeContinued(run, { skipped, workspace })));
  return toEarlierRun(run);
}

/** Folder that the worktree of a run was created for; `undefined` without a worktree. */
function worktreeOf({ request }: StoredRun): string | undefined {
  return request === undefined ? undefined : fromSettings(request).worktreeOf;
}

interface ContinuedFrom {
  readonly skipped: readonly SkippedRun[];
  /** Folder of the new run. */
  readonly workspace: string;
}

function describeContinued(run: StoredRun, { skipped, workspace }: ContinuedFrom): string {
  const folder = hostWorkspaceOf(run);
  const isElsewhere = folder !== undefined && folder !== workspace;
  const where =
    worktreeOf(run) !== undefined
      ? ", whose changes are on the branch of its worktree"
      : isElsewhere
        ? ` of ${folder}`
        : "";
  return [
    ...skipped.map(({ runId, why }) => `note: the newer run ${runId} ${why}.\n`),
    `note: continuing run ${run.runId}${where}.\n`,
  ].join("");
}
