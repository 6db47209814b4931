import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError } from "@switchyard/contracts";
import { createProcessOwner, describeOwner } from "@switchyard/process-owner";
import { tryFileLock } from "./file-lock.ts";

const LOOK_MS = 20;
const MAX_WAIT_MS = 30_000;

/** Options for waiting. */
export interface FileLockWait {
  /** Maximum wait, in milliseconds, while the same process holds the lock. Default: 30,000. */
  readonly maxWaitMs?: number;
}

/**
 * Runs `work` while holding a lock file, so that no other caller with the same lock file runs at the same time, in this
 * or another process. The lock of a dead process is taken over immediately. Rejects with `run.store_failed` if one
 * living process holds the lock for too long, and with the errors of `work`.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  { maxWaitMs = MAX_WAIT_MS }: FileLockWait = {},
): Promise<T> {
  const owner = createProcessOwner();
  let [earlier, deadline] = ["", 0];
  for (;;) {
    const result = await tryFileLock(path, { owner, note: randomUUID() });
    if ("acquired" in result) {
      await using _ = result.acquired;
      return await work();
    }
    const { token, note } = result.holder;
    // The deadline restarts when the holder changes: then other callers make progress, and the lock is not stuck.
    if (note !== earlier) [earlier, deadline] = [note, performance.now() + maxWaitMs];
    if (performance.now() >= deadline) {
      const problem = `${describeOwner(token, owner)} has held it for too long; wait for that process or end it`;
      throw new EngineError("run.store_failed", { path, problem });
    }
    await delay(LOOK_MS);
  }
}
