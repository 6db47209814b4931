import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";
import { createProcessOwner, describeOwner } from "@switchyard/process-owner";
import type { RunPlace } from "../worktree/run-place.ts";
import { tryFileLock } from "./file-lock.ts";

/** Who locks a workspace. */
export interface WorkspaceLockOptions extends RunPlace {
  /**
   * Called when the lock of a dead process is taken over from another run, with the folder's real path and that run's
   * id: two agents in one folder would revert each other's work, so what the earlier one left running is to be ended.
   */
  readonly onTakeover: (folder: string, earlierRunId: string) => Promise<void>;
}

/**
 * Keeps other runs out of a folder until it is disposed of. The lock of a process that died is taken over. Rejects with
 * `workspace.locked`, `run.leased` if the same run holds it, `workspace.not_found` and `run.store_failed`.
 */
export async function lockWorkspace(
  workspace: string,
  { state, runId, onTakeover }: WorkspaceLockOptions,
): Promise<AsyncDisposable> {
  const path = await realpath(workspace).catch((cause: unknown) => {
    throw new EngineError("workspace.not_found", { path: workspace }, { cause });
  });
  const lock = join(state, "locks", createHash("sha256").update(path).digest("hex").slice(0, 32));
  const owner = createProcessOwner();
  const result = await tryFileLock(lock, { owner, note: runId }).catch((cause: unknown) => {
    throw new EngineError("run.store_failed", { path: lock, problem: fileProblem(cause) }, { cause });
  });
  if ("taken" in result) {
    const before = result.from?.note;
    if (before !== undefined && before !== runId) await onTakeover(path, before);
    return result.taken;
  }
  const { token, note } = result.holder;
  const described = describeOwner(token, owner);
  if (note === runId) throw new EngineError("run.leased", { runId, owner: described });
  throw new EngineError("workspace.locked", { path, owner: described });
}
