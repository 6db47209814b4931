import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { createProcessOwner, describeOwner } from "@switchyard/process-owner";
import { fileProblem } from "../input/read-json.ts";
import { tryFileLock } from "../lock/file-lock.ts";

/**
 * Keeps other runs out of a folder until it is disposed of. The lock of a process that died is taken over. Rejects with
 * `workspace.locked`, `run.leased` where it is the same run, `workspace.not_found` and `run.store_failed`.
 */
export async function lockWorkspace(
  workspace: string,
  { state, runId }: { state: string; runId: string },
): Promise<AsyncDisposable> {
  const path = await realpath(workspace).catch((cause: unknown) => {
    throw new EngineError("workspace.not_found", { path: workspace }, { cause });
  });
  const lock = join(state, "locks", createHash("sha256").update(path).digest("hex").slice(0, 32));
  const owner = createProcessOwner();
  const result = await tryFileLock(lock, { owner, note: runId }).catch((cause: unknown) => {
    throw new EngineError("run.store_failed", { path: lock, problem: fileProblem(cause) }, { cause });
  });
  if ("taken" in result) return result.taken;
  const { token, note } = result.holder;
  const described = describeOwner(token, owner);
  if (note === runId) throw new EngineError("run.leased", { runId, owner: described });
  throw new EngineError("workspace.locked", { path, owner: described });
}
