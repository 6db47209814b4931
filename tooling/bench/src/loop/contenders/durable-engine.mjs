// @ts-check
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRun, openBenchStore } from "../../engine/stores/bench-store.mjs";
import { converseInRun } from "./engine.mjs";

/** @import { Contender } from "./plan.mjs" */

/** Creates the same engine with two checkpoints of each round on disk. @returns {Promise<Contender>} */
export async function openDurableEngine() {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-bench-"));
  const store = await openBenchStore("file", folder);
  let runs = 0;
  return {
    converse: async (plan) => {
      runs += 1;
      const runId = `run-${runs}`;
      const writer = await createRun(store, runId);
      return converseInRun(plan, { runId, host: { checkpoint: (checkpoint) => writer.save(checkpoint) } });
    },
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
