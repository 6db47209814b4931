import { realpath } from "node:fs/promises";
import type { RunStore, StoredRun } from "@switchyard/contracts";
import type { NewestRun } from "@switchyard/runner";
import { fromSettings, hostWorkspaceOf } from "./run-settings.ts";

/** Result of `findNewestConversation`. */
export interface NewestConversation extends NewestRun {
  /** The workspace folder, with links resolved. */
  readonly workspace: string;
}

/**
 * Finds the newest run with a conversation in a workspace folder, its git repository or the worktrees of the
 * repository. Rejects with the errors of the store.
 */
export async function findNewestConversation(
  store: Pick<RunStore, "list" | "show">,
  folder: string,
): Promise<NewestConversation> {
  const { findNewestRun } = await import("@switchyard/runner");
  const workspace = await realpath(folder).catch(() => folder);
  const folderOf = (run: StoredRun): string | undefined => worktreeOf(run) ?? hostWorkspaceOf(run);
  return { ...(await findNewestRun(store, { workspace, folderOf })), workspace };
}

/** Returns the folder from which the worktree of a run was created; `undefined` if the run had no worktree. */
function worktreeOf({ request }: StoredRun): string | undefined {
  return request === undefined ? undefined : fromSettings(request).worktreeOf;
}

/**
 * Describes which run is continued, and why newer runs are not, one sentence without a full stop each. Empty if no run
 * was found.
 */
export function describeContinued({ run, skipped, workspace }: NewestConversation): string[] {
  if (run === undefined) return [];
  const folder = hostWorkspaceOf(run);
  const elsewhere = folder === undefined || folder === workspace ? "" : ` of ${folder}`;
  const where = worktreeOf(run) === undefined ? elsewhere : ", whose changes are on the branch of its worktree";
  return [...skipped.map(({ runId, why }) => `the newer run ${runId} ${why}`), `continuing run ${run.runId}${where}`];
}
