// @ts-check
import { runDamageSuite } from "@switchyard/crash-sweep/damage-suite";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const crashSuite = {
  name: "crash",
  title:
    "Each test case of this suite kills the process of a run twice with SIGKILL, and then damages two copies of the run's stored data in files, SQLite or NATS: data is deleted, truncated, changed, or replaced by older data or by another run's data. A resume of each damaged copy must continue without repeating an effect, or must be refused.",
  counts: { deep: 760, quick: 4 },
  run: (options) => runDamageSuite(options),
};
