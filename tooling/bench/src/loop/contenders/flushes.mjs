// @ts-check
// Only the two flushes of a round: what storing two checkpoints of a round costs at least.
import { fdatasync, writeSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DELTA } from "./plan.mjs";

/** @import { Contender } from "./plan.mjs" */

/** Size of one stored checkpoint of a round, in bytes. */
const CHECKPOINT = Buffer.alloc(1_400, "x");

const flush = promisify(fdatasync);

/** Creates the contender that appends twice per round to a file, and flushes the file each time. @returns {Promise<Contender>} */
export async function openFlushes() {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-bench-"));
  const file = await open(join(folder, "checkpoints"), "a");
  return {
    converse: async ({ rounds, deltas }) => {
      for (let checkpoint = 0; checkpoint < 2 * rounds; checkpoint += 1) {
        writeSync(file.fd, CHECKPOINT);
        await flush(file.fd);
      }
      return { calls: rounds, deltas, text: DELTA.repeat(deltas) };
    },
    close: async () => {
      await file.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
