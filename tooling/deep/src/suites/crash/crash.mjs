// @ts-check
import { runDamageSuite } from "@switchyard/crash-sweep/damage-suite";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const crashSuite = {
  name: "crash",
  title:
    "Each test case of this suite kills the process of a run twice with SIGKILL, and then damages two copies of the run's stored data in files, SQLite or NATS: data is deleted, truncated, changed, or replaced by older data or by another run's data. Switchyard must refuse to resume a run from damaged data, or resume it without repeating side effects.",
  counts: { deep: 760, quick: 4 },
  run: (options) => runDamageSuite(options),
};
