import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { createProcessOwner, describeOwner } from "@switchyard/process-owner";
import { endLeftProcesses } from "@switchyard/runner";
import { fileProblem } from "../input/read-json.ts";
import { tryFileLock } from "../lock/file-lock.ts";
import type { World } from "../world/world.ts";
import type { RunPlace } from "./run-place.ts";

/**
 * Keeps other runs out of a folder until it is disposed of. The lock of a process that died is taken over, and what its run
 * left running there is ended. Rejects with `workspace.locked`, `run.leased` where it is the same run,
 * `workspace.not_found` and `run.store_failed`.
 */
export async function lockWorkspace(
  world: World,
  workspace: string,
  { state, runId }: RunPlace,
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
    if (before !== undefined && before !== runId) await endLeft(world, path, { state, runId: before });
    return result.taken;
  }
  const { token, note } = result.holder;
  const described = describeOwner(token, owner);
  if (note === runId) throw new EngineError("run.leased", { runId, owner: described });
  throw new EngineError("workspace.locked", { path, owner: described });
}

/** Two agents in one folder would undo each other's work. What a run goes on with ends its own. */
async function endLeft({ env, stderr }: World, root: string, { state, runId }: RunPlace): Promise<void> {
  const place = { stateDirectory: state, environment: { type: "local", root, env } } as const;
  // Of a run that is not there any more nothing is known.
  const ended = await endLeftProcesses(runId, place).catch(() => 0);
  if (ended === 0) return;
  stderr.write(
    `note: ended ${ended === 1 ? "one process" : `${ended} processes`} that run ${runId} had left running here.\n`,
  );
}
