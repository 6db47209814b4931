// @ts-check
import { runHostileSuite } from "./run-hostile-suite.mjs";

/** @import { DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const hostileModelsSuite = {
  name: "hostile-models",
  title:
    "Each test case of this suite starts a model server that simulates failures: for example, connections that break or stall at any byte, error statuses, and malformed or truncated responses. A run of the agent with this model server must complete if its retry policy allows enough retries, even if the run's process is killed. Every side effect must happen once, and the reported usage must equal the usage that the server sent. In other test cases, the model client is used without the agent; it must report each failure with the right error code.",
  counts: { deep: 2_000, quick: 20 },
  run: (options) => runHostileSuite(options),
};
