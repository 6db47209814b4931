// @ts-check
import { runDamageSuite } from "@switchyard/crash-sweep/damage-suite";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const crashSuite = {
  name: "crash",
  title:
    "Each case kills a run twice with SIGKILL, then damages two copies of what it left in files, SQLite or NATS: deleted, truncated, changed, older or another run's. Each copy must be resumed without repeating an effect, or be refused.",
  counts: { deep: 760, quick: 8 },
  run: (options) => runDamageSuite(options),
};
