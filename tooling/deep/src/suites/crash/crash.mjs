// @ts-check
import { runDamageSuite } from "@switchyard/crash-sweep/damage-suite";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const crashSuite = {
  name: "crash",
  title:
    "Each case kills a run twice with SIGKILL, then damages two copies of its data in files, SQLite or NATS: data is deleted, truncated, changed, or replaced by older data or another run's. Each copy must be resumed without repeating an effect, or be refused.",
  counts: { deep: 760, quick: 4 },
  run: (options) => runDamageSuite(options),
};
