import { setTimeout as delay } from "node:timers/promises";
import { createProcessOwner } from "@switchyard/process-owner";
import { tryFileLock } from "./file-lock.ts";

const LOOK_MS = 20;
/** What takes longer is taken for stuck: whoever waits goes on without the lock. */
const MAX_WAIT_MS = 30_000;

/** Does something while nobody else does who takes the same lock, in this process or another. Rejects with what it rejects with. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const owner = createProcessOwner();
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const result = await tryFileLock(path, { owner, note: "" });
    if ("taken" in result) {
      await using _ = result.taken;
      return await work();
    }
    if (performance.now() > deadline) return await work();
    await delay(LOOK_MS);
  }
}
