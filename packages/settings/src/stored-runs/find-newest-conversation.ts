import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { EngineError, type StoredRun } from "@switchyard/contracts";
import { type EarlierRun, findNewestRun, type NewestRun, type SkippedRun, toEarlierRun } from "@switchyard/runner";
import { fromSettings, hostWorkspaceOf } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { findRun, placeOfRuns } from "../runs/open-runs.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";

/** Options that select the earlier run whose conversation a new run continues. */
export interface HistoryOptions extends StoreOptions {
  /** Whether to continue the newest run in the same folder. */
  continue?: boolean;
  /** Id of the run to continue, or a unique prefix of the id. */
  from?: string;
  /** Workspace folder of the new run. */
  workspace?: string | undefined;
}

/**
 * Finds the run that the options select; `undefined` if they select none. Rejects with `run.not_found`, and with
 * `run.not_resumable` if the conversation of the run is not stored.
 */
export async function findEarlierRun(
  context: CommandContext,
  options: HistoryOptions,
): Promise<EarlierRun | undefined> {
  if (options.from !== undefined) {
    const store = await openRunStore(context, options);
    return toEarlierRun(await findRun(context, store, { ...options, id: options.from, command: "run" }));
  }
  if (options.continue !== true) return undefined;
  const { run, skipped, workspace } = await findNewestConversation(context, options);
  if (run === undefined) {
    const runId = `with a conversation in ${workspace}`;
    throw new EngineError("run.not_found", { runId, stateDirectory: placeOfRuns(context, options) });
  }
  context.stderr.write(neutraliseControls(describeContinued(run, { skipped, workspace })));
  return toEarlierRun(run);
}

/** Finds the newest run with a conversation in the workspace folder or its worktrees. Prints nothing. */
export async function findNewestConversation(
  context: CommandContext,
  options: Pick<HistoryOptions, "state" | "store" | "workspace">,
): Promise<NewestRun & { readonly workspace: string }> {
  const store = await openRunStore(context, options);
  const named = resolve(context.workingDirectory, options.workspace ?? ".");
  const workspace = await realpath(named).catch(() => named);
  const folderOf = (run: StoredRun): string | undefined => worktreeOf(run) ?? hostWorkspaceOf(run);
  return { ...(await findNewestRun(store, { workspace, folderOf })), workspace };
}

/** Returns the folder from which the worktree of a run was created; `undefined` if the run had no worktree. */
function worktreeOf({ request }: StoredRun): string | undefined {
  return request === undefined ? undefined : fromSettings(request).worktreeOf;
}

interface ContinuedFrom {
  readonly skipped: readonly SkippedRun[];
  /** Workspace folder of the new run. */
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
